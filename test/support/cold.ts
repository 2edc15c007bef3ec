import type { Ledger } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
// Private: the module hands its own cold store to nobody; what lies in any store can be read by its form alone.
import { RedisColdLedgers } from '../../libs/activity/src/cold/redis-cold-ledgers';
import { thawed } from '../../libs/leaderboard/src/ledger/cold/cold-form';

export { RedisColdLedgers, thawed };

/** Lets old ledgers of a ledger go to Redis' own cold store. */
export function keepCold(redis: Redis, ledger: Ledger, retentionMs: number | null = null): RedisColdLedgers {
  const store = new RedisColdLedgers(redis, ledger.settings.prefix);
  ledger.keepCold({ store, retentionMs });
  return store;
}

/** The keys of ledgers and their pages that are in Redis. */
export async function hotLedgers(redis: Redis, { settings: { prefix } }: Ledger): Promise<string[]> {
  const found = await redis.keys(`{${prefix}:*}:ledger*`);
  return found.map((key) => key.slice(key.indexOf('}:') + 2)).sort();
}
