/** A cap that keeps an action's points from being farmed. */
export type LimitConfig = SlidingLimit | DailyLimit;

/** At most `max` grants of the action in any stretch of `windowMs`, of each subject apart or of all together. */
export interface SlidingLimit {
  readonly type: 'sliding';
  readonly action: string;
  /** From 1 to 10,000. */
  readonly max: number;
  /** From 1,000 (a second) to 2,678,400,000 (31 days). */
  readonly windowMs: number;
  readonly per: 'subject' | 'action';
  /** Names it in keys and in refusals: 1 to 32 of `a-z`, `0-9`, `-` and `_`. Default `<action>-sliding`. */
  readonly name?: string;
}

/** At most `max` standing grants of the action on one calendar day; a revoke frees its place. */
export interface DailyLimit {
  readonly type: 'daily';
  readonly action: string;
  /** From 1 to 10,000. */
  readonly max: number;
  /** As a sliding limit's. Default `<action>-daily`. */
  readonly name?: string;
}

/** A {@link LimitConfig} with its name filled in. */
export type ResolvedLimit = Required<SlidingLimit> | Required<DailyLimit>;
