/**
 * The core alone: activities in, points on leaderboards, live ranks out. Begin with {@link ActivityModule}.
 * @module @laurel/activity/core
 */
export { ActivityModule } from './activity.module';
export type {
  Activity,
  ActivityChange,
  ActivityHistory,
  HistoryRange,
  Outcome,
  OutcomeName,
} from './activity/activity';
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
export { USER_DIRECTORY, type UserDirectory, type UserProfile } from './extensions/user-directory';
export { ProblemFilter } from './http/problem.filter';
export { METRICS_REGISTRY } from './observability/shared-metrics';
export { getActivityToken } from './options/activity-token';
export type {
  ActivityModuleExtras,
  ActivityModuleOptions,
  ControllerConfig,
  LeaderboardConfig,
} from './options/activity.options';
export type { RedisOptions } from './options/redis-options';
export { RankController } from './ranks/rank.controller';
export { RankService } from './ranks/rank.service';
export { ActivityRecordedEvent } from './recording/app-events';
export { ActivityController } from './recording/activity.controller';
export { ActivityService } from './recording/activity.service';
export { ActivityHealth } from './redis/activity-health';
export { REDIS_CLIENT } from './redis/redis-connection';
export { defaultRules } from './rules/default-rules';
export type { LimitConfig } from './rules/limit';
export { defineLimit } from './rules/limit-type';
export type { Rule } from './rules/rule';
export { ScoreVisit, SkipVisit, type VisitOptions } from './visits/visit.decorators';
export { VisitInterceptor } from './visits/visit.interceptor';
