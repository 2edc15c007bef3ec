/**
 * Users' grants with their reasons, and their quotas: import {@link AccountModule} beside
 * `ActivityModule`.
 * @module @laurel/activity/account
 */
export { AccountModule } from './account.module';
export { LedgerService } from './ledger.service';
export { LimitQuotas } from './limit-quotas';
