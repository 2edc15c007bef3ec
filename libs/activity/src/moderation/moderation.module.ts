import { type DynamicModule, Module } from '@nestjs/common';
import { optionalModule, type OptionalModuleExtras } from '../shared/optional-module';
import { brings } from '../core/extensions/extensions';
import { AdjustmentController } from './adjustments/adjustment.controller';
import { Adjustments } from './adjustments/adjustments';
import { AdjustmentTrace } from './adjustments/adjustment-trace';
import { DeletionsController } from './deletions/deletions.controller';
import { SubjectDeletions } from './deletions/subject-deletions';
import { ErasureController } from './erasure/erasure.controller';
import { ErasureQueue } from './erasure/erasure-queue';
import { Erasures } from './erasure/erasures';
import { DirectoryExclusions } from './exclusions/directory-exclusions';
import { Exclusions } from './exclusions/exclusions';
import { ExclusionsController } from './exclusions/exclusions.controller';
import { OptOutController } from './exclusions/opt-out.controller';
import { GrantRevokes } from './grant-revokes';
import { Merges } from './merges/merges';
import { MergesController } from './merges/merges.controller';
import { Reviews } from './reviews/reviews';
import { ReviewsController } from './reviews/reviews.controller';
import { Voiding } from './reviews/voiding';
import './openapi.generated';

const routes = [
  ...[AdjustmentController, DeletionsController, ErasureController],
  ...[ExclusionsController, MergesController, OptOutController, ReviewsController],
];

/**
 * Excludes users from the leaderboards, holds points back for review, erases users, and adds or takes points. Import it
 * beside `ActivityModule`, in each process that records for users whom the app's directory may exclude.
 */
@Module({
  providers: [
    ...[AdjustmentTrace, Adjustments, DirectoryExclusions, ErasureQueue, Erasures, Exclusions],
    ...[GrantRevokes, Merges, Reviews, SubjectDeletions, Voiding],
    brings([DirectoryExclusions, Exclusions, Reviews], (moderation, exclusions, reviews) => ({
      moderation,
      records: [
        { kind: 'exclusions', of: (userId, isOwn) => exclusions.told(userId, isOwn) },
        { kind: 'reviews', of: (userId, isOwn) => reviews.told(userId, isOwn) },
      ],
    })),
  ],
  exports: [Adjustments, Erasures, Exclusions, Merges, Reviews, SubjectDeletions],
})
export class ModerationModule {
  /** The module; `imports` bring the app's `SUBJECT_PARTITIONS`, where it binds them. */
  static forRoot(extras: OptionalModuleExtras = {}): DynamicModule {
    return optionalModule(routes)({ module: ModerationModule }, extras);
  }
}
