import type { RedisClient } from '@laurel/leaderboard';

/** From which day on the days of a source were taken over field by field. */
function takenDaysKey(prefix: string): string {
  return `{${prefix}}:taken-over`;
}

/**
 * The day from which on a source's days are taken over field by field: the first one that was ever given. Two round
 * trips, one where nothing is to be stored.
 */
export async function firstTakenDay(
  redis: RedisClient,
  prefix: string,
  { source, firstDay, stores }: { readonly source: string; readonly firstDay: string; readonly stores: boolean },
): Promise<string> {
  const key = takenDaysKey(prefix);
  if (stores) await redis.hsetnx(key, source, firstDay);
  return (await redis.hget(key, source)) ?? firstDay;
}
