import type { ExclusionReason } from '../../core/extensions/ports';

/**
 * Where an exclusion comes from: an operator, the app's user directory, the review queue, or the user. Each removes
 * only its own.
 */
export type ExclusionSource = 'operator' | 'directory' | 'review' | 'user';
export const exclusionSources: readonly ExclusionSource[] = ['operator', 'directory', 'review', 'user'];

/** Why a user is excluded from the leaderboards; a user may have one exclusion of each source. */
export class Exclusion {
  /** @example 42 */
  readonly userId: string;
  readonly reason: ExclusionReason;
  /** Each source removes only its own exclusions. */
  readonly source: ExclusionSource;
  /** @format date-time */
  readonly since: string;
  /** Which operator. @example ada */
  readonly by: string | null;
  readonly note: string | null;
}

/** Whether a user is excluded from the leaderboards, and why. */
export class ExclusionState {
  /** @example 42 */
  readonly userId: string;
  readonly excluded: boolean;
  /** Of each source that excludes the user. */
  readonly exclusions: readonly Exclusion[];
}

/** A page of exclusions. */
export class ExclusionList {
  readonly exclusions: readonly Exclusion[];
  /** The `cursor` of the next page; null: this is the last. */
  readonly next: string | null;
}
