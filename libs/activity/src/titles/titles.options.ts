import { checkedKeys, checkedWhole } from '../errors/check';
import { allowedCacheMs } from '../options/allowed';

/** What `TitlesModule.forRoot` takes; the rules themselves are providers marked by `@TitleRule`. */
export interface TitlesModuleOptions {
  /** How long a title is shown before it is found anew, 0 to 60,000. Default 5,000. */
  readonly cacheMs?: number | undefined;
  /** How long the rules may take for one page, 1 to 10,000; a user without a title by then is shown without. Default 250. */
  readonly timeoutMs?: number | undefined;
}

/** {@link TitlesModuleOptions} with every default filled in. */
export type TitleSettings = Readonly<Record<keyof TitlesModuleOptions, number>>;

/** Injects the {@link TitleSettings}. */
export const TITLE_SETTINGS = Symbol('TITLE_SETTINGS');

/** @throws ActivityError `invalidOption` */
export function resolveTitles(options: TitlesModuleOptions): TitleSettings {
  checkedKeys('TitlesModule', options, ['cacheMs', 'timeoutMs'] satisfies (keyof TitlesModuleOptions)[]);
  const { cacheMs = 5_000, timeoutMs = 250 } = options;
  return Object.freeze({
    cacheMs: checkedWhole('TitlesModule.cacheMs', cacheMs, allowedCacheMs),
    timeoutMs: checkedWhole('TitlesModule.timeoutMs', timeoutMs, [1, 10_000]),
  });
}
