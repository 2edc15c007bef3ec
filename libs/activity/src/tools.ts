/**
 * Reports over ledgers and standings, for operators' programs: import {@link ToolsModule} beside `ActivityModule`.
 * @module @laurel/activity/tools
 */
export { StandingsWalk, type StandingsWalkOptions, type StandingsWalkPage } from './tools/standings-walk';
export type { Ring } from './tools/rings/find-rings';
export { RingReport, type ReportedRings, type RingReportOptions } from './tools/rings/ring-report';
export { RuleSimulation, type SimulationOptions } from './tools/rule-simulation';
export { SimulatedStanding, Simulation } from './tools/simulation';
export { ToolsModule } from './tools/tools.module';
export { BoardAudits, type BoardAuditOptions, type BoardAuditReport } from './tools/verify/board-audits';
