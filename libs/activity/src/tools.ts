/**
 * Reports over ledgers and standings, for operators' programs: import {@link ToolsModule} beside `ActivityModule`.
 * @module @laurel/activity/tools
 */
export { StandingsWalk, type StandingsWalkOptions, type StandingsWalkPage } from './tools/standings-walk';
export { ReportedRings } from './tools/reported-rings';
export { RingReport, type RingReportOptions } from './tools/ring-report';
export { Ring } from './tools/rings/ring';
export { RuleSimulation, type SimulationOptions } from './tools/rule-simulation';
export { SimulatedStanding, Simulation } from './tools/simulation';
export {
  type DayDifference,
  DayTakeover,
  type DayTakeoverOptions,
  type SourceAction,
  type SourceDay,
} from './tools/takeover/day-takeover';
export {
  ScoreTakeover,
  type ScoreChange,
  type ScoreTarget,
  type SourceScore,
  type TakenScore,
} from './tools/takeover/score-takeover';
export { Takeovers, type TakeoverOptions } from './tools/takeover/takeovers';
export { ToolsModule } from './tools/tools.module';
export { BoardAudits, type BoardAuditOptions, type BoardAuditReport } from './tools/verify/board-audits';
