/** Why a user is excluded; only the review queue uses `held`. */
export type ExclusionReason = 'banned' | 'staff' | 'optedOut' | 'held';

/** Keeps users off the leaderboards. */
export interface Moderation {
  /**
   * Changes with every user whom this process has excluded or shown again: copies of standings made before are stale.
   */
  readonly version: number;
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
