import { ApiExtraModels } from '../core/peers/decorators';

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
