import { readStoredSettings, type RedisClient } from '@laurel/leaderboard';
import type { ActivityModuleOptions } from '../core/options/activity.options';
import type { About } from '../core/options/stored-options';
import { rulesIn } from './rule-versions';

/** The options of the app that writes under a prefix. */
export type StoredOptions = About & Pick<ActivityModuleOptions, 'prefix' | 'shards' | 'timezone' | 'rules' | 'limits'>;

/**
 * How the data under a prefix was made, as the app that was started last has stored it: time zone, week start,
 * leaderboards with their actions and points, shards, rules and limits. A program that takes its options from here
 * works on the app's leaderboards. Two round trips.
 * @returns null if there is no data.
 */
export async function storedOptions(redis: RedisClient, prefix = 'lr'): Promise<StoredOptions | null> {
  const stored = await readStoredSettings(redis, prefix);
  if (stored === null) return null;
  const { shards, timezone, terms } = stored;
  const about = JSON.parse(stored.about ?? '{}') as About;
  return { prefix, shards, timezone, ...about, ...(terms !== null && rulesIn(terms.text)) };
}
