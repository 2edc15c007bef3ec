/** The codes of {@link ActivityError} with the statuses that HTTP answers. */
export const errorStatuses = {
  overloaded: 503, // too many activities are pending; nothing was recorded, try again later
  tooManyStreams: 429, // this address or user listens to as many streams as one may; close one of them first
  unavailable: 503, // Redis did not answer in time; safe to try again: what was recorded is not counted twice
  unrecordable: 503, // Redis refuses this activity and not others, as where another program wrote over the user's data
  invalidActivity: 400, // a field of an activity is malformed; `faults` names each
  invalidAdjustment: 400, // a field of an adjustment is malformed; `faults` names each
  unknownAction: 400, // no rule says what the action is worth
  unknownLeaderboard: 404, // no leaderboard has this name
  unknownPeriod: 404, // the key names no period of the leaderboard's kind
  unknownReview: 404, // no review has this id
  unknownReceipt: 404, // no erasure, deletion or merge has this id, or it was done long ago
  unmergeable: 409, // nothing is recorded of the user, one of the two is excluded, or another merge is not done
  reviewDecided: 409, // a review was decided otherwise before
  erased: 410, // the user was erased, and is refused still; an operator may let them in again
  ledgersGone: 410, // what the call would be computed from is no longer kept
  invalidCursor: 400, // the cursor belongs to another leaderboard, period or way of ranking
  invalidQuery: 400, // a parameter of a read is malformed; `faults` names each
  invalidRules: 400, // rules or limits that were to be put in force are malformed; `faults` names each
  invalidLeaderboard: 400, // a leaderboard that was to begin, change or end is refused; `faults` names each reason
  rulesChanged: 412, // other rules are in force than the caller takes to be; nothing was put in force
  invalidOption: 500, // an option of the module is malformed; the message names it, its value and what is allowed
} as const;

/**
 * Every reason for which the module refuses a call. The list is closed: a new reason is a new code.
 * @useDeclaredType
 */
export type ActivityErrorCode = keyof typeof errorStatuses;

/** One fault of an input: where it is and what is wrong with it. */
export class ProblemFault {
  /** @example events.3.subject */
  readonly path: string;
  /** @example must not be empty: use 1 to 512 bytes */
  readonly message: string;
}
export type { ProblemFault as Fault };

/** The one error class of the module: a closed {@link ActivityErrorCode} and a message that says what to change. */
export class ActivityError extends Error {
  override readonly name = 'ActivityError';
  /** Of malformed input: each fault by its path. */
  readonly faults: readonly ProblemFault[];

  constructor(
    readonly code: ActivityErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly faults?: readonly ProblemFault[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.faults = options.faults ?? [];
  }
}

/** A message stays readable; `faults` has them all. */
const maxShownFaults = 3;

/** An {@link ActivityError} whose message is its faults, for inputs that are refused as a whole. */
export function faultsError(
  code: Extract<ActivityErrorCode, `invalid${string}`> | 'unknownAction',
  faults: readonly ProblemFault[],
): ActivityError {
  const shown = faults.slice(0, maxShownFaults).map(({ path, message }) => `${path} ${message}`);
  const more = faults.length > maxShownFaults ? ` (and ${faults.length - maxShownFaults} more)` : '';
  return new ActivityError(code, shown.join('; ') + more, { faults });
}

/** A parameter of a read that is refused. */
export function invalidQuery(path: string, message: string): ActivityError {
  return faultsError('invalidQuery', [{ path, message }]);
}
