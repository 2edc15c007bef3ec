import type { TransitionLimit } from '@laurel/leaderboard';

/** A cap that keeps points from being farmed. Plain JSON. */
export type LimitConfig = SlidingLimit | DailyLimit | PeriodLimit | OwnLimit;

/** At most `max` grants in the window that ends at one. A refused try takes no place; a revoke frees none. */
export interface SlidingLimit {
  readonly type: 'sliding';
  /** The action that it limits. @defaultValue required; with `pair`, all actions together */
  readonly action?: string;
  /** The most grants in a window: 1 to 10,000. */
  readonly max: number;
  /** How long a window is: 1,000 (a second) to 2,678,400,000 (31 days). */
  readonly windowMs: number;
  /**
   * Whether a user has one window for the `action`, one for each `subject`, or one for each other user (`pair`: the
   * activity's `ownerId`; an activity that names none is not limited by it).
   */
  readonly per: 'action' | 'subject' | 'pair';
  /**
   * Its name in keys and refusals: 1 to 32 of `a-z`, `0-9`, `-`, `_`. @defaultValue `<action>-<type>` or `all-<type>`
   */
  readonly name?: string;
}

/**
 * At most `max` grants that stand, or at most so many `points`, on one calendar day of the leaderboard's zone; a revoke
 * frees its place. A grant that would pass the points gets what is left of them.
 */
export interface DailyLimit {
  readonly type: 'daily';
  /** The action that it limits. @defaultValue all actions together */
  readonly action?: string;
  /** The most grants that stand: 1 to 10,000. Give one of `max` and `points`. @defaultValue none */
  readonly max?: number;
  /** The most points: 1 to 1,000,000,000. @defaultValue none */
  readonly points?: number;
  /** Its name, as a sliding limit's. @defaultValue `<action>-<type>` or `all-<type>` */
  readonly name?: string;
}

/**
 * As a daily limit, in a week from `weekStart` on, a month, or a contest's days, both included: at most 31. An activity
 * out of order reads each of these days.
 */
export interface PeriodLimit extends Omit<DailyLimit, 'type'> {
  readonly type: 'weekly' | 'monthly' | 'contest';
  /** Of a contest: its first day, `2026-11-01`. @defaultValue none */
  readonly from?: string;
  /** Of a contest: its last day. @defaultValue none */
  readonly to?: string;
}

/** A limit of a type of the app's own (`limitTypes`), with what that type takes beside these. */
export interface OwnLimit {
  readonly type: string;
  /** The action that it limits. @defaultValue all actions together */
  readonly action?: string;
  /** Its name, as a sliding limit's. @defaultValue `<action>-<type>` or `all-<type>` */
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** A {@link LimitConfig} that was checked. */
export interface ResolvedLimit {
  readonly name: string;
  /** null: all actions together. */
  readonly action: string | null;
  /** As it was configured, with its name filled in. */
  readonly config: LimitConfig;
  /** In the engine's form. */
  readonly onTransition: TransitionLimit;
}
