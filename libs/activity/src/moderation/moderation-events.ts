import type { Adjusted } from './adjustments/adjustment';
import type { Exclusion } from './exclusions/exclusion';
import type { Voided } from './reviews/review';

/** Announced after an operator's adjustment changed a user's points; a repeated one changes nothing. */
export class PointsAdjustedEvent {
  static readonly eventName = 'activity.points.adjusted';

  constructor(
    /** What became of it: `userId`, `id` and, by leaderboard, the `changes`. */
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
    /** Points granted from this moment on were in question. */
    readonly from: string,
    /** What was taken. */
    readonly voided: Voided,
  ) {}
}

/**
 * Announced after a user who showed on the leaderboards was taken off them: once, however many reasons follow, and by
 * the instance that ends the work, also that of an instance that died.
 */
export class UserExcludedEvent {
  static readonly eventName = 'activity.user.excluded';

  constructor(
    readonly userId: string,
    /** Why: one reason of each source that excludes the user. */
    readonly exclusions: readonly Exclusion[],
  ) {}
}

/** Announced after the last reason why a user was excluded has ended: they show again. As {@link UserExcludedEvent}. */
export class UserIncludedEvent {
  static readonly eventName = 'activity.user.included';

  constructor(readonly userId: string) {}
}

/** Announced each time that an erasure of a user has come to its end: what a listener knows of them must go too. */
export class UserErasedEvent {
  static readonly eventName = 'activity.user.erased';

  constructor(readonly userId: string) {}
}
