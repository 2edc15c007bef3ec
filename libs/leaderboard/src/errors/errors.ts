/** Every reason for which the engine refuses a call. The list is closed: a new reason is a new code. */
export type LeaderboardErrorCode =
  | 'invalidArgument' // an argument is malformed; the message names it and what is allowed
  | 'invalidOption' // an option of a constructor is malformed or contradicts another
  | 'scoreOutOfRange' // a score, or a moment, does not fit the board's layout
  | 'shardCountMismatch' // the key exists with another number of shards, or a Cluster's node would have all of them
  | 'formatMismatch' // the data was written in another format than this version's
  | 'settingsMismatch' // the data was written with another time zone, layout, order or board than is configured
  | 'invalidCursor' // a cursor was made by another board, period or layout
  | 'unavailable'; // Redis did not answer, or no master serves the slot; a write may or may not have taken place

/** The one error class of the engine: a closed {@link LeaderboardErrorCode} and a message that says what to change. */
export class LeaderboardError extends Error {
  override readonly name = 'LeaderboardError';

  constructor(
    readonly code: LeaderboardErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

type ErrorOf = (message: string, options?: { readonly cause?: unknown }) => LeaderboardError;
const errorOf =
  (code: LeaderboardErrorCode): ErrorOf =>
  (message, options) =>
    new LeaderboardError(code, message, options);

/** Makes an error of the code that the function is named after. */
export const invalidArgument = errorOf('invalidArgument');
export const invalidOption = errorOf('invalidOption');
export const scoreOutOfRange = errorOf('scoreOutOfRange');
export const settingsMismatch = errorOf('settingsMismatch');
export const shardCountMismatch = errorOf('shardCountMismatch');
export const unavailable = errorOf('unavailable');

/** @throws LeaderboardError `invalidArgument` unless `value` is a whole number from `least`. */
export function checkedWhole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidArgument(`${name} is ${String(value)}: use a whole number from ${least}.`);
}

/** @throws LeaderboardError `invalidOption` unless `value` is a whole number from `least` to `most`. */
export function checkedSetting(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalidOption(`${name} is ${String(value)}: use a whole number from ${least} to ${most}.`);
}
