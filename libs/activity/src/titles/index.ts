/**
 * Titles that users earn: import {@link TitlesModule} beside `ActivityModule`.
 * @module @laurel/activity/titles
 */
export {
  BusiestCommenter,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  SevenDayStreak,
} from './ready-rules';
export type { TitleFacts } from './title-facts';
export { type TitleAnswer, TitleRule, type TitleRuleOptions } from './title-rules';
export { TitlesModule } from './titles.module';
export type { TitlesModuleOptions } from './titles.options';
