import { LeaderboardError } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import type { RedisConnection } from './redis-connection';
import { runInRedis } from './run-in-redis';

it('passes on what the engine says of why work was cut short', async () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const connection = { isReady: true, assertNotRefused: () => undefined, refusals: { note: () => undefined } };
  const why = new LeaderboardError('unavailable', 'Members were moved to other shards meanwhile: run it again.');
  const work = runInRedis(connection as unknown as RedisConnection, () => Promise.reject(why));
  await expect(work).rejects.toMatchObject({ code: 'unavailable', message: why.message });
  jest.restoreAllMocks();
});
