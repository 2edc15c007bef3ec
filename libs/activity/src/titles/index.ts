/**
 * Titles that users earn: import {@link TitlesModule} beside `ActivityModule`.
 * @module @laurel/activity/titles
 */
export { BusiestCommenter } from './built-in/busiest-commenter';
export { MostFollowed } from './built-in/most-followed';
export { MostPraised } from './built-in/most-praised';
export { NewcomerOfTheWeek } from './built-in/newcomer-of-the-week';
export { NightOwl } from './built-in/night-owl';
export { SevenDayStreak } from './built-in/seven-day-streak';
export type { TitleFacts } from './title-facts';
export { type TitleAnswer, TitleRule, type TitleRuleOptions } from './title-rule';
export { TitlesModule } from './titles.module';
export type { TitlesModuleOptions } from './titles.options';
