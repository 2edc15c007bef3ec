import { LeaderboardAnswer, RankPeriod, type RankUser } from '../../core/ranks/rank.responses';

/** A period that there is something of. */
export class ListedPeriod extends RankPeriod {
  /** How many users are on it, where known. @example 1234 */
  readonly total: number | null;
  /**
   * Of a settled period: SHA-256, in hex, of its final standings as they were archived.
   * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
   */
  readonly checksum?: string;
  /** Of a settled period: how equal scores were put in order, in words. */
  readonly tieRule?: string;
}

/** The periods of a leaderboard that can be read, the latest first. */
export class RankPeriods extends LeaderboardAnswer {
  readonly periods: readonly ListedPeriod[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** Where a user stood in one period. */
export class RankHistoryEntry {
  readonly period: RankPeriod;
  /** How many users were on it. @example 1234 */
  readonly total: number;
  /** @minimum 1 @example 3 */
  readonly rank: number;
  /** @example 37 */
  readonly score: number;
  /** When the score was reached. @format date-time */
  readonly reachedAt: string | null;
}

/** Where a user stood in periods that have ended, the latest first; periods without their entry are left out. */
export class RankHistory extends LeaderboardAnswer {
  /** @example 42 */
  readonly userId: string;
  readonly user: RankUser | null;
  readonly entries: readonly RankHistoryEntry[];
  /** The cursor of what follows; null at the end. */
  readonly next: string | null;
}

/** A user's entry in one period. */
export class PeriodPoints {
  /** The key of the period. @example 2026-11-20 */
  readonly period: string;
  /** When it begins. @format date-time */
  readonly start: string;
  /** @example 37 */
  readonly points: number;
  /**
   * The ordinal rank that the user had; null to users who are kept off the leaderboards, of themselves.
   * @minimum 1 @example 3
   */
  readonly rank: number | null;
}

/** A user's entries in the periods of a time, the earliest first; periods without points are left out. */
export class RankPoints extends LeaderboardAnswer {
  /** @example 42 */
  readonly userId: string;
  /** @format date @example 2025-11-21 */
  readonly from: string;
  /** @format date @example 2026-11-20 */
  readonly to: string;
  readonly periods: readonly PeriodPoints[];
}
