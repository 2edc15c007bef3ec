/**
 * Rules and leaderboards that change while the app runs: import {@link LiveRulesModule} beside `ActivityModule`.
 * @module @laurel/activity/live-rules
 */
export type { LiveLeaderboard } from './leaderboards.responses';
export { LiveLeaderboards } from './live-leaderboards';
export { LiveRules } from './live-rules';
export { LiveRulesModule } from './live-rules.module';
