import type { ExclusionReason } from '../../extensions/moderation';

/** Who says so: an operator, the app's directory of users, or the review queue. Each takes back only what it said. */
export const exclusionSources = ['operator', 'directory', 'review'] as const;
export type ExclusionSource = (typeof exclusionSources)[number];

/** One reason for which a user is kept off the leaderboards; he may have one of each source. */
export interface Exclusion {
  readonly userId: string;
  readonly reason: ExclusionReason;
  readonly source: ExclusionSource;
  /** ISO 8601. */
  readonly since: string;
  /** Which operator; null where it was not said. */
  readonly by: string | null;
  readonly note: string | null;
}

/** What an operator says when he excludes somebody. */
export interface ExclusionOptions {
  /** Default `banned`. */
  readonly reason?: ExclusionReason;
  /** Which operator; up to 128 bytes. */
  readonly by?: string;
  /** Up to 512 bytes. */
  readonly note?: string;
}

/** Whether a user is kept off the leaderboards, and why. */
export interface ExclusionState {
  readonly userId: string;
  readonly excluded: boolean;
  readonly exclusions: readonly Exclusion[];
}

/** The longest name of an operator, and the longest note, in bytes of UTF-8. */
export const maxOperatorBytes = 128;
export const maxNoteBytes = 512;
