/** `held`: his points are kept apart. `released`: they came back. `voided`: those in question were taken for good. */
export const reviewStates = ['held', 'released', 'voided'] as const;
/** What became of a review. */
export type ReviewState = (typeof reviewStates)[number];

/** What an operator asks for when he holds a user's points back. */
export interface HoldOptions {
  readonly userId: string;
  /** Why: 1 to 512 bytes. */
  readonly reason: string;
  /** From which moment on the points are in question; ISO 8601. Default: from now on. */
  readonly from?: string;
  /** Which operator; up to 128 bytes. */
  readonly by?: string;
}

/** How an operator ends a review. */
export interface DecisionOptions {
  readonly by?: string;
  /** Up to 512 bytes. */
  readonly note?: string;
}

/** What was taken from a user for good. It is noted first: where the voiding was cut short, this is what it will be. */
export interface Voided {
  /** How many grants. */
  readonly grants: number;
  /** Their points, as the module's own ledger counts them. */
  readonly points: number;
  /** Standings that could not be corrected any more, as they were final: he was taken off them, as `leaderboard period`. */
  readonly removedFrom: readonly string[];
}

/** A user's points under review: who, when and why. Moments are ISO 8601. */
export interface Review {
  readonly id: string;
  readonly userId: string;
  readonly state: ReviewState;
  readonly reason: string;
  readonly heldBy: string | null;
  readonly heldAt: string;
  readonly from: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly note: string | null;
  readonly voided: Voided | null;
}
