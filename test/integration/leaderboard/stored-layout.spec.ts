import { Leaderboard } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

afterAll(closeTestRedis);

describe('a board whose layout is about to be forgotten', () => {
  it('stores it again with the first write after that', async () => {
    const redis = testRedis();
    const key = freshPrefix();
    const clock = new ManualClock('2036-11-20T12:00:00Z');
    const hourMs = 3_600_000;
    await new Leaderboard(redis, { key, clock }).set('ann', 1);
    await redis.pexpire(keys.boardLayout(key), hourMs);
    const writer = new Leaderboard(redis, { key, clock });
    await writer.set('ann', 2);
    await redis.del(keys.boardLayout(key));
    clock.advance(hourMs + 1);
    await writer.set('ann', 3);
    expect(await redis.hget(keys.boardLayout(key), 'shards')).toBe('1');
    await expect(new Leaderboard(redis, { key, clock, shards: 2 }).set('ann', 4)).rejects.toMatchObject({
      code: 'shardCountMismatch',
    });
  });
});
