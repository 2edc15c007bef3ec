/**
 * The Nest modules: activities in, points on leaderboards, ranks out. Begin with {@link ActivityModule}.
 * @module @laurel/activity
 */
export { AccountModule } from './account/account.module';
export { LedgerService } from './account/ledger.service';
export { LimitQuotas } from './account/limit-quotas';
export { ActivityModule } from './activity.module';
export type {
  Activity,
  ActivityChange,
  ActivityHistory,
  HistoryRange,
  Outcome,
  OutcomeName,
} from './activity/activity';
export { AdminModule } from './admin/admin.module';
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
} from './events/activity-events';
export type { ExclusionReason } from './extensions/moderation';
export { USER_DIRECTORY, type UserDirectory, type UserProfile } from './extensions/user-directory';
export type { ModuleBesideExtras } from './http/module-beside';
export { ProblemFilter } from './http/problem.filter';
export { LiveRules } from './live-rules/live-rules';
export { LiveRulesModule } from './live-rules/live-rules.module';
export { LiveModule } from './live/live.module';
export type { LiveModuleOptions } from './live/live.options';
export { Adjustments } from './moderation/adjustments/adjustments';
export { Erasures } from './moderation/erasure/erasures';
export { Exclusions } from './moderation/exclusions/exclusions';
export { ModerationModule } from './moderation/moderation.module';
export { Reviews } from './moderation/reviews/reviews';
export { SUBJECT_PARTITIONS, type SubjectPartitions } from './moderation/reviews/subject-partitions';
export { METRICS_REGISTRY } from './observability/metrics-registry';
export { getActivityToken } from './options/activity-token';
export type {
  ActivityModuleExtras,
  ActivityModuleOptions,
  ControllerConfig,
  LeaderboardConfig,
  RedisOptions,
} from './options/activity.options';
export { RankController } from './ranks/rank.controller';
export { RankService } from './ranks/rank.service';
export { ActivityRecordedEvent } from './recording/activity-recorded.event';
export { ActivityController } from './recording/activity.controller';
export { ActivityService } from './recording/activity.service';
export { ActivityHealth } from './redis/activity-health';
export { defaultRules } from './rules/default-rules';
export type { LimitConfig } from './rules/limit';
export { defineLimit } from './rules/limit-type';
export type { Rule } from './rules/rule';
export {
  type ArchivedEntry,
  type ArchiveDraft,
  type HiddenPlace,
  type SettledPeriod,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from './settlement/archive/standings-archive';
export { LeaderboardSettledEvent } from './settlement/leaderboard-settled.event';
export { PastRanks } from './settlement/past/past-ranks';
export { type HearSettled, SettledListener } from './settlement/settled-listener';
export { SettlementModule } from './settlement/settlement.module';
export type { SettlementModuleOptions } from './settlement/settlement.options';
export { SettlementService } from './settlement/settlement.service';
export { BusiestCommenter } from './titles/built-in/busiest-commenter';
export { MostFollowed } from './titles/built-in/most-followed';
export { MostPraised } from './titles/built-in/most-praised';
export { NewcomerOfTheWeek } from './titles/built-in/newcomer-of-the-week';
export { NightOwl } from './titles/built-in/night-owl';
export { SevenDayStreak } from './titles/built-in/seven-day-streak';
export type { TitleFacts } from './titles/title-facts';
export { type TitleAnswer, TitleRule, type TitleRuleOptions } from './titles/title-rule';
export { TitlesModule } from './titles/titles.module';
export type { TitlesModuleOptions } from './titles/titles.options';
export { ScoreVisit, SkipVisit, type VisitOptions } from './visits/visit.decorators';
export { VisitInterceptor } from './visits/visit.interceptor';
