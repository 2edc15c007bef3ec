import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { LedgerWalk } from './ledger-walk';
import { RingReport } from './ring-report';
import { RuleSimulation } from './rule-simulation';
import { StandingsWalk } from './standings-walk';
import { Takeovers } from './takeover/takeovers';
import { BoardAudits } from './verify/board-audits';

/** Reports over ledgers and standings, for operators' programs. Import it beside `ActivityModule`. */
@Module({
  providers: [BoardAudits, LedgerWalk, RingReport, RuleSimulation, StandingsWalk, Takeovers],
  exports: [BoardAudits, RingReport, RuleSimulation, StandingsWalk, Takeovers],
})
export class ToolsModule {
  /** The module. */
  static forRoot(extras: Pick<ModuleBesideExtras, 'activity' | 'isGlobal'> = {}): DynamicModule {
    return besideActivity([])({ module: ToolsModule }, extras);
  }
}
