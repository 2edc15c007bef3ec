/**
 * What the packages of this repository share beneath their public names. It changes without notice: a name that an app
 * needs belongs in `@laurel/leaderboard`.
 * @module @laurel/leaderboard/internals
 */
export { aheadOfPercentile } from './board/board-reader';
export type { BoardStanding, EntryAmong } from './board/board-reader.types';
export { cursorScope, readPlace, writePlace } from './board/cursor';
export type { BoardLayout, Update } from './board/layouts/layout';
export { PackedScore } from './board/layouts/packed';
export { plainLayout } from './board/layouts/score-layout';
export { rankings } from './board/order/order';
export { WholeBoard, type WholeBoardOptions } from './board/whole-board';
export { maxPartitionBytes } from './keys/keys';
export { defaultShards, shardOf, shardTags } from './keys/shard';
export type { ConditionOption } from './leaderboard/leaderboard';
export { adjustmentField, adjustmentId, isAdjustmentField } from './ledger/facts/adjustment';
export { voidSequence } from './ledger/facts/fact';
export { isCounted } from './ledger/facts/parts';
export type { FirstDays } from './ledger/history/first-days';
export type { FieldsNaming } from './ledger/history/foreign-fields';
export type { Histories } from './ledger/history/histories';
export type { StandingGrant, StandingGrants } from './ledger/history/standing-grants';
export type { FieldLaw, Laws, LimitedGrant } from './ledger/facts/laws';
export type { Refusal as LimitRefusal } from './ledger/facts/standing';
export type { Streaks } from './ledger/history/streaks';
export type { PrepareOptions } from './ledger/ledger';
export type { QuotaQuestion } from './ledger/limits/quota';
export type { Erased, Erasure } from './ledger/members/erasure';
export type { ExcludedMembers, Place } from './ledger/members/excluded-members';
export type { Merged, MergeOptions, Merging } from './ledger/members/merging';
export type { GrantsWanted, NamedGrant, NamedGrants } from './ledger/members/named-grants';
export { longestShown } from './ledger/model/ledger-options';
export { mergedByName, type NamesOptions } from './ledger/model/names';
export type { AboutFault, BoardOutcome, FieldNames, LedgerField, LimitQuota } from './ledger/model/ledger.types';
export { maxFieldBytes, maxNoteBytes } from './ledger/recording/transition-checks';
export type { StoredBoard } from './ledger/settings/stored-settings';
export type { BoardPeriods } from './ledger/periods/board-periods';
export type { LedgerTerms, TermsRegister } from './ledger/settings/terms';
export type { ReshardingPhase } from './operations/resharding/resharding';
export type { AuditFault, AuditGap } from './operations/verify/audit.types';
export { cached, cachedWith, chunksOf, firstPlace, groupBy, sum } from './lists/lists';
export { BatchedReads } from './redis/batched-reads';
export { runScript } from './redis/run';
export { scanEntries, scanKeys } from './redis/scan';
export type { Script } from './scripts/script';
export { dayMs, dayNumber } from './time/days';
export type { OutsidePeriods } from './time/period';
export { kindOf, periodKinds, weekSpec, type CalendarKind } from './time/period-spec';
