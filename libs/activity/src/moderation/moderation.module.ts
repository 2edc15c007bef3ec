import { Module } from '@nestjs/common';
import { plainModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { AdjustmentController } from './adjustments/adjustment.controller';
import { Adjustments } from './adjustments/adjustments';
import { DirectoryExclusions } from './exclusions/directory-exclusions';
import { Exclusions } from './exclusions/exclusions';
import { ExclusionsController, OptOutController } from './exclusions/exclusions.controller';
import { Erasures } from './jobs/erasures';
import { DeletionsController, ErasureController, MergesController } from './jobs/jobs.controllers';
import { Merges } from './jobs/merges';
import { SubjectDeletions } from './jobs/subject-deletions';
import { ReviewRecords } from './reviews/review-records';
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
    ...[Adjustments, DirectoryExclusions, Erasures, Exclusions],
    ...[Merges, ReviewRecords, Reviews, SubjectDeletions, Voiding],
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
export class ModerationModule extends plainModule(routes) {}
