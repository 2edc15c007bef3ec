import type { Adjusted } from './adjustments/adjustment';
import type { Exclusion } from './exclusions/exclusion';
import type { Voided } from './reviews/review';

/** Announced after an operator's adjustment changed a user's points; a repeated one changes nothing. */
export class PointsAdjustedEvent {
  static readonly eventName = 'activity.points.adjusted';

  constructor(
    /** Its result: `userId`, `id` and, by leaderboard, the `changes`. */
    readonly adjusted: Adjusted,
    /** Why, as the operator gave it. */
    readonly reason: string,
  ) {}
}

/** Announced once for each review, after the points in question were taken from the user. */
export class PointsVoidedEvent {
  static readonly eventName = 'activity.points.voided';

  constructor(
    readonly userId: string,
    /** The id of the review. */
    readonly reviewId: string,
    /** Points granted from this moment on were in question, or `activities` that waited, whenever they were. */
    readonly from: string,
    /** The points that were taken. */
    readonly voided: Voided,
  ) {}
}

/**
 * Announced after a shown user was excluded: once, however many reasons follow, by the instance that finishes the work.
 */
export class UserExcludedEvent {
  static readonly eventName = 'activity.user.excluded';

  constructor(
    readonly userId: string,
    /** Why: one reason of each source that excludes the user. */
    readonly exclusions: readonly Exclusion[],
  ) {}
}

/** Announced after a user's last exclusion has ended: they are shown again. As {@link UserExcludedEvent}. */
export class UserIncludedEvent {
  static readonly eventName = 'activity.user.included';

  constructor(readonly userId: string) {}
}

/**
 * Announced each time that what was recorded of `from` has become that of `into`, before the {@link UserErasedEvent}
 * of `from`: listeners move what they store of it to `into`.
 */
export class UserMergedEvent {
  static readonly eventName = 'activity.user.merged';

  constructor(
    readonly from: string,
    readonly into: string,
  ) {}
}

/** Announced each time that an erasure of a user is done: listeners must delete what they store of the user. */
export class UserErasedEvent {
  static readonly eventName = 'activity.user.erased';

  constructor(readonly userId: string) {}
}
