import { LeaderboardAnswer, type RankUser } from '../core/ranks/rank.responses';

/** One's own place, as the event `standing` has it. */
export class StreamedEntry {
  /** @example 42 */
  readonly userId: string;
  /** Null: not on it. @minimum 1 @example 4 */
  readonly rank: number | null;
  /** @example 17 */
  readonly score: number;
  /** When the score was reached. @format date-time */
  readonly reachedAt: string | null;
}

/** The event `standing`: one's own place has changed. */
export class StandingEvent extends LeaderboardAnswer {
  /** The key of the period. @example 2026-11-20 */
  readonly period: string;
  /** How many users are on it. @example 1234 */
  readonly total: number;
  readonly entry: StreamedEntry;
}

/** The user who passed. */
export class Overtaker {
  /** @example 7 */
  readonly userId: string;
  /** @example 19 */
  readonly score: number;
  /** Null where no profile is known. */
  readonly user: RankUser | null;
}

/** The event `overtaken`: others passed, and one's own points did not fall. */
export class OvertakenEvent extends LeaderboardAnswer {
  /** The key of the period. @example 2026-11-20 */
  readonly period: string;
  /** One's own rank now. @minimum 1 @example 5 */
  readonly rank: number;
  /** How many places were lost. @minimum 1 @example 1 */
  readonly places: number;
  /** Of those who passed the nearest. Null where one stood beyond the first hundred before: it is not known. */
  readonly by: Overtaker | null;
}

/** The event `away`: Redis does not answer. */
export class AwayEvent {
  /** Since when. @format date-time */
  readonly since: string;
}
