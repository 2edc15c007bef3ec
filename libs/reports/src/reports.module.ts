import { plainModule } from '@laurel/activity/internals';
import { Module } from '@nestjs/common';
import { BoardAudits } from './board-audits';
import { LedgerWalk } from './ledger-walk';
import './openapi.generated';
import { Revaluation } from './revaluation';
import { RevaluationsController } from './revaluations.controller';
import { RingReport } from './ring-report';
import { RingsController } from './rings.controller';
import { RuleSimulation } from './rule-simulation';
import { SimulationsController } from './simulations.controller';
import { StandingsWalk } from './standings-walk';

/**
 * Shows operators rings of users, and how a period would stand under other rules; compares boards with their ledgers.
 * Import it beside `ActivityModule`.
 */
@Module({
  providers: [BoardAudits, LedgerWalk, Revaluation, RingReport, RuleSimulation, StandingsWalk],
  exports: [BoardAudits, Revaluation, RingReport, RuleSimulation, StandingsWalk],
})
export class ReportsModule extends plainModule([RevaluationsController, RingsController, SimulationsController]) {}
