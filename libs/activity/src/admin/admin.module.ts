import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { LedgerWalk } from '../tools/ledger-walk';
import { RingReport } from '../tools/ring-report';
import { RuleSimulation } from '../tools/rule-simulation';
import { StandingsWalk } from '../tools/standings-walk';
import { OutcomeMinutes } from './outcome-minutes';
import { OutcomesController } from './outcomes.controller';
import { RingsController } from './rings.controller';
import { SimulationsController } from './simulations.controller';

/**
 * Shows operators the latest outcomes, rings of users, and how a period would stand under other rules. Import it beside
 * `ActivityModule`.
 */
@Module({ providers: [LedgerWalk, OutcomeMinutes, RingReport, RuleSimulation, StandingsWalk] })
export class AdminModule {
  /** The module. */
  static forRoot(extras: ModuleBesideExtras = {}): DynamicModule {
    return besideActivity([OutcomesController, RingsController, SimulationsController])(
      { module: AdminModule },
      extras,
    );
  }
}
