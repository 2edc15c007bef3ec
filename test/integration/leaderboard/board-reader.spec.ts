import { BoardReader } from '@laurel/leaderboard';
import { plainLayout, shardOf } from '@laurel/leaderboard/internals';
import { freshPrefix, testRedis } from '../../support/redis';

describe.each([1, 3])('a board of %d shards whose lowest entries are hidden', (shards) => {
  it('counts between any two scores as many as it shows', async () => {
    const redis = testRedis();
    const prefix = freshPrefix();
    const keys = Array.from({ length: shards }, (_, i) => `{${prefix}-${i}}`);
    const place = (member: string): number => shardOf(member, shards);
    for (let i = 0; i < 60; i++) await redis.zadd(keys[place(`user-${i}`)] as string, i % 6, `user-${i}`);
    const reader = new BoardReader(redis, { keys, shardOf: place, layout: plainLayout('desc'), minScore: 2 });
    for (const [min, max] of [
      [-Infinity, Infinity],
      [0, 1],
      [1, 2],
      [2, 2],
      [0, 3],
      [-5, -1],
    ] as const) {
      expect(await reader.countBetween(min, max)).toBe((await reader.between(min, max)).length);
    }
    expect(await reader.countBetween(-Infinity, Infinity)).toBe(40);
    const last = (await reader.range(39, 1))[0];
    const missing = { size: 40, entry: null, percentile: null, around: [], at: null };
    expect(await reader.standings(['user-0'], { radius: 1, at: 41 })).toEqual([missing]);
    expect(await reader.standings(['user-0', last?.member ?? ''], { radius: 1, at: 40 })).toMatchObject([
      ...[
        { ...missing, at: last },
        { size: 40, entry: last, percentile: 0, at: last },
      ],
    ]);
  });
});
