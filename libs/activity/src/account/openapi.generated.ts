// Generated from types and comments by `npm run generate`. Do not edit.
import { QuotaQuery } from './account.dto';
import { PeriodCounts } from './account.responses';
import { HistoryCounts } from './account.responses';
import { HistoryAnswer } from './account.responses';
import { HistoryDay } from '../core/activity/history';
import { BoardEffect } from './account.responses';
import { LedgerPageLine } from './account.responses';
import { LedgerDayAnswer } from './account.responses';
import { LedgerPage } from './account.responses';
import { LimitQuota } from './account.responses';
import { QuotaAnswer } from './account.responses';
import { TracedRefusal } from './account.responses';
import { RefusalsAnswer } from './account.responses';
import { UserDataAnswer } from './account.responses';
import { RankUser } from '../core/ranks/rank.responses';
import { OwnStanding } from '../core/ranks/rank.responses';

Object.assign(QuotaQuery, {
  _OPENAPI_METADATA_FACTORY: () => ({
    action: { type: String, required: false, description: "Only the limits that this action is under. Default: all.", example: "praise"},
    subject: { type: String, required: false, description: "For limits per subject, and of the app's own types.", example: "article:7"},
    ownerId: { type: String, required: false, description: "For limits per pair of users: the other one. Default: of a subject `user:42`, that user.", example: "9"},
  }),
});

Object.assign(PeriodCounts, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: true, description: "The key of the period.", example: "2026-W47"},
    actions: { required: true, type: "object", additionalProperties: { type: "integer"}, example: { view: 30, praise: 4}},
    received: { required: true, type: "object", additionalProperties: { type: "integer"}, description: "Of the actions whose rules grant owners something.", example: { praise: 2}},
  }),
});

Object.assign(HistoryCounts, {
  _OPENAPI_METADATA_FACTORY: () => ({
    week: { type: PeriodCounts, required: true, nullable: true, description: "Null: not all of its ledgers are kept."},
    month: { type: PeriodCounts, required: true, nullable: true, description: "Null: not all of its ledgers are kept."},
    all: { type: PeriodCounts, required: true, nullable: true, description: "The counts of all-time leaderboards' `tallies`. Null: there are none."},
  }),
});

Object.assign(HistoryAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    days: { type: HistoryDay, required: true, isArray: true, description: "In order; days without activities are left out."},
    counts: { type: HistoryCounts, required: false, description: "With `counts=true`."},
  }),
});

Object.assign(BoardEffect, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: true, description: "The key of the period.", example: "2026-11"},
    points: { type: Number, required: true, example: 2},
  }),
});

Object.assign(LedgerPageLine, {
  _OPENAPI_METADATA_FACTORY: () => ({
    action: { type: String, required: true, description: "The ledger's code of the action where no rule has it.", example: "praise"},
    subject: { type: String, required: true, nullable: true, description: "Null where it is long.", example: "article:7"},
    digest: { type: String, required: true, nullable: true, description: "Of a long subject: base64url of the first 132 bits of its SHA-256, or of the first 72.", example: null},
    from: { type: String, required: false, description: "Of what another user did to this user's subject: that user, or # and a digest of a long id, or # and 16 characters of an erased user."},
    partitions: { required: false, type: "object", additionalProperties: { type: "string"}, description: "The partitions that the activity named.", example: { category: "java"}},
    reason: { type: String, required: false, description: "Of an adjustment, action `adjust` with its id as subject: why."},
    points: { type: Number, required: true, description: "The points that stand; 0 if they were taken back or never given.", example: 2},
    version: { required: true, nullable: true, type: "integer", description: "Of the rules that granted them; null where nothing stands.", example: 1},
    grantedAt: { type: String, required: true, nullable: true, format: "date-time"},
    revokedAt: { type: String, required: true, nullable: true, format: "date-time"},
    boards: { required: true, type: "object", additionalProperties: {"$ref":"#/components/schemas/BoardEffect"}, description: "Where they count, by leaderboard, without partitioned ones. A leaderboard whose period was closed when the activity arrived does not have them.", example: { day: { period: "2026-11-20", points: 2}, month: { period: "2026-11", points: 2}}},
  }),
});

Object.assign(LedgerDayAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    date: { type: String, required: true, format: "date", example: "2026-11-20"},
    points: { type: Number, required: true, description: "Points that stand, of the whole day.", example: 37},
    lines: { type: LedgerPageLine, required: true, isArray: true},
  }),
});

Object.assign(LedgerPage, {
  _OPENAPI_METADATA_FACTORY: () => ({
    date: { type: String, required: true, format: "date", example: "2026-11-20"},
    points: { type: Number, required: true, description: "Points that stand, of the whole day.", example: 37},
    lines: { type: LedgerPageLine, required: true, isArray: true},
    userId: { type: String, required: true, example: "42"},
    total: { type: Number, required: true, description: "How many lines the day has.", example: 21},
    next: { type: String, required: true, nullable: true, description: "The `cursor` of the next page; null: this is the last."},
  }),
});

Object.assign(LimitQuota, {
  _OPENAPI_METADATA_FACTORY: () => ({
    limit: { type: String, required: true, description: "The limit's name.", example: "praise-daily"},
    type: { type: String, required: true, example: "daily"},
    action: { type: String, required: true, nullable: true, description: "Null: all actions together.", example: "praise"},
    of: { type: String, required: true, enum: ["grants","points"], description: "The counted unit."},
    max: { type: Number, required: true, nullable: true, multipleOf: 0.01, description: "Null where a limit of the app's own type does not return it; so are `used` and `left`.", example: 50},
    used: { type: Number, required: true, nullable: true, multipleOf: 0.01, example: 50},
    left: { type: Number, required: true, nullable: true, multipleOf: 0.01, example: 0},
    allowedAgainAt: { type: Date, required: true, nullable: true, description: "Null while something is left."},
  }),
});

Object.assign(QuotaAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    date: { type: String, required: true, format: "date", description: "Today, in the module's time zone.", example: "2026-11-20"},
    limits: { type: LimitQuota, required: true, isArray: true},
  }),
});

Object.assign(TracedRefusal, {
  _OPENAPI_METADATA_FACTORY: () => ({
    at: { type: String, required: true, format: "date-time"},
    userId: { type: String, required: true, example: "42"},
    action: { type: String, required: true, example: "praise"},
    subject: { type: String, required: true, example: "article:7"},
    outcome: { type: String, required: true, enum: ["limited","rejected"]},
    reason: { type: String, required: true, description: "The limit's name, `held`, `future` or `scoreOutOfRange`.", example: "praise-daily"},
    allowedAgainAt: { type: String, required: true, nullable: true, format: "date-time"},
    leaderboards: { type: String, required: false, isArray: true, description: "The leaderboards, or their partitions, that refused it, where others accepted it.", example: ["writers"]},
    fault: { type: String, required: false, description: "Of a limit of the app's own type that threw: the error's message."},
  }),
});

Object.assign(RefusalsAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    refusals: { type: TracedRefusal, required: true, isArray: true},
  }),
});

Object.assign(UserDataAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    user: { type: RankUser, required: true, nullable: true, description: "As everyone sees them; null: no profile is known."},
    firstDay: { type: String, required: true, nullable: true, format: "date", description: "Where `firstDays` is on."},
    standings: { type: OwnStanding, required: true, isArray: true, description: "Of the current period of each leaderboard without partitions."},
    refusals: { type: TracedRefusal, required: true, isArray: true, description: "Of the latest 1,000 of all users."},
    days: { type: LedgerDayAnswer, required: true, isArray: true, description: "Every day that is kept: grants, revokes and adjustments."},
  }),
});
