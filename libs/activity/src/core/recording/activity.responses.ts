import type { BoardOutcome } from '@laurel/leaderboard/internals';
import type { OutcomeName } from '../activity/activity';

/** A limit's refusal. */
export class ActivityRefusal {
  /** The limit's name. @example praise-sliding */
  readonly limit: string;
  /** When the same is allowed again; null: at no moment that is known. @format date-time */
  readonly allowedAgainAt: string | null;
}

/** The result of granting points to a subject's owner. */
export class OwnerResult {
  /** @example 9 */
  readonly userId: string;
  readonly outcome: OutcomeName;
  /** The change of points. @example 1 */
  readonly points: number;
  /** @multipleOf 0.01 @example {"day":8,"month":60} */
  readonly scores: Readonly<Record<string, number>>;
}

/** The result of one event. */
export class ActivityResult {
  readonly outcome: OutcomeName;
  /** The change of the user's points. @example 2 */
  readonly points: number;
  /** The user's score on each leaderboard it counts on. @multipleOf 0.01 @example {"day":5,"month":17} */
  readonly scores: Readonly<Record<string, number>>;
  /** What it did on each leaderboard that takes its action. @example {"day":"closed","month":"counted"} */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The leaderboards on which it counted although their period had ended. @example ["day"] */
  readonly late?: readonly string[];
  /** Why, where the outcome alone does not say. @example ownSubject */
  readonly reason?: string;
  /** True if the user is excluded: the points are theirs, and show on no leaderboard. */
  readonly excluded?: true;
  /** Which limit refused it, on all leaderboards or on those that `boards` calls refused, and until when. */
  readonly refusal?: ActivityRefusal;
  /** What became of the owner's points, where the rule gives any. */
  readonly owner?: OwnerResult;
}

/** One result for each event, in order. */
export class ActivityResults {
  readonly results: readonly ActivityResult[];
}
