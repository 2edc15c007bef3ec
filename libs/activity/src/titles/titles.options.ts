import { type EntriesOf, object, optional, type OutputOf, read, whole } from '../core/schema/schema';

/** What `TitlesModule.forRoot` takes; the rules themselves are providers marked by `@TitleRule`. */
export interface TitlesModuleOptions {
  /** How long a title is cached, 0 to 60,000. @defaultValue `5_000` */
  readonly cacheMs?: number | undefined;
  /**
   * How long the rules may take for one page, 1 to 10,000; users without a title by then are shown without one.
   * @defaultValue `250`
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How many of the first users keep their titles in a settled period, 0 to 1,000,000; the first of a tally keeps
   * theirs at any rank. Others have no title there. Settling reads the ledgers of the period's days of each, on a
   * board with `counts`. @defaultValue `1_000`
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
