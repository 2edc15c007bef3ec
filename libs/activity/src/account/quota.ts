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
