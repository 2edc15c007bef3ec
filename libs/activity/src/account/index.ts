/**
 * What users were granted and why, and what is left of their limits: import {@link AccountModule} beside
 * `ActivityModule`.
 * @module @laurel/activity/account
 */
export { AccountModule } from './account.module';
export { LedgerService } from './ledger.service';
export { LimitQuotas } from './limit-quotas';
