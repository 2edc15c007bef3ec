import { RankTitle } from '../core/ranks/rank.responses';

/** A badge that a user has won, with the number that earned it. */
export class WonBadge extends RankTitle {
  /** `points`, `streak` or a tally. @example given:comment */
  readonly of: string;
  /** @example all */
  readonly leaderboard: string;
  /** The points needed then. @example 100 */
  readonly atLeast: number;
  /** The number when it was judged. @example 103 */
  readonly value: number;
  /** When it was judged. @format date-time */
  readonly wonAt: string;
}

/** A title that a user won in a settled period. */
export class WonTitle {
  /** @example month */
  readonly leaderboard: string;
  /** @example 2026-10 */
  readonly period: string;
  readonly title: RankTitle;
}

/** A user's level and badges. */
export class UserRewards {
  /** @example 42 */
  readonly userId: string;
  /** Follows the points; 0: none is reached. Null: there are none. @example 3 */
  readonly level: number | null;
  /** The points that decide the level. @example 640 */
  readonly points: number | null;
  /** From how many points on the next level is reached. @example 1000 */
  readonly nextLevel: number | null;
  /** The earliest first. */
  readonly badges: readonly WonBadge[];
  /** Days in a row with points, up to today or yesterday. Null: no leaderboard of days has all actions. @example 5 */
  readonly streak: number | null;
  /** The days that the next badge for a streak needs. @example 7 */
  readonly nextStreak: number | null;
  /** With `titles=true`, by leaderboard, the latest first. */
  readonly titles?: readonly WonTitle[];
}
