/**
 * Reports over ledgers and standings for operators: import {@link ReportsModule} beside `ActivityModule`.
 * @module @laurel/reports
 */
export { type BoardAuditOptions, type BoardAuditReport, BoardAudits } from './board-audits';
export { ReportedRings } from './reported-rings';
export { ReportsModule } from './reports.module';
export { Revaluation, type RevaluationOptions, RevaluationReport } from './revaluation';
export { RingReport, type RingReportOptions } from './ring-report';
export { Ring } from './rings/ring';
export { RuleSimulation, type SimulationOptions } from './rule-simulation';
export { SimulatedStanding, Simulation } from './simulation';
export { StandingsWalk, type StandingsWalkOptions, type StandingsWalkPage } from './standings-walk';
