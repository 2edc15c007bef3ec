/**
 * Levels, badges and streaks: import {@link RewardsModule} beside `ActivityModule`.
 * @module @laurel/activity/rewards
 */
export { BadgeWonEvent, LevelReachedEvent, Rewards } from './rewards';
export type { UserRewards } from './rewards.answers';
export { RewardsModule } from './rewards.module';
export type { RewardsModuleOptions } from './rewards.options';
