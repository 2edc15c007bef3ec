import type { RedisClient } from '@laurel/leaderboard';
import { withBetween } from '../../../support/between-trips';

/** Calls what is under test, and breaks the connection ahead of round trip `trip`; tells whether it came to that. */
export async function cutShort(
  redis: RedisClient,
  trip: number,
  call: (wasCut: () => boolean) => Promise<unknown>,
): Promise<boolean> {
  let wasCut = false;
  const work = (): never => {
    wasCut = true;
    throw new Error('Connection is closed.');
  };
  await withBetween(redis, { trip, work }, () => call(() => wasCut)).catch(() => undefined);
  return wasCut;
}
