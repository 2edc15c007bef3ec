/**
 * Periods made final, archived and announced: import {@link SettlementModule} beside `ActivityModule`.
 * @module @laurel/activity/settlement
 */
export {
  type ArchivedEntry,
  type ArchiveDraft,
  type HiddenPlace,
  type SettledPeriod,
  type SettledTitle,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from './archive/standings-archive';
export type { Title } from '../core/extensions/title-source';
export { LeaderboardSettledEvent } from './leaderboard-settled.event';
export { PastRanks } from './past/past-ranks';
export { type HearSettled, SettledListener } from './settled-listener';
export { SettlementModule } from './settlement.module';
export type { SettlementModuleOptions } from './settlement.options';
export { SettlementService } from './settlement.service';
