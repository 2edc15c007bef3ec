import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { LedgerWalk } from '../tools/ledger-walk';
import { RingReport } from '../tools/ring-report';
import { RuleSimulation } from '../tools/rule-simulation';
import { StandingsWalk } from '../tools/standings-walk';
import { Operations } from './operations';
import { OperatorsController } from './operators.controller';
import { RingsController } from './rings.controller';
import { SimulationsController } from './simulations.controller';

/**
 * Shows operators who of them did what, rings of users, and how a period would stand under other rules. Import it
 * beside `ActivityModule`.
 */
@Module({ providers: [LedgerWalk, Operations, RingReport, RuleSimulation, StandingsWalk] })
export class AdminModule {
  /** The module. */
  static forRoot(extras: ModuleBesideExtras = {}): DynamicModule {
    const routes = [OperatorsController, RingsController, SimulationsController];
    return besideActivity(routes)({ module: AdminModule }, extras);
  }
}
