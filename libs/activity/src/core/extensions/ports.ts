import type { ActivityChange, Outcome } from '../activity/activity';

/** Why a user is excluded; `held` by an operator or a review. */
export type ExclusionReason = 'banned' | 'staff' | 'optedOut' | 'held';

/** Keeps users off the leaderboards. */
export interface Moderation {
  /** Whether {@link checkNewUsers} has anybody to ask: where not, recording does not collect the users. */
  readonly checksNewUsers: boolean;
  /**
   * Excludes, before anything is recorded of them, the users whom the app's directory names. Never fails.
   * @param deadlineMs until when the caller waits, by `performance.now()`.
   */
  checkNewUsers(userIds: readonly string[], deadlineMs: number): Promise<void>;
  /**
   * Whether a user is kept off the leaderboards, and whether they opted out themselves. One round trip.
   * @throws ActivityError `unavailable`
   */
  exclusionOf(userId: string): Promise<{ readonly excluded: true; readonly optedOut?: true } | null>;
}

/** A limit of the app's own type that failed, and refused for that. */
export interface LimitFault {
  /** The limit's name. */
  readonly limit: string;
  /** The error's message. */
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

/** Brings this process to what is in force for all and may change while the app runs: leaderboards, or rules. */
export interface RulesSync {
  /** Takes what is in force from a Redis that has just been reached. */
  sync(): Promise<void>;
}

/** Erases what a module stores of users. */
export interface UserEraser {
  /** Its name in the erasure's receipt: `archived`; `ledgers`: it goes with that step, uncounted. */
  readonly kind: string;
  /** Removes what there is of a user, and returns how much there was. Safe to repeat. */
  erase(userId: string): Promise<number>;
}

/** A module's stored data about users, for a user's request for all of it. */
export interface UserRecords {
  /** Its name in the answer: `exclusions`, `settled`. */
  readonly kind: string;
  /**
   * All of it, piece by piece.
   * @param isOwn whether the user asks: which operator did something, and why, is for operators alone.
   * @throws ActivityError `unavailable`
   */
  of(userId: string, isOwn: boolean): AsyncIterable<object>;
}
