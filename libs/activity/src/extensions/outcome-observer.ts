import type { ActivityChange, Outcome } from '../activity/activity';

/** A limit of the app's own type that failed, and refused for that. */
export interface LimitFault {
  /** The limit's name. */
  readonly limit: string;
  /** What Redis said of it. */
  readonly fault: string;
}

/** Sees what became of each activity, ignored ones included, before its caller does. */
export interface OutcomeObserver {
  /**
   * Called once an activity, on the way back from Redis: it must return at once and never throw.
   * @param faults the limits that failed over it: they concern operators alone.
   */
  observe(change: ActivityChange, outcome: Outcome, faults: readonly LimitFault[]): void;
}
