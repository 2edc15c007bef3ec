/**
 * Exclusions, reviews, erasure and adjustments: import {@link ModerationModule} beside `ActivityModule`.
 * @module @laurel/activity/moderation
 */
export type { ExclusionReason } from '../core/extensions/ports';
export { Adjustments } from './adjustments/adjustments';
export { SubjectDeletions } from './jobs/subject-deletions';
export { Erasures } from './jobs/erasures';
export { Exclusions } from './exclusions/exclusions';
export { Merges } from './jobs/merges';
export {
  PointsAdjustedEvent,
  PointsVoidedEvent,
  UserErasedEvent,
  UserExcludedEvent,
  UserIncludedEvent,
  UserMergedEvent,
} from './moderation-events';
export { ModerationModule } from './moderation.module';
export { Reviews } from './reviews/reviews';
