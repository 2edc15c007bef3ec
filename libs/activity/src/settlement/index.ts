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
export type { Title } from '../core/extensions/standings';
export { type HearSettled, LeaderboardSettledEvent, SettledListener } from './settled-listeners';
export { PastRanks } from './past/past-ranks';
export { SettlementModule } from './settlement.module';
export type { SettlementModuleOptions } from './settlement.options';
export { SettlementService } from './settlement.service';
