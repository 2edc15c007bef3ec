/**
 * Names that other packages, apps and tests of this repository use. They change with any version.
 * @module @laurel/activity/internals
 */
export type { LedgerQuery, QuotaQuery } from './account/account.dto';
export {
  type BoardEffect,
  type LedgerPage,
  type LedgerPageLine,
  type LimitQuota,
  maxTraced,
  type TracedRefusal,
} from './account/account.responses';
export { RefusalTrace } from './account/refusal-trace';
export { UserData } from './account/user-data';
export { maxUserIdBytes } from './core/activity/activity';
export { dayIn } from './core/activity/checks';
export { plainModule, type OptionalModuleExtras } from './shared/optional-module';
export { digits } from './shared/digits';
export { type RuleVersion, ruleVersions } from './shared/rule-versions';
export { parseRules, ruleFaultLines } from './shared/rules-text';
export { storedOptions, type StoredOptions } from './shared/stored-options';
export { faultsError } from './core/errors/errors';
export { optionError, optionFault } from './core/errors/option-error';
export type { ActivityEventFields, CancelledEventFields } from './core/events/activity-events';
export type { Title } from './core/extensions/standings';
export { Needs } from './core/http/api-key';
export { errorTrace } from './core/http/error-trace';
export { GuardedRoutes } from './shared/operator-routes';
export { SelfOrApiKeyGuard } from './shared/self-or-api-key.guard';
export { LeaderboardBoards } from './core/ledgers/leaderboard-boards';
export { Ledgers } from './core/ledgers/ledgers';
export type { RefusedRules, RulesState } from './live-rules/live-rules';
export type { RuleChange } from './live-rules/rules.responses';
export { AwayEvent, OvertakenEvent, Overtaker, StandingEvent, StreamedEntry } from './live/stream.responses';
export type { Adjusted, Adjustment, AdjustmentsAnswer } from './moderation/adjustments/adjustment';
export type { DeletionReceipt } from './moderation/jobs/subject-deletions';
export type { ErasedUser, ErasureReceipt } from './moderation/jobs/erasures';
export type { JobReceipt } from './moderation/jobs/job-queue';
export type { Merge, MergeReceipt } from './moderation/jobs/merges';
export { DirectoryExclusions } from './moderation/exclusions/directory-exclusions';
export type {
  Exclusion,
  ExclusionList,
  ExclusionOptions,
  ExclusionState,
  ScanQuery,
} from './moderation/exclusions/exclusion';
export type {
  DecisionOptions,
  HoldOptions,
  OwnerLoss,
  Review,
  ReviewsQuery,
  ReviewState,
  TakenBack,
  Voided,
  VoidedGifts,
  VoidOptions,
} from './moderation/reviews/review';
export { SharedMetrics } from './core/observability/shared-metrics';
export { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from './core/peers/open-decorators';
export type {
  ApiKeyConfig,
  KeyRight,
  ObserverConfig,
  RetentionConfig,
  RetentionKind,
  WeekStart,
} from './core/options/activity.options';
export type { NatMap, RedisNode } from './core/options/redis-options';
export {
  redisPassword,
  redisSchema,
  redisUrl,
  redisUsername,
  sentinelName,
  servername,
} from './core/options/redis-schema';
export { resolveOptions } from './core/options/resolve-options';
export { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from './core/options/settings';
export {
  apiKey,
  apiKeys,
  cacheMs,
  commandTimeoutMs,
  maxClockSkewMs,
  prefix,
  shards,
  timezone,
} from './core/options/values';
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
} from './core/ranks/rank.responses';
export { type FoundStandings, Leaderboards } from './core/ranks/leaderboards';
export type { StandingQuery } from './core/ranks/rank.service';
export { changesOf } from './core/recording/events-body';
export { codeOfField, giverToken, ledgerField, ownerField, readOwnerField } from './core/rules/ledger-field';
export { Recorder } from './core/recording/recorder';
export type { ActivityHealthResult } from './core/redis/activity-health';
export { type ClientManner, createClient } from './core/redis/create-client';
export { ServerConnector } from './core/redis/connectors';
export { refusalCode } from './core/redis/redis-faults';
export { RedisConnection } from './core/redis/redis-connection';
export { runInRedis } from './core/redis/run-in-redis';
export { brings } from './shared/brings';
export type { UserEraser, UserRecords } from './core/extensions/ports';
export { causesOf } from './core/redis/sql-state';
export type { DailyLimit, OwnLimit, SlidingLimit } from './core/rules/limit';
export type { RulesContext } from './core/rules/limit-schema';
export type { DefinedLimit, LimitDefinition, LimitedActivity, RefuseLimit } from './core/rules/limit-type';
export type { ResolvedRule, RuleGrant, RuleSpan } from './core/rules/rule';
export { documentOf, resolveDocument, type RulesDocument } from './core/rules/rules-document';
export { byMoment, isTally, type RuleBook, type RuleEntry, type Tally } from './core/rules/rule-book';
export { rulesBodySchema } from './core/rules/rules-body';
export { RulesInForce } from './core/rules/rules-in-force';
export { maxDecimals, pointsOf, unitsOf } from './core/points/decimals';
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
} from './core/schema/schema';
export type { HoldOptions as SettlementHoldOptions } from './settlement/hold-settling';
export { type DuePeriod, StandingsChecksum } from './settlement/part-standings';
export { ListedPeriod, RankHistory, RankHistoryEntry, RankPeriods, RankPoints } from './settlement/past/past.responses';
export { SettledBoards } from './settlement/settled-boards';
export type { SettlementAnswer } from './settlement/settlement-state.responses';
export { type Settlement, Settler, type SettlerOptions } from './settlement/settler';
export type { TitleCounts, TitleNeed } from './titles/title-facts';
