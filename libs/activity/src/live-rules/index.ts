/**
 * Rules that change while the app runs: import {@link LiveRulesModule} beside `ActivityModule`.
 * @module @laurel/activity/live-rules
 */
export { LiveRules } from './live-rules';
export { LiveRulesModule } from './live-rules.module';
