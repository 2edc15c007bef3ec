/**
 * What the other packages, apps and tests of this repository use beside the public names. It changes with any version.
 * @module @laurel/activity/internals
 */
export type { LedgerQuery, QuotaQuery } from './account/account.dto';
export { ActionCounts } from './account/action-counts';
export type { BoardEffect, LedgerPage, LedgerPageLine } from './account/ledger-page';
export type { LimitQuota } from './account/quota';
export { maxTraced, type TracedRefusal } from './account/refusal';
export { RefusalTrace } from './account/refusal-trace';
export { UserData } from './account/user-data';
export {
  type ActivityDay,
  type AdjustmentLine,
  maxUserIdBytes,
  ownerOf,
  type OwnerOutcome,
  type Refusal,
} from './activity/activity';
export { besideActivity, type ModuleBesideExtras } from './beside/module-beside';
export { digits } from './beside/digits';
export { type RuleVersion, ruleVersions } from './beside/rule-versions';
export { storedOptions, type StoredOptions } from './beside/stored-options';
export { faultsError } from './errors/errors';
export { optionError, optionFault } from './errors/option-error';
export type { ActivityEventFields, CancelledEventFields } from './events/activity-events';
export type { Title } from './extensions/title-source';
export { Needs } from './http/api-key';
export { errorTrace } from './http/error-trace';
export { Routes } from './http/routes';
export { type Problem, type ProblemAnswer, problemOf } from './http/problem';
export { SelfOrApiKeyGuard } from './http/self-or-api-key.guard';
export { LeaderboardBoards } from './ledgers/leaderboard-boards';
export { LEDGER, Ledgers } from './ledgers/ledgers';
export type { RefusedRules } from './live-rules/live-rules';
export type { RuleChange } from './live-rules/rules.responses';
export { RankStreamController } from './live/rank-stream.controller';
export { AwayEvent, OvertakenEvent, Overtaker, StandingEvent, StreamedEntry } from './live/stream.responses';
export type { Adjusted, Adjustment, AdjustmentsAnswer } from './moderation/adjustments/adjustment';
export type { DeletionReceipt, TakenBack } from './moderation/deletions/deletion-receipt';
export { ErasureQueue } from './moderation/erasure/erasure-queue';
export type { ErasureReceipt } from './moderation/erasure/erasure-receipt';
export type { ErasedUser } from './moderation/erasure/erasures';
export { DirectoryExclusions } from './moderation/exclusions/directory-exclusions';
export {
  type Exclusion,
  type ExclusionList,
  exclusionReasons,
  type ExclusionState,
} from './moderation/exclusions/exclusion';
export type { ExclusionOptions, ScanQuery } from './moderation/exclusions/exclusion.dto';
export type { OwnerLoss, Review, ReviewState, Voided, VoidedGifts } from './moderation/reviews/review';
export type { DecisionOptions, HoldOptions, ReviewsQuery, VoidOptions } from './moderation/reviews/review.dto';
export {
  type GaugeReading,
  type GaugeSource,
  type SharedGaugeConfiguration,
  SharedMetrics,
} from './observability/shared-metrics';
export { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from './peers/decorators';
export type {
  ApiKeyConfig,
  KeyRight,
  ObserverConfig,
  RetentionConfig,
  RetentionKind,
  WeekStart,
} from './options/activity.options';
export type { NatMap, RedisNode } from './options/redis-options';
export { redisPassword, redisSchema, redisUrl, redisUsername, sentinelName, servername } from './options/redis-schema';
export { resolveOptions } from './options/resolve-options';
export {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  type LeaderboardSettings,
  type RollingSettings,
} from './options/settings';
export { apiKey, apiKeys, cacheMs, commandTimeoutMs, maxClockSkewMs, prefix, shards, timezone } from './options/values';
export {
  RankEntry,
  RankLeaderboard,
  RankLookup,
  RankPage,
  RankPartition,
  RankPartitions,
  RankPeriod,
  RankStanding,
  UserStandings,
  RankTitle,
  RankTopTen,
  RankUser,
} from './ranks/rank.responses';
export { Leaderboards } from './ranks/leaderboards';
export type { StandingQuery } from './ranks/rank.service';
export { type FoundStandings, StandingsFinder } from './ranks/standings-finder';
export { changesOf, eventsBodySchema, maxEvents } from './recording/events-body';
export { maxHistoryDays } from './recording/histories';
export { type ReceivedCounts, receivedIn } from './recording/received-counts';
export { Recorder, type RecorderOptions, Recorders, smallBatches } from './recording/recorder';
export type { ActivityHealthResult } from './redis/activity-health';
export { type ClientManner, createClient } from './redis/create-client';
export { ServerConnector } from './redis/connectors';
export { refusalCode } from './redis/redis-faults';
export { RedisConnection } from './redis/redis-connection';
export { runInRedis } from './redis/run-in-redis';
export { Extensions } from './extensions/extensions';
export type { UserEraser } from './extensions/user-eraser';
export { causesOf, sqlStateOf } from './redis/sql-state';
export {
  codeOfField,
  giverToken,
  ledgerField,
  ownerField,
  type OwnerField,
  readOwnerField,
} from './rules/ledger-field';
export type { DailyLimit, OwnLimit, ResolvedLimit, SlidingLimit } from './rules/limit';
export type { DefinedLimit, LimitDefinition, LimitedActivity, RefuseLimit } from './rules/limit-type';
export type { ResolvedRule, RuleGrant, RuleSpan } from './rules/rule';
export {
  documentOf,
  parseRules,
  type ResolvedRules,
  resolveDocument,
  ruleFaultLines,
  type RulesContext,
  type RulesDocument,
  rulesInText,
} from './rules/rules-document';
export type { RuleBook, RuleEntry } from './rules/rule-book';
export { byMoment } from './rules/rule-span';
export { rulesBodySchema } from './rules/rules-body';
export { RulesInForce, type RulesSource, type RulesState } from './rules/rules-in-force';
export { maxDecimals, pointsOf, unitsOf } from './points/decimals';
export { isTally, type Tally } from './rules/tally';
export {
  type Entries,
  longestMs,
  object,
  type ObjectOf,
  optional,
  read,
  refused,
  type Schema,
  secret,
  text,
  value,
  whole,
  word,
} from './schema/schema';
export { Announcer, type AnnouncerOptions, type ListenerFailure, type UnheardPeriod } from './settlement/announcer';
export { HiddenPlaces } from './settlement/archive/hidden-places';
export { StandingsChecksum } from './settlement/archive/standings-checksum';
export type { HoldOptions as SettlementHoldOptions } from './settlement/hold-settling';
export { ListedPeriod, RankHistory, RankHistoryEntry, RankPeriods, RankPoints } from './settlement/past/past.responses';
export type { DuePeriod } from './settlement/period-archiver';
export { SettledBoards } from './settlement/settled-boards';
export type { NamedListener } from './settlement/settled-listeners';
export type { SettlementAnswer } from './settlement/settlement-state.responses';
export {
  type FailedPeriod,
  type Settlement,
  Settler,
  type SettlerOptions,
  type WaitingFor,
} from './settlement/settler';
export type { TitleCounts, TitleNeed } from './titles/title-facts';
