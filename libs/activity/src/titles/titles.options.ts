import { type EntriesOf, object, optional, type OutputOf, read, whole } from '../core/schema/schema';

/** Options of `TitlesModule.forRoot`; the rules themselves are providers marked by `@TitleRule`. */
export interface TitlesModuleOptions {
  /** How long a title is cached, 0 to 60,000. @defaultValue `5_000` */
  readonly cacheMs?: number | undefined;
  /**
   * How long the rules may take for one page, 1 to 10,000; users without a title by then are shown without one.
   * @defaultValue `250`
   */
  readonly timeoutMs?: number | undefined;
  /**
   * For how many of the first users a settled period stores titles, 0 to 1,000,000, and for the first of each tally at
   * any rank. Others have no title there. If rules need `counts`, settling reads the ledgers of these users.
   * @defaultValue `1_000`
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
