/**
 * The engine: boards on Redis with exact ranks, and the ledger behind them. Begin with {@link Leaderboard}.
 * @module @laurel/leaderboard
 */
export { BoardReader, entriesOn } from './board/board-reader';
export type { BoardHead, BoardPage, BoardReaderOptions, RankingOption } from './board/board-reader.types';
export type { Estimate, EstimateOptions } from './board/estimates/estimate';
export type { Dimension } from './board/layouts/lexical-layout';
export type { Order } from './board/order/line';
export type { PackedOptions } from './board/layouts/packed';
export type { PackedDimension } from './board/layouts/packed-dimensions';
export { ScoreLayout } from './board/layouts/score-layout';
export type { Entry, Ranking, Score } from './board/order/entry';
export { LeaderboardError, type LeaderboardErrorCode } from './errors/errors';
export type { Aggregate, MergeOptions } from './leaderboard/board-merge';
export type { WriteCondition } from './leaderboard/board-writer';
export {
  Leaderboard,
  type ConditionallyWritten,
  type MergeSource,
  type ScoreLine,
  type WriteAnswer,
  type WriteOptions,
  type Written,
} from './leaderboard/leaderboard';
export type { LeaderboardOptions } from './leaderboard/leaderboard-options';
export { PeriodicLeaderboard, type PeriodicLeaderboardOptions } from './leaderboard/periodic-leaderboard';
export { Ledger } from './ledger/ledger';
export type {
  LedgerBoard,
  LedgerDay,
  LedgerLine,
  LedgerOptions,
  Transition,
  TransitionLimit,
  TransitionOutcome,
  TransitionResult,
} from './ledger/model/ledger.types';
export type { WaitForReplicas } from './redis/replicated';
export type { PeriodState } from './ledger/periods/board-periods';
export { readStoredSettings, type StoredSettings } from './ledger/settings/stored-settings';
export { Resharding, type ReshardingOptions, type ReshardingReport } from './operations/resharding/resharding';
export type { AuditDifference, AuditOptions, AuditSummary } from './operations/verify/audit.types';
export { LedgerAudit } from './operations/verify/ledger-audit';
export type { RedisClient } from './redis/run';
export { RollingBoard, type RollingBoardOptions } from './rolling/rolling-board';
export { systemClock, type Clock } from './time/clock';
export { Period } from './time/period';
export type { PeriodKind, PeriodSpec } from './time/period-spec';
