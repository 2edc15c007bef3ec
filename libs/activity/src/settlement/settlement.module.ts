import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { configurableModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { ACTIVITY_SETTINGS } from '../core/options/settings';
import { ArchivedPast } from './past/archived-past';
import { PastController } from './past/past.controller';
import { PastRanks } from './past/past-ranks';
import { SettledListeners } from './settled-listeners';
import { SettlementReport } from './settlement-report';
import { resolveSettlement, SETTLEMENT_SETTINGS, type SettlementModuleOptions } from './settlement.options';
import { SettlementService } from './settlement.service';
import { SettlementStateController } from './settlement-state.controller';
import './openapi.generated';

const routes = [PastController, SettlementStateController];
const { Base, OPTIONS } = configurableModule<SettlementModuleOptions, 'Settlement'>('Settlement', routes);

/**
 * Settles periods: when a period has closed, makes its standings final and announces `leaderboard.settled`. Serves past
 * periods, and the ranks won or lost since the period before. Import it beside `ActivityModule`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: SETTLEMENT_SETTINGS, inject: [OPTIONS, ACTIVITY_SETTINGS], useFactory: resolveSettlement },
    ...[ArchivedPast, PastRanks, SettledListeners, SettlementReport, SettlementService],
    brings([ArchivedPast], (past) => ({
      past,
      erasers: [{ kind: 'archived', erase: (userId) => past.erase(userId) }],
      records: [{ kind: 'settled', of: (userId) => past.told(userId) }],
    })),
  ],
  exports: [PastRanks, SettlementService],
})
export class SettlementModule extends Base {}
