import { Module } from '@nestjs/common';
import { plainModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { AccountController } from './account.controller';
import { ActionCounts } from './action-counts';
import { LedgerService } from './ledger.service';
import { LimitQuotas } from './limit-quotas';
import { RefusalTrace } from './refusal-trace';
import { UserData } from './user-data';
import './openapi.generated';

/**
 * Shows users what they were granted and why, and what is left of their limits; shows operators what was refused.
 * Import it beside `ActivityModule`.
 */
@Module({
  providers: [
    ...[ActionCounts, LedgerService, LimitQuotas, RefusalTrace, UserData],
    brings([RefusalTrace], (trace) => ({
      refusals: trace,
      erasers: [trace],
      records: [{ kind: trace.kind, of: (userId) => trace.told(userId) }],
    })),
  ],
  exports: [ActionCounts, LedgerService, LimitQuotas, RefusalTrace, UserData],
})
export class AccountModule extends plainModule([AccountController]) {}
