import { type EntriesOf, object, optional, type OutputOf, read, whole } from '../schema/schema';

/** What `TitlesModule.forRoot` takes; the rules themselves are providers marked by `@TitleRule`. */
export interface TitlesModuleOptions {
  /** How long a title is shown before it is found anew, 0 to 60,000. Default 5,000. */
  readonly cacheMs?: number | undefined;
  /**
   * How long the rules may take for one page, 1 to 10,000; a user without a title by then is shown without. Default
   * 250.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Of how many of the first a period's titles are settled with it, 0 to 1,000,000; the first of a tally is settled
   * wherever they stand. Others have no title in a settled period. Settling reads of each, on a board with `counts`,
   * the ledgers of the period's days. Default 1,000.
   */
  readonly settledPlaces?: number | undefined;
}

const titles = object({
  cacheMs: optional(whole(0, 60_000), 5_000),
  timeoutMs: optional(whole(1, 10_000), 250),
  settledPlaces: optional(whole(0, 1_000_000), 1_000),
} satisfies EntriesOf<TitlesModuleOptions>);

/** {@link TitlesModuleOptions} with every default filled in. */
export type TitleSettings = OutputOf<typeof titles>;

/** Injects the {@link TitleSettings}. */
export const TITLE_SETTINGS = Symbol('TITLE_SETTINGS');

/** @throws ActivityError `invalidOption` */
export const resolveTitles = (options: TitlesModuleOptions): TitleSettings => read(titles, options, 'TitlesModule');
