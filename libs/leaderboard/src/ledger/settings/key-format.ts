import { LeaderboardError } from '../../errors/errors';

/**
 * The format of what lies in Redis. It is raised by a version whose keys the version before can no longer read or write;
 * two versions of one format may run side by side. Data without a number is of the first.
 */
export const keyFormat = '1';

/** @throws LeaderboardError `formatMismatch` where the data under the prefix is of another format than this version's. */
export function checkFormat(stored: string | null | undefined, prefix: string): void {
  if (stored === keyFormat) return;
  throw new LeaderboardError(
    'formatMismatch',
    `The data under the prefix "${prefix}" is of format ${stored}, this version's is ${keyFormat}: run the version that ` +
      'wrote it, or move the data first as docs/reliability.md says.',
  );
}
