/**
 * The Nest module: activities in, points on leaderboards, ranks out. Begin with {@link ActivityModule}.
 * @module @laurel/activity
 */
export {
  outcomeNames,
  type Activity,
  type ActivityChange,
  type ActivityDay,
  type ActivityHistory,
  type AdjustmentLine,
  type HistoryRange,
  type Outcome,
  type OutcomeName,
  type OwnerOutcome,
  type Refusal,
} from './activity/activity';
export { ActivityController } from './recording/activity.controller';
export { changesOf, eventsBodySchema, maxEvents } from './recording/events-body';
export { AccountModule } from './account/account.module';
export type { Adjusted, Adjustment } from './moderation/adjustments/adjustment';
export { Adjustments } from './moderation/adjustments/adjustments';
export { ModerationModule } from './moderation/moderation.module';
export { AdminModule } from './admin/admin.module';
export type { ModuleBesideExtras } from './http/module-beside';
export { ActivityModule } from './activity.module';
export { getActivityToken } from './options/activity-token';
export type {
  ActivityModuleExtras,
  ActivityModuleOptions,
  ControllerConfig,
  LeaderboardConfig,
  RedisNode,
  RedisOptions,
  RetentionConfig,
  RetentionKind,
  WeekStart,
} from './options/activity.options';
export { ActivityService } from './recording/activity.service';
export { maxHistoryDays } from './recording/histories';
export { ApiKey, type ApiKeyCheck } from './http/api-key';
export { admitted, ApiKeyGuard } from './http/api-key.guard';
export { SelfOrApiKeyGuard } from './http/self-or-api-key.guard';
export { REDIS_CLIENT } from './redis/redis-connection';
export { sqlStateOf } from './redis/sql-state';
export { LeaderboardBoards } from './ledgers/leaderboard-boards';
export { LEDGER, Ledgers } from './ledgers/ledgers';
export type { Tally } from './rules/tally';
export { ActivityError, type ActivityErrorCode, type Fault } from './errors/errors';
export {
  CollectCancelledEvent,
  CollectEvent,
  CommentCancelledEvent,
  CommentEvent,
  FollowCancelledEvent,
  FollowEvent,
  PraiseCancelledEvent,
  PraiseEvent,
  PublishCancelledEvent,
  PublishEvent,
  ViewCancelledEvent,
  ViewEvent,
  type ActivityEventFields,
  type CancelledEventFields,
} from './events/activity-events';
export { ActivityRecordedEvent } from './recording/activity-recorded.event';
export { exclusionReasons, type ExclusionReason } from './extensions/moderation';
export type { Exclusion, ExclusionList, ExclusionState } from './moderation/exclusions/exclusion';
export type { ExclusionOptions, ScanQuery } from './moderation/exclusions/exclusion.dto';
export { Erasures, type ErasureReceipt } from './moderation/erasure/erasures';
export { Exclusions } from './moderation/exclusions/exclusions';
export { LimitQuotas } from './account/limit-quotas';
export type { LimitQuota } from './account/quota';
export type { DailyLimit, LimitConfig, OwnLimit, ResolvedLimit, SlidingLimit } from './rules/limit';
export {
  defineLimit,
  type DefinedLimit,
  type LimitDefinition,
  type LimitedActivity,
  type RefuseLimit,
} from './rules/limit-type';
export { resolveLimits, type LimitContext } from './rules/resolve-limits';
export type { ObserverConfig } from './options/resolve-observers';
export { whenOver, type ClosableResponse, type RequestSocket } from './http/when-over';
export { ActivityHealth, type ActivityHealthResult } from './redis/activity-health';
export { METRICS_REGISTRY } from './observability/metrics-registry';
export {
  SharedMetrics,
  type GaugeReading,
  type GaugeSource,
  type SharedGaugeConfiguration,
} from './observability/shared-metrics';
export { storedOptions, type StoredOptions } from './options/stored-options';
export {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  type LeaderboardSettings,
  type RollingSettings,
} from './options/settings';
export { ownerOf } from './activity/owner';
export { giverToken, ownerField, readOwnerField, type OwnerField } from './rules/owner-field';
export { receivedIn, type ReceivedCounts } from './recording/received-counts';
export { errorTrace } from './http/error-trace';
export { problemFastifyOptions } from './http/fastify-options';
export { problemOf, type Problem, type ProblemAnswer } from './http/problem';
export { ProblemFilter } from './http/problem.filter';
export { ApiProblems, ProblemDocument, ProblemFault } from './http/problem.responses';
export { invalidInput, ProblemValidationPipe } from './http/problem-validation.pipe';
export { ActivityRefusal } from './recording/activity.responses';
export { RankController } from './ranks/rank.controller';
export { RankStreamController } from './live/rank-stream.controller';
export { LiveModule } from './live/live.module';
export type { LiveModuleOptions } from './live/live.options';
export { AwayEvent, OvertakenEvent, Overtaker, StandingEvent, StreamedEntry } from './live/stream.responses';
export { RankService, type StandingQuery } from './ranks/rank.service';
export {
  RankEntry,
  RankLeaderboard,
  RankLookup,
  RankPage,
  RankPeriod,
  RankPartition,
  RankPartitions,
  RankStanding,
  RankTitle,
  RankTopTen,
  RankUser,
} from './ranks/rank.responses';
export { USER_DIRECTORY, type UserDirectory, type UserProfile } from './extensions/user-directory';
export { LeaderboardSettledEvent } from './settlement/leaderboard-settled.event';
export { RedisArchive, type RedisArchiveOptions } from './settlement/redis-archive/redis-archive';
export { PastRanks } from './settlement/past/past-ranks';
export { ListedPeriod, RankHistory, RankHistoryEntry, RankPeriods, RankPoints } from './settlement/past/past.responses';
export { SettlementModule } from './settlement/settlement.module';
export type { SettlementModuleOptions } from './settlement/settlement.options';
export { SettlementService } from './settlement/settlement.service';
export { Announcer, type AnnouncerOptions, type ListenerFailure, type UnheardPeriod } from './settlement/announcer';
export type { HoldOptions as SettlementHoldOptions } from './settlement/hold-settling';
export type { DuePeriod } from './settlement/period-archiver';
export { SettledListener, type HearSettled } from './settlement/settled-listener';
export type { NamedListener } from './settlement/settled-listeners';
export {
  Settler,
  type FailedPeriod,
  type Settlement,
  type SettlerOptions,
  type WaitingFor,
} from './settlement/settler';
export { HiddenPlaces } from './settlement/archive/hidden-places';
export { StandingsChecksum } from './settlement/archive/standings-checksum';
export {
  ARCHIVE,
  STANDINGS_ARCHIVE,
  type ArchivedEntry,
  type ArchiveDraft,
  type HiddenPlace,
  type SettledPeriod,
  type StandingsArchive,
} from './settlement/archive/standings-archive';
export { Recorder, smallBatches, type RecorderOptions } from './recording/recorder';
export type { Review, ReviewState, Voided } from './moderation/reviews/review';
export type { DecisionOptions, HoldOptions, ReviewsQuery } from './moderation/reviews/review.dto';
export { Reviews } from './moderation/reviews/reviews';
export { SUBJECT_PARTITIONS, type SubjectPartitions } from './moderation/reviews/subject-partitions';
export { defaultRules } from './rules/default-rules';
export type { ResolvedRule, Rule, RuleGrant } from './rules/rule';
export type { RuleChange } from './live-rules/rules.responses';
export { parseRules, ruleFaultLines, type ResolvedRules, type RulesDocument } from './rules/rules-document';
export { RulesInForce, type RulesSource, type RulesState } from './rules/rules-in-force';
export { LiveRules, type RefusedRules } from './live-rules/live-rules';
export { LiveRulesModule } from './live-rules/live-rules.module';
export type { RuleVersion } from './rules/rules-text';
export { BusiestCommenter } from './titles/ready/busiest-commenter';
export { MostFollowed } from './titles/ready/most-followed';
export { MostPraised } from './titles/ready/most-praised';
export { NewcomerOfTheWeek } from './titles/ready/newcomer-of-the-week';
export { NightOwl } from './titles/ready/night-owl';
export { SevenDayStreak } from './titles/ready/seven-day-streak';
export type { TitleCounts, TitleFacts, TitleNeed } from './titles/title-facts';
export type { Title } from './extensions/title-source';
export { TitleRule, type TitleAnswer, type TitleRuleOptions } from './titles/title-rule';
export { TitlesModule } from './titles/titles.module';
export type { TitlesModuleOptions } from './titles/titles.options';
export type { LedgerQuery, QuotaQuery } from './account/account.dto';
export type { BoardEffect, LedgerPage, LedgerPageLine } from './account/ledger-page';
export { LedgerService } from './account/ledger.service';
export type { TracedRefusal } from './account/refusal';
export { RefusalTrace } from './account/refusal-trace';
export { ScoreVisit, SkipVisit, type VisitOptions } from './visits/visit.decorators';
export { VisitInterceptor } from './visits/visit.interceptor';
