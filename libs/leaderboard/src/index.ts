/**
 * The engine: boards on Redis with exact ranks, and the ledger behind them. Begin with {@link Leaderboard}.
 * @module @laurel/leaderboard
 */
export { LedgerAudit } from './operations/verify/ledger-audit';
export { RebuiltEntries, type RebuiltWalkOptions, type RestoredEntries } from './operations/verify/rebuilt-entries';
export type {
  AuditDifference,
  AuditedCount,
  AuditedLimit,
  AuditFault,
  AuditGap,
  AuditOptions,
  AuditSummary,
} from './operations/verify/audit.types';
export type { BoardMeasures } from './board/board-measures';
export { BoardReader, entriesOn } from './board/board-reader';
export type { BoardHead, BoardPage, BoardReaderOptions, EntryAmong, RankingOption } from './board/board-reader.types';
export { systemClock, type Clock } from './time/clock';
export { rankings, type Entry, type Ranking, type Score } from './board/order/entry';
export type { Estimate, EstimateOptions } from './board/estimates/estimate';
export { LeaderboardError, type LeaderboardErrorCode } from './errors/errors';
export {
  Leaderboard,
  type ConditionallyWritten,
  type ConditionOption,
  type MergeSource,
  type ScoreLine,
  type Written,
} from './leaderboard/leaderboard';
export type { LeaderboardOptions } from './leaderboard/leaderboard-options';
export { maxPartitionBytes } from './keys/keys';
export { adjustmentField, adjustmentId, isAdjustmentField } from './ledger/history/adjustment';
export type { PeriodState } from './ledger/periods/board-periods';
export { Ledger, type PrepareOptions } from './ledger/ledger';
export type { LedgerBoards } from './ledger/ledger-boards';
export { checkPrepared, checkTransition, maxFieldBytes, maxNoteBytes } from './ledger/recording/transition-checks';
export type { Erased } from './ledger/members/erasure';
export type { FieldsNaming } from './ledger/history/foreign-fields';
export type { Place } from './ledger/members/excluded-members';
export { boardOutcomes } from './ledger/model/ledger.types';
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
} from './ledger/model/ledger.types';
export { readStoredSettings, type StoredBoard, type StoredSettings } from './ledger/settings/stored-settings';
export type { StandingGrant } from './ledger/history/standing-grants';
export type { QuotaOptions, QuotaQuestion } from './ledger/limits/quota';
export type { LedgerTerms } from './ledger/settings/terms';
export { Period, type OutsidePeriods } from './time/period';
export { kindOf, periodKinds, type CalendarKind, type PeriodKind, type PeriodSpec } from './time/period-spec';
export type { BoardLayout, Update } from './board/layouts/layout';
export type { Dimension } from './board/layouts/lexical-layout';
export { PackedScore, type Order, type PackedOptions } from './board/layouts/packed';
export type { PackedDimension } from './board/layouts/packed-dimensions';
export { packedLayout } from './board/layouts/packed-layout';
export { plainLayout } from './board/layouts/plain-layout';
export { type DimensionOption, type PackedDimensionsOptions, ScoreLayout } from './board/layouts/score-layout';
export {
  Resharding,
  type ReshardingOptions,
  type ReshardingPhase,
  type ReshardingReport,
} from './operations/resharding/resharding';
export { RollingBoard, type RollingBoardOptions } from './rolling/rolling-board';
export { shardOf, shardTags } from './keys/shard';
export { chunksOf } from './redis/group-by';
export type { Aggregate, MergeOptions } from './leaderboard/board-merge';
export type { ExpiringMembers } from './board/shards/sender';
export type { WriteCondition } from './leaderboard/board-writer';
export { runScript, runScriptForBytes, type RedisClient } from './redis/run';
export { type Script } from './scripts/scripts.generated';
export { WholeBoard, type WholeBoardOptions } from './board/whole-board';
