import { LeaderboardError } from '../../errors/errors';

/**
 * The format of the data in Redis. A release raises it if the release before can no longer read or write its keys; two
 * releases of one format may run side by side.
 */
export const keyFormat = '1';

/** @throws LeaderboardError `formatMismatch` if the data under the prefix has another format than this release's. */
export function checkFormat(stored: string | undefined, prefix: string): void {
  if (stored === keyFormat) return;
  throw new LeaderboardError(
    'formatMismatch',
    `The data under the prefix "${prefix}" is of format ${stored ?? 'unknown'}, this version's is ${keyFormat}: ` +
      'run the version that wrote it.',
  );
}
