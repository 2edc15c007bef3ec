import type { TitleConfig } from '../options/activity.options';
import { allowedCacheMs } from '../options/allowed';
import { checkedKeys, checkedWhole, optionError } from '../errors/check';
import type { TitleSettings } from '../options/settings';

/** @throws ActivityError `invalidOption` */
export function resolveTitles(config: TitleConfig = {}): TitleSettings {
  checkedKeys('titles', config, ['cacheMs', 'timeoutMs', 'firstDays'] satisfies (keyof TitleConfig)[]);
  const { cacheMs = 5_000, timeoutMs = 250, firstDays = false } = config;
  if (typeof firstDays !== 'boolean') throw optionError('titles.firstDays', firstDays, 'use true or false');
  return Object.freeze({
    cacheMs: checkedWhole('titles.cacheMs', cacheMs, allowedCacheMs),
    timeoutMs: checkedWhole('titles.timeoutMs', timeoutMs, [1, 10_000]),
    firstDays,
  });
}
