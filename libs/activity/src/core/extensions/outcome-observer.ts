import type { ActivityChange, Outcome } from '../activity/activity';

/** A limit of the app's own type that failed, and refused for that. */
export interface LimitFault {
  /** The limit's name. */
  readonly limit: string;
  /** What Redis said of it. */
  readonly fault: string;
}

/** Sees the activities that a rule, a limit or a leaderboard refused: those whose outcome gives a reason. */
export interface RefusalObserver {
  /**
   * Called once an activity, on the way back from Redis: it must return at once and never throw.
   * @param faults the limits that failed over it: they concern operators alone.
   */
  observeRefusal(change: ActivityChange, outcome: Outcome, faults: readonly LimitFault[]): void;
}
