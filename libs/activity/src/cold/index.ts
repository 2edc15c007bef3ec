/**
 * Ledgers that outlive their days in Redis: import {@link ColdLedgersModule} beside `ActivityModule`.
 * @module @laurel/activity/cold
 */
export type { ColdLedger, ColdLedgers, ColdPlace, ColdQuestion } from '@laurel/leaderboard/internals';
export { ColdLedgersModule } from './cold.module';
export type { ColdLedgersModuleOptions, ColdStores } from './cold.options';
