// Generated from types and comments by `npm run generate`. Do not edit.
import { WaitingPeriod } from './settlement-state.responses';
import { LastSettled } from './settlement-state.responses';
import { LeaderboardSettlement } from './settlement-state.responses';
import { RankPeriod } from '../core/ranks/rank.responses';
import { SettlementAnswer } from './settlement-state.responses';
import { ListedPeriod } from './past/past.responses';
import { RankPeriods } from './past/past.responses';
import { RankHistoryEntry } from './past/past.responses';
import { RankHistory } from './past/past.responses';
import { RankUser } from '../core/ranks/rank.responses';
import { PeriodPoints } from './past/past.responses';
import { RankPoints } from './past/past.responses';

Object.assign(WaitingPeriod, {
  _OPENAPI_METADATA_FACTORY: () => ({
    key: { type: String, required: true, example: "2026-11-20"},
    start: { type: String, required: true, format: "date-time", example: "2026-11-20T00:00:00.000Z"},
    end: { type: String, required: true, nullable: true, format: "date-time", example: "2026-11-21T00:00:00.000Z"},
    state: { type: String, required: true, enum: ["notStarted","open","closing","settled"], description: "`notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final."},
    closesAt: { type: String, required: true, format: "date-time", description: "When it closes: later activities do not count on it."},
    isDue: { type: Boolean, required: true, description: "Whether it has closed: it is settled at the next check."},
  }),
});

Object.assign(LastSettled, {
  _OPENAPI_METADATA_FACTORY: () => ({
    key: { type: String, required: true, example: "2026-11-20"},
    start: { type: String, required: true, format: "date-time", example: "2026-11-20T00:00:00.000Z"},
    end: { type: String, required: true, nullable: true, format: "date-time", example: "2026-11-21T00:00:00.000Z"},
    state: { type: String, required: true, enum: ["notStarted","open","closing","settled"], description: "`notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final."},
    settledAt: { type: String, required: true, format: "date-time"},
    total: { type: Number, required: true, description: "How many users were archived.", example: 1234},
    checksum: { type: String, required: true, description: "SHA-256 of all lines, as settled."},
  }),
});

Object.assign(LeaderboardSettlement, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    current: { type: RankPeriod, required: true},
    waiting: { type: WaitingPeriod, required: true, isArray: true, description: "The earliest first."},
    lastSettled: { type: LastSettled, required: true, nullable: true, description: "Null: none yet, or the leaderboard is partitioned."},
  }),
});

Object.assign(SettlementAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    isOn: { type: Boolean, required: true, description: "Whether the instance that answers settles."},
    leaderboards: { type: LeaderboardSettlement, required: true, isArray: true, description: "All but rolling windows, which are never settled."},
  }),
});

Object.assign(ListedPeriod, {
  _OPENAPI_METADATA_FACTORY: () => ({
    key: { type: String, required: true, example: "2026-11-20"},
    start: { type: String, required: true, format: "date-time", example: "2026-11-20T00:00:00.000Z"},
    end: { type: String, required: true, nullable: true, format: "date-time", example: "2026-11-21T00:00:00.000Z"},
    state: { type: String, required: true, enum: ["notStarted","open","closing","settled"], description: "`notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final."},
    total: { type: Number, required: true, nullable: true, description: "How many users are on it, where known.", example: 1234},
    checksum: { type: String, required: false, description: "Of a settled period: SHA-256, in hex, of its final standings as they were archived.", example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    tieRule: { type: String, required: false, description: "Of a settled period: how equal scores were put in order, in words."},
  }),
});

Object.assign(RankPeriods, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    periods: { type: ListedPeriod, required: true, isArray: true},
    next: { type: String, required: true, nullable: true, description: "The cursor of the next page; null on the last."},
  }),
});

Object.assign(RankHistoryEntry, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users were on it.", example: 1234},
    rank: { type: Number, required: true, minimum: 1, example: 3},
    score: { type: Number, required: true, example: 37},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
  }),
});

Object.assign(RankHistory, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    userId: { type: String, required: true, example: "42"},
    user: { type: RankUser, required: true, nullable: true},
    entries: { type: RankHistoryEntry, required: true, isArray: true},
    next: { type: String, required: true, nullable: true, description: "The cursor of what follows; null at the end."},
  }),
});

Object.assign(PeriodPoints, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: true, description: "The key of the period.", example: "2026-11-20"},
    start: { type: String, required: true, format: "date-time", description: "When it begins."},
    points: { type: Number, required: true, example: 37},
    rank: { type: Number, required: true, nullable: true, minimum: 1, description: "The ordinal rank that the user had; null to users who are kept off the leaderboards, of themselves.", example: 3},
  }),
});

Object.assign(RankPoints, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    userId: { type: String, required: true, example: "42"},
    from: { type: String, required: true, format: "date", example: "2025-11-21"},
    to: { type: String, required: true, format: "date", example: "2026-11-20"},
    periods: { type: PeriodPoints, required: true, isArray: true},
  }),
});
