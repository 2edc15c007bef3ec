/**
 * Live standings as server-sent events: import {@link LiveModule} beside `ActivityModule`.
 * @module @laurel/activity/live
 */
export { LiveModule } from './live.module';
export type { LiveModuleOptions } from './live.options';
