// Generated from types and comments by `npm run generate`. Do not edit.
import { Adjustment } from './adjustments/adjustment';
import { AdjustedPoints } from './adjustments/adjustment';
import { Adjusted } from './adjustments/adjustment';
import { TracedAdjustment } from './adjustments/adjustment';
import { AdjustmentsAnswer } from './adjustments/adjustment';
import { Exclusion } from './exclusions/exclusion';
import { ExclusionState } from './exclusions/exclusion';
import { ExclusionList } from './exclusions/exclusion';
import { ExclusionOptions } from './exclusions/exclusion';
import { ScanQuery } from './exclusions/exclusion';
import { OptOutAnswer } from './exclusions/exclusions.controller';
import { ErasureReceipt } from './jobs/erasures';
import { JobReceipt } from './jobs/job-queue';
import { Readmission } from './jobs/jobs.controllers';
import { ReadmissionAnswer } from './jobs/jobs.controllers';
import { Merge } from './jobs/merges';
import { MergeReceipt } from './jobs/merges';
import { DeletionReceipt } from './jobs/subject-deletions';
import { TakenBack } from './reviews/review';
import { Deletion } from './jobs/subject-deletions';
import { HeldActivity } from './reviews/review';
import { OwnerLoss } from './reviews/review';
import { VoidedGifts } from './reviews/review';
import { Voided } from './reviews/review';
import { Review } from './reviews/review';
import { ReviewList } from './reviews/review';
import { DecisionOptions } from './reviews/review';
import { VoidOptions } from './reviews/review';
import { HoldOptions } from './reviews/review';

Object.assign(Adjustment, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    points: { type: Number, required: true, minimum: -1000000, maximum: 1000000, multipleOf: 0.01, description: "Not 0. A minus may lead below zero, which a leaderboard shows as its `floor`.", example: -50},
    reason: { type: String, required: true, description: "1 to 512 bytes; shown in the history.", example: "Points for spam"},
    id: { type: String, required: true, description: "1 to 56 bytes: it is stored in a ledger's field. Each is applied once to a user.", example: "ticket-4711"},
    date: { type: String, required: false, nullable: true, format: "date", description: "The day whose ledger and whose open leaderboards are adjusted. Default: today."},
    leaderboard: { type: String, required: false, nullable: true, description: "The one leaderboard to adjust. Default: all that are not partitioned."},
    partition: { type: String, required: false, nullable: true, description: "Of a partitioned leaderboard, the one partition to adjust.", example: "java"},
  }),
});

Object.assign(AdjustedPoints, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "ticket-4711"},
    userId: { type: String, required: true, example: "42"},
    outcome: { type: String, required: true, enum: ["granted","revoked","duplicate","limited","notGranted","closed","rejected","ignored"], description: "Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an erased user."},
    points: { type: Number, required: true, description: "The largest change on a leaderboard of the module's time zone.", example: -50},
    changes: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, description: "The change on each leaderboard.", example: { day: -5, month: -50}},
  }),
});

Object.assign(Adjusted, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "ticket-4711"},
    userId: { type: String, required: true, example: "42"},
    outcome: { type: String, required: true, enum: ["granted","revoked","duplicate","limited","notGranted","closed","rejected","ignored"], description: "Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an erased user."},
    points: { type: Number, required: true, description: "The largest change on a leaderboard of the module's time zone.", example: -50},
    changes: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, description: "The change on each leaderboard.", example: { day: -5, month: -50}},
    scores: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, example: { day: 0, month: 17}},
    boards: { required: true, type: "object", additionalProperties: { type: "string", enum: ["counted","unchanged","full","refused","closed","notStarted","ended","noPartition"]}, example: { day: "counted", month: "counted"}},
    reason: { type: String, required: false, description: "Why, where the outcome alone does not say.", example: "scoreOutOfRange"},
  }),
});

Object.assign(TracedAdjustment, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "ticket-4711"},
    userId: { type: String, required: true, example: "42"},
    outcome: { type: String, required: true, enum: ["granted","revoked","duplicate","limited","notGranted","closed","rejected","ignored"], description: "Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an erased user."},
    points: { type: Number, required: true, description: "The largest change on a leaderboard of the module's time zone.", example: -50},
    changes: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, description: "The change on each leaderboard.", example: { day: -5, month: -50}},
    at: { type: String, required: true, format: "date-time"},
    asked: { type: Number, required: true, description: "The points that were asked for.", example: -50},
    reason: { type: String, required: true, example: "Points for spam"},
  }),
});

Object.assign(AdjustmentsAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    adjustments: { type: TracedAdjustment, required: true, isArray: true},
  }),
});

Object.assign(Exclusion, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    reason: { type: String, required: true, enum: ["banned","staff","optedOut","held"]},
    source: { type: String, required: true, enum: ["operator","directory","review","user"], description: "Each source removes only its own exclusions."},
    since: { type: String, required: true, format: "date-time"},
    by: { type: String, required: true, nullable: true, description: "Which operator.", example: "ada"},
    note: { type: String, required: true, nullable: true},
  }),
});

Object.assign(ExclusionState, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    excluded: { type: Boolean, required: true},
    exclusions: { type: Exclusion, required: true, isArray: true, description: "Of each source that excludes the user."},
  }),
});

Object.assign(ExclusionList, {
  _OPENAPI_METADATA_FACTORY: () => ({
    exclusions: { type: Exclusion, required: true, isArray: true},
    next: { type: String, required: true, nullable: true, description: "The `cursor` of the next page; null: this is the last."},
  }),
});

Object.assign(ExclusionOptions, {
  _OPENAPI_METADATA_FACTORY: () => ({
    by: { type: String, required: false, description: "Which operator; up to 128 bytes.", example: "ada"},
    note: { type: String, required: false, description: "For other operators; up to 512 bytes.", example: "three accounts, one phone"},
  }),
});

Object.assign(ScanQuery, {
  _OPENAPI_METADATA_FACTORY: () => ({
    cursor: { type: String, required: false, description: "`next` of the page before."},
  }),
});

Object.assign(OptOutAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    optedOut: { type: Boolean, required: true},
  }),
});

Object.assign(ErasureReceipt, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "0mb1x3f2k0001-5c1f09aa"},
    state: { type: String, required: true, enum: ["waiting","running","done"], description: "`waiting`: for its turn, or for a retry after a fault.", example: "done"},
    askedAt: { type: String, required: true, format: "date-time", example: "2026-11-20T08:12:01.123Z"},
    startedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When it was last begun."},
    doneAt: { type: String, required: true, nullable: true, format: "date-time"},
    fault: { type: String, required: true, nullable: true, description: "The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).", example: null},
    userId: { type: String, required: true, nullable: true, description: "Null where a receipt is read of one that is done: nothing names the user then.", example: "42"},
    erased: { required: true, type: "object", additionalProperties: { type: "integer"}, description: "How much there was, by kind, when the last try began.", example: { boards: 4, rolling: 0, ledgers: 12, lists: 1, named: 4, archived: 30, reviews: 0}},
  }),
});

Object.assign(JobReceipt, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "0mb1x3f2k0001-5c1f09aa"},
    state: { type: String, required: true, enum: ["waiting","running","done"], description: "`waiting`: for its turn, or for a retry after a fault.", example: "done"},
    askedAt: { type: String, required: true, format: "date-time", example: "2026-11-20T08:12:01.123Z"},
    startedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When it was last begun."},
    doneAt: { type: String, required: true, nullable: true, format: "date-time"},
    fault: { type: String, required: true, nullable: true, description: "The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).", example: null},
  }),
});

Object.assign(Readmission, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
  }),
});

Object.assign(ReadmissionAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    readmitted: { type: Boolean, required: true, description: "False: the user was not refused.", example: true},
  }),
});

Object.assign(Merge, {
  _OPENAPI_METADATA_FACTORY: () => ({
    from: { type: String, required: true, description: "The account that goes.", example: "42"},
    into: { type: String, required: true, description: "The account that stays.", example: "7"},
    by: { type: String, required: false, description: "Which operator; up to 128 bytes.", example: "ada"},
    note: { type: String, required: false, description: "Why, for other operators; up to 512 bytes.", example: "forgot the password"},
  }),
});

Object.assign(MergeReceipt, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "0mb1x3f2k0001-5c1f09aa"},
    state: { type: String, required: true, enum: ["waiting","running","done"], description: "`waiting`: for its turn, or for a retry after a fault.", example: "done"},
    askedAt: { type: String, required: true, format: "date-time", example: "2026-11-20T08:12:01.123Z"},
    startedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When it was last begun."},
    doneAt: { type: String, required: true, nullable: true, format: "date-time"},
    fault: { type: String, required: true, nullable: true, description: "The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).", example: null},
    from: { type: String, required: true, nullable: true, description: "Null where a receipt is read of one that is done.", example: "42"},
    into: { type: String, required: true, nullable: true, description: "Null where a receipt is read of one that is done.", example: "7"},
    merged: { required: true, type: "object", additionalProperties: { type: "integer"}, description: "How much there was when the last try began: `facts` of the account itself, what it `received` of others, and what the one gave the other, which has `ended`.", example: { facts: 31, received: 4, ended: 2}},
    erased: { required: true, type: "object", additionalProperties: { type: "integer"}, description: "As that of an erasure.", example: { boards: 4, ledgers: 12, archived: 30}},
  }),
});

Object.assign(DeletionReceipt, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "0mb1x3f2k0001-5c1f09aa"},
    state: { type: String, required: true, enum: ["waiting","running","done"], description: "`waiting`: for its turn, or for a retry after a fault.", example: "done"},
    askedAt: { type: String, required: true, format: "date-time", example: "2026-11-20T08:12:01.123Z"},
    startedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When it was last begun."},
    doneAt: { type: String, required: true, nullable: true, format: "date-time"},
    fault: { type: String, required: true, nullable: true, description: "The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).", example: null},
    subject: { type: String, required: true, nullable: true, description: "Null where a receipt is read of one that is done, if the subject is a user.", example: "article:7"},
    taken: { type: TakenBack, required: true, description: "So far. What a crashed instance took last may be missing."},
  }),
});

Object.assign(Deletion, {
  _OPENAPI_METADATA_FACTORY: () => ({
    subject: { type: String, required: true, description: "The subject as activities name it: text of 1 to 512 bytes.", example: "article:7"},
  }),
});

Object.assign(HeldActivity, {
  _OPENAPI_METADATA_FACTORY: () => ({
    action: { type: String, required: true, example: "praise"},
    subject: { type: String, required: true, example: "article:7"},
    occurredAt: { type: String, required: true, format: "date-time", description: "A moment of its day."},
    id: { type: String, required: false, description: "Of an action that counts each activity by its id."},
  }),
});

Object.assign(OwnerLoss, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "7"},
    grants: { type: Number, required: true, description: "How many grants.", example: 3},
    points: { type: Number, required: true, example: 3},
  }),
});

Object.assign(VoidedGifts, {
  _OPENAPI_METADATA_FACTORY: () => ({
    grants: { type: Number, required: true, description: "How many grants.", example: 5},
    points: { type: Number, required: true, description: "Their points, as the module's own ledger counts them.", example: 5},
    owners: { type: Number, required: true, description: "From how many owners.", example: 2},
    losses: { type: OwnerLoss, required: true, isArray: true, description: "The 100 owners who lost most, the most first."},
  }),
});

Object.assign(TakenBack, {
  _OPENAPI_METADATA_FACTORY: () => ({
    grants: { type: Number, required: true, description: "How many grants.", example: 12},
    points: { type: Number, required: true, description: "Their points, as the module's own ledger counts them.", example: 24},
  }),
});

Object.assign(Voided, {
  _OPENAPI_METADATA_FACTORY: () => ({
    grants: { type: Number, required: true, description: "How many grants.", example: 12},
    points: { type: Number, required: true, description: "Their points, as the module's own ledger counts them.", example: 24},
    removedFrom: { type: String, required: true, isArray: true, description: "Final standings that the user was removed from.", example: ["day 2026-11-20"]},
    gifts: { type: VoidedGifts, required: false, description: "Left out where owners keep what the user gave."},
  }),
});

Object.assign(Review, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, format: "uuid"},
    userId: { type: String, required: true, example: "42"},
    state: { type: String, required: true, enum: ["held","released","voided"]},
    reason: { type: String, required: true},
    heldBy: { type: String, required: true, nullable: true, example: "ada"},
    heldAt: { type: String, required: true, format: "date-time"},
    from: { type: String, required: true, format: "date-time", description: "The points in question are those from here on; `activities` whenever they were."},
    action: { type: String, required: false, description: "Only the points of this action wait.", example: "praise"},
    activities: { type: HeldActivity, required: false, isArray: true, description: "These alone wait, beside those of `action`."},
    decidedBy: { type: String, required: true, nullable: true},
    decidedAt: { type: String, required: true, nullable: true, format: "date-time"},
    note: { type: String, required: true, nullable: true},
    keepsGifts: { type: Boolean, required: false, description: "Of voided points: whether owners keep what the user gave them."},
    voided: { type: Voided, required: true, nullable: true},
  }),
});

Object.assign(ReviewList, {
  _OPENAPI_METADATA_FACTORY: () => ({
    reviews: { type: Review, required: true, isArray: true},
  }),
});

Object.assign(DecisionOptions, {
  _OPENAPI_METADATA_FACTORY: () => ({
    by: { type: String, required: false, description: "Which operator; up to 128 bytes.", example: "ada"},
    note: { type: String, required: false, description: "Up to 512 bytes."},
  }),
});

Object.assign(VoidOptions, {
  _OPENAPI_METADATA_FACTORY: () => ({
    by: { type: String, required: false, description: "Which operator; up to 128 bytes.", example: "ada"},
    note: { type: String, required: false, description: "Up to 512 bytes."},
    keepsGifts: { type: Boolean, required: false, default: false, description: "Whether owners keep what the user's activities gave them; else it is taken from them too."},
  }),
});

Object.assign(HoldOptions, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    reason: { type: String, required: true, description: "1 to 512 bytes.", example: "praised by nine new accounts in a minute"},
    from: { type: String, required: false, format: "date-time", description: "The points in question are those from here on. Default: now."},
    action: { type: String, required: false, description: "The points of this action alone wait, one of the rules'; the user stays on the leaderboards.", example: "praise"},
    activities: { type: HeldActivity, required: false, isArray: true, description: "The points of these alone wait, 1 to 100; the user stays on the leaderboards."},
    by: { type: String, required: false, description: "Which operator; up to 128 bytes.", example: "ada"},
  }),
});
