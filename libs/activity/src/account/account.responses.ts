import { ActivityHistory } from '../core/activity/history';
import { ApiExtraModels } from '../core/peers/decorators';
import type { OwnStanding, RankUser } from '../core/ranks/rank.responses';

/** How often a user did each action in a period, and others did it to what is the user's, as far as it stands. */
export class PeriodCounts {
  /** The key of the period. @example 2026-W47 */
  readonly period: string;
  /** @asType integer @example {"view":30,"praise":4} */
  readonly actions: Readonly<Record<string, number>>;
  /** Of the actions whose rules grant owners something. @asType integer @example {"praise":2} */
  readonly received: Readonly<Record<string, number>>;
}

/** Counts of the current week, of the current month and of all time. */
export class HistoryCounts {
  /** Null: not all of its ledgers are kept. */
  readonly week: PeriodCounts | null;
  /** Null: not all of its ledgers are kept. */
  readonly month: PeriodCounts | null;
  /** The counts of all-time leaderboards' `tallies`. Null: there are none. */
  readonly all: PeriodCounts | null;
}

/** A user's grants, day by day. */
export class HistoryAnswer extends ActivityHistory {
  /** With `counts=true`. */
  readonly counts?: HistoryCounts;
}

/** The boards on which the points of a line count. */
export class BoardEffect {
  /** The key of the period. @example 2026-11 */
  readonly period: string;
  /** @example 2 */
  readonly points: number;
}

/** One line of a user's ledger: what was granted, what for, and where it counts. */
@ApiExtraModels(BoardEffect)
export class LedgerPageLine {
  /** The ledger's code of the action where no rule has it. @example praise */
  readonly action: string;
  /** Null where it is long. @example article:7 */
  readonly subject: string | null;
  /** Of a long subject: base64url of the first 132 bits of its SHA-256, or of the first 72. @example null */
  readonly digest: string | null;
  /**
   * Of what another user did to this user's subject: that user, or # and a digest of a long id, or # and 16 characters
   * of an erased user.
   */
  readonly from?: string;
  /** The partitions that the activity named. @example {"category":"java"} */
  readonly partitions?: Readonly<Record<string, string>>;
  /** Of an adjustment, action `adjust` with its id as subject: why. */
  readonly reason?: string;
  /** The points that stand; 0 if they were taken back or never given. @example 2 */
  readonly points: number;
  /** Of the rules that granted them; null where nothing stands. @asType integer @example 1 */
  readonly version: number | null;
  /** @format date-time */
  readonly grantedAt: string | null;
  /** @format date-time */
  readonly revokedAt: string | null;
  /**
   * Where they count, by leaderboard, without partitioned ones. A leaderboard whose period was closed when the activity
   * arrived does not have them.
   * @example {"day":{"period":"2026-11-20","points":2},"month":{"period":"2026-11","points":2}}
   */
  readonly boards: Readonly<Record<string, BoardEffect>>;
}

/** A whole day of a user's ledger; what a limit refused has 0 points, and was not revoked. */
export class LedgerDayAnswer {
  /** @format date @example 2026-11-20 */
  readonly date: string;
  /** Points that stand, of the whole day. @example 37 */
  readonly points: number;
  readonly lines: readonly LedgerPageLine[];
}

/** A page of one day of a user's ledger, the earliest line first. */
export class LedgerPage extends LedgerDayAnswer {
  /** @example 42 */
  readonly userId: string;
  /** How many lines the day has. @example 21 */
  readonly total: number;
  /** The `cursor` of the next page; null: this is the last. */
  readonly next: string | null;
}

/** One limit's quota, now. */
export class LimitQuota {
  /** The limit's name. @example praise-daily */
  readonly limit: string;
  /** @example daily */
  readonly type: string;
  /** Null: all actions together. @example praise */
  readonly action: string | null;
  /** The counted unit. */
  readonly of: 'grants' | 'points';
  /**
   * Null where a limit of the app's own type does not return it; so are `used` and `left`. @multipleOf 0.01 @example 50
   */
  readonly max: number | null;
  /** @multipleOf 0.01 @example 50 */
  readonly used: number | null;
  /** @multipleOf 0.01 @example 0 */
  readonly left: number | null;
  /** Null while something is left. */
  readonly allowedAgainAt: Date | null;
}

/** A user's quotas of today, and of each window. */
export class QuotaAnswer {
  /** @example 42 */
  readonly userId: string;
  /** Today, in the module's time zone. @format date @example 2026-11-20 */
  readonly date: string;
  readonly limits: readonly LimitQuota[];
}

/** The most refusals, and the most adjustments, that are listed, of all instances together. */
export const maxTraced = 1_000;

/** An activity that was refused, on some leaderboards at least. */
export class TracedRefusal {
  /** @format date-time */
  readonly at: string;
  /** @example 42 */
  readonly userId: string;
  /** @example praise */
  readonly action: string;
  /** @example article:7 */
  readonly subject: string;
  readonly outcome: 'limited' | 'rejected';
  /** The limit's name, `held`, `future` or `scoreOutOfRange`. @example praise-daily */
  readonly reason: string;
  /** @format date-time */
  readonly allowedAgainAt: string | null;
  /** The leaderboards, or their partitions, that refused it, where others accepted it. @example ["writers"] */
  readonly leaderboards?: readonly string[];
  /** Of a limit of the app's own type that threw: the error's message. */
  readonly fault?: string;
}

/** The latest refusals, the latest first. */
export class RefusalsAnswer {
  readonly refusals: readonly TracedRefusal[];
}

/** All that is kept about a user; each optional module adds a list of its own. */
export class UserDataAnswer {
  /** @example 42 */
  readonly userId: string;
  /** As everyone sees them; null: no profile is known. */
  readonly user: RankUser | null;
  /** Where `firstDays` is on. @format date */
  readonly firstDay: string | null;
  /** Of the current period of each leaderboard without partitions. */
  readonly standings: readonly OwnStanding[];
  /** Of the latest 1,000 of all users. */
  readonly refusals: readonly TracedRefusal[];
  /** Every day that is kept: grants, revokes and adjustments. */
  readonly days: readonly LedgerDayAnswer[];
}
