import { LeaderboardError } from '../../errors/errors';

/**
 * The format of the data in Redis. A release raises it if the release before can no longer read or write its keys; two
 * releases of one format may run side by side. Data without a number has the first format. The second format has
 * ledgers of the short form, from a day on that is stored with it.
 */
export const keyFormat = '2';

/** The format before, which this release reads and writes too, until `shorten` decides for the second. */
export const firstFormat = '1';

/** @throws LeaderboardError `formatMismatch` if the data under the prefix has another format than this release's. */
export function checkFormat(stored: string | null | undefined, prefix: string): void {
  if (stored === keyFormat || stored === firstFormat) return;
  throw new LeaderboardError(
    'formatMismatch',
    `The data under the prefix "${prefix}" is of format ${stored}, this version's are ${firstFormat} and ${keyFormat}: ` +
      'run the version that wrote it.',
  );
}
