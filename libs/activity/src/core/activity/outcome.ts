import type { TransitionOutcome } from '@laurel/leaderboard';
import type { BoardOutcome } from '@laurel/leaderboard/internals';

/**
 * `granted`, `revoked`: the points changed. `duplicate`: known already. `limited`: a limit refused it. `notGranted`: a
 * revoke that found nothing, or a grant whose revoke came first. `closed`: too old. `ignored`: worth nothing by its
 * rule. `rejected`: dated too far in the future, more points than a board holds, or of a user who was erased.
 */
export type OutcomeName = TransitionOutcome | 'ignored';

/** A limit's refusal. */
export class ActivityRefusal {
  /** The limit's name; `held`: points wait for a review. @example praise-sliding */
  readonly limit: string;
  /** When the same is allowed again; null: at no moment that is known. @format date-time */
  readonly allowedAgainAt: string | null;
}

/** The result of granting points to a subject's owner. */
export class OwnerResult {
  /** @example 9 */
  readonly userId: string;
  readonly outcome: OutcomeName;
  /** The change of the owner's points. @example 1 */
  readonly points: number;
  /** @multipleOf 0.01 @example {"day":8,"month":60} */
  readonly scores: Readonly<Record<string, number>>;
}

/** The result of recording an activity. */
export class ActivityResult {
  readonly outcome: OutcomeName;
  /** The change of the user's points: positive, negative or 0. @example 2 */
  readonly points: number;
  /**
   * The user's score on each leaderboard it counts on; empty if it was ignored. A part of a partitioned leaderboard is
   * named `name/part`, here and in `boards`. @multipleOf 0.01 @example {"day":5,"month":17}
   */
  readonly scores: Readonly<Record<string, number>>;
  /**
   * Its effect on each leaderboard that takes its action; `full`: beyond its `maxPoints`. Empty if it was ignored.
   * @example {"day":"closed","month":"counted"}
   */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The leaderboards on which it counted although their period had ended. @example ["day"] */
  readonly late?: readonly string[];
  /**
   * Why, where the outcome alone does not say: a limit's name, `held`, `future`, `scoreOutOfRange`, `erased`, `where`,
   * `ownSubject`, `notRevocable`; also if only a leaderboard with its own ledger refused it. @example ownSubject
   */
  readonly reason?: string;
  /**
   * True if the user is excluded: the points are theirs, and show on no leaderboard until the exclusion ends. Left out
   * if the outcome is `ignored` or follows from the activity's time alone.
   */
  readonly excluded?: true;
  /** Which limit refused it, on all leaderboards or on those that `boards` calls refused, and until when. */
  readonly refusal?: ActivityRefusal;
  /** The outcome of the owner's points, if the rule gives any. */
  readonly owner?: OwnerResult;
}

/** One result for each event, in order. */
export class ActivityResults {
  readonly results: readonly ActivityResult[];
}
