/**
 * The engine: boards on Redis with exact ranks, and the ledger behind them. Begin with {@link Leaderboard}.
 * @module @laurel/leaderboard
 */
export { LedgerAudit } from './audit/ledger-audit';
export { RebuiltEntries, type RebuiltWalkOptions, type RestoredEntries } from './audit/rebuilt-entries';
export type {
  AuditDifference,
  AuditedCount,
  AuditedLimit,
  AuditFault,
  AuditGap,
  AuditOptions,
  AuditSummary,
} from './audit/audit.types';
export type { BoardMeasures } from './board-measures';
export { BoardReader, entriesOn } from './board-reader';
export type { BoardHead, BoardPage, BoardReaderOptions, EntryAmong, RankingOption } from './board-reader.types';
export { systemClock, type Clock } from './clock';
export { rankings, type Entry, type Ranking, type Score } from './entry';
export type { Estimate, EstimateOptions } from './estimates/estimate';
export { LeaderboardError, type LeaderboardErrorCode } from './errors';
export {
  Leaderboard,
  type ConditionallyWritten,
  type ConditionOption,
  type MergeSource,
  type ScoreLine,
  type Written,
} from './leaderboard';
export type { LeaderboardOptions } from './leaderboard-options';
export { maxPartitionBytes } from './keys';
export { adjustmentField, adjustmentId, isAdjustmentField } from './ledger/adjustment';
export type { PeriodState } from './ledger/board-periods';
export { Ledger, type PrepareOptions } from './ledger/ledger';
export type { LedgerBoards } from './ledger/ledger-boards';
export { checkPrepared, checkTransition, maxFieldBytes, maxNoteBytes } from './ledger/transition-checks';
export type { Erased } from './ledger/erasure';
export type { FieldsNaming } from './ledger/foreign-fields';
export type { Place } from './ledger/excluded-members';
export { boardOutcomes } from './ledger/ledger.types';
export type {
  AboutFault,
  BoardOutcome,
  LedgerAdjustment,
  LedgerBoard,
  LedgerCount,
  LedgerDay,
  LedgerField,
  LedgerLine,
  LedgerOptions,
  LimitQuota,
  LimitRefusal,
  LimitType,
  PreparedLimit,
  Transition,
  TransitionLimit,
  TransitionOutcome,
  TransitionResult,
  WaitForReplicas,
} from './ledger/ledger.types';
export { readStoredSettings, type StoredBoard, type StoredSettings } from './ledger/stored-settings';
export type { StandingGrant } from './ledger/standing-grants';
export type { QuotaOptions, QuotaQuestion } from './ledger/quota';
export type { LedgerTerms } from './ledger/terms';
export { Period, type OutsidePeriods } from './period';
export { kindOf, periodKinds, type CalendarKind, type PeriodKind, type PeriodSpec } from './period/period-spec';
export type { BoardLayout, Update } from './score/layout';
export type { Dimension } from './score/lexical-layout';
export { PackedScore, type Order, type PackedOptions } from './score/packed';
export type { PackedDimension } from './score/packed-dimensions';
export { packedLayout } from './score/packed-layout';
export { plainLayout } from './score/plain-layout';
export { type DimensionOption, type PackedDimensionsOptions, ScoreLayout } from './score/score-layout';
export {
  Resharding,
  type ReshardingOptions,
  type ReshardingPhase,
  type ReshardingReport,
} from './resharding/resharding';
export { RollingBoard, type RollingBoardOptions } from './rolling/rolling-board';
export { shardOf, shardTags } from './shard';
export { chunksOf } from './group-by';
export type { Aggregate, MergeOptions } from './writes/board-merge';
export type { ExpiringMembers } from './scripts/sender';
export type { WriteCondition } from './writes/board-writer';
export { runScript, runScriptForBytes, type RedisClient } from './scripts/run';
export { scripts, type Script } from './scripts/scripts.generated';
export { WholeBoard, type WholeBoardOptions } from './whole-board';
