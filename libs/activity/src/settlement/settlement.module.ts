import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { brings } from '../core/extensions/extensions';
import { ACTIVITY_SETTINGS } from '../core/options/settings';
import { ArchivedPast } from './past/archived-past';
import { LivePeriods } from './past/live-periods';
import { PastPeriods } from './past/past-periods';
import { PastRanks } from './past/past-ranks';
import { SettledListeners } from './settled-listeners';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './settlement.module-definition';
import { SettlementReport } from './settlement-report';
import { resolveSettlement, SETTLEMENT_SETTINGS } from './settlement.options';
import { SettlementService } from './settlement.service';
import { SettlementState } from './settlement-state';
import './openapi.generated';

/**
 * Settles periods: when a period has closed, makes its standings final and announces `leaderboard.settled`. Serves past
 * periods, and the ranks won or lost since the period before. Import it beside `ActivityModule`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: SETTLEMENT_SETTINGS,
      inject: [MODULE_OPTIONS_TOKEN, ACTIVITY_SETTINGS],
      useFactory: resolveSettlement,
    },
    ArchivedPast,
    LivePeriods,
    PastPeriods,
    PastRanks,
    SettledListeners,
    SettlementReport,
    SettlementService,
    SettlementState,
    brings([ArchivedPast], (past) => ({
      past,
      erasers: [{ kind: 'archived', erase: (userId) => past.erase(userId) }],
      records: [{ kind: 'settled', of: (userId) => past.told(userId) }],
    })),
  ],
  exports: [PastRanks, SettlementService],
})
export class SettlementModule extends ConfigurableModuleClass {
  /**
   * The module with these options. A bad one stops the app's start.
   * @throws ActivityError `invalidOption` at the start, which names each bad option, its value and what is allowed.
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** The module with the options that a factory or a class gives, from what it `inject`s. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
