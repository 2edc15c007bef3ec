/**
 * The engine: boards on Redis with exact ranks, which stand alone ({@link Leaderboard}), and the ledger behind boards
 * ({@link Ledger}).
 * @module @laurel/leaderboard
 */
export {
  BoardReader,
  entriesOn,
  firstWith,
  ScoreLayout,
  LeaderboardError,
  Leaderboard,
  PeriodicLeaderboard,
  systemClock,
  Period,
} from './boards';
export type {
  BoardHead,
  BoardPage,
  BoardReaderOptions,
  RankingOption,
  Estimate,
  EstimateOptions,
  Dimension,
  Order,
  PackedOptions,
  Entry,
  Ranking,
  Score,
  LeaderboardErrorCode,
  Aggregate,
  MergeOptions,
  WriteCondition,
  ConditionallyWritten,
  MergeSource,
  ScoreLine,
  WriteAnswer,
  WriteOptions,
  Written,
  LeaderboardOptions,
  PeriodicLeaderboardOptions,
  RedisClient,
  Clock,
  PeriodKind,
  PeriodSpec,
} from './boards';
export type { TransitionLimit } from './ledger/facts/laws';
export { Ledger } from './ledger/ledger';
export type {
  LedgerBoard,
  LedgerDay,
  LedgerLine,
  LedgerOptions,
  Transition,
  TransitionOutcome,
  TransitionResult,
} from './ledger/model/ledger.types';
export type { WaitForReplicas } from './redis/replicated';
export type { PeriodState } from './ledger/periods/board-periods';
export { readStoredSettings, type StoredSettings } from './ledger/settings/stored-settings';
export { Resharding, type ReshardingOptions, type ReshardingReport } from './operations/resharding/resharding';
export type { AuditDifference, AuditOptions, AuditSummary } from './operations/verify/audit.types';
export { LedgerAudit } from './operations/verify/ledger-audit';
export { RollingBoard, type RollingBoardOptions } from './rolling/rolling-board';
