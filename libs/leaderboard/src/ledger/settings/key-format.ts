import { LeaderboardError } from '../../errors/errors';

/**
 * The format of the data in Redis. A release raises it if the release before can no longer read or write its keys; two
 * releases of one format may run side by side. Data without a number has the first format. The second has ledgers of
 * the short form, the third also pages and the earliest grants, each from a day on that is stored with it.
 */
export const keyFormat = '3';

export const firstFormat = '1';

/** Those that this release reads and writes; `shorten` decides for the last of them. */
const formats = [firstFormat, '2', keyFormat];

/** @throws LeaderboardError `formatMismatch` if the data under the prefix has another format than this release's. */
export function checkFormat(stored: string | null | undefined, prefix: string): void {
  if (formats.includes(stored ?? firstFormat)) return;
  throw new LeaderboardError(
    'formatMismatch',
    `The data under the prefix "${prefix}" is of format ${stored}, this version's are ${formats.join(', ')}: ` +
      'run the version that wrote it.',
  );
}
