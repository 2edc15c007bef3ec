import { Leaderboard, ScoreLayout, type LeaderboardOptions, type Score } from '@laurel/leaderboard';
import { countingRedis, freshPrefix, type CountingRedis } from '../../support/redis';

const size = 11_000;

describe('calls on a large board', () => {
  let redis: CountingRedis;

  beforeAll(async () => {
    redis = await countingRedis();
  });

  type Options = Partial<LeaderboardOptions<Score>>;
  const boards: [name: string, shards: number, options: Options, scoreOf: (i: number) => Score][] = [
    ['plain', 1, {}, (i) => i],
    ['ascending', 4, { order: 'asc', shards: 4 }, (i) => i],
    ['lexical', 4, { layout: ScoreLayout.lexical({ dimensions: ['a', 'b'] }), shards: 4 }, (i) => [i, 1]],
  ];

  async function boardOf(options: Options, scoreOf: (i: number) => Score) {
    const key = freshPrefix();
    const board = new Leaderboard<Score>(redis, { key, ...options });
    const lines = Array.from({ length: size }, (_, i) => ({ member: `m${i}`, score: scoreOf(i) }));
    await board.setMany(lines);
    return { key, board };
  }

  it.each(boards)(
    'remove 2,000 entries at most: a range of a %s board of %d shards',
    async (_, __, options, scoreOf) => {
      const { board } = await boardOf(options, scoreOf);
      const replies = await redis.repliesDuring(async () => {
        expect(await board.removeBetween(scoreOf(10), scoreOf(size - 11))).toBe(size - 20);
      });
      const removed = replies.filter((reply) => typeof reply === 'number');
      expect(Math.max(...removed)).toBeLessThanOrEqual(2_000);
      expect(await board.size()).toBe(20);
      const middle = (await board.range(9, 2)).map(({ member }) => member);
      expect(middle.sort()).toEqual(['m9', `m${size - 10}`].sort());
    },
  );

  it.each(boards)(
    'remove 2,000 entries at most: what a lowered limit leaves of a %s board of %d shards',
    async (_, __, options, scoreOf) => {
      const { key, board } = await boardOf(options, scoreOf);
      const small = new Leaderboard<Score>(redis, { key, limit: 50, ...options });
      const best = (await board.top(50)).map(({ member }) => member);
      const replies = await redis.repliesDuring(() =>
        small.set(best[0] as string, scoreOf(options.order === 'asc' ? 0 : size)),
      );
      // One shard removes by itself, and is asked again; of several, what falls off is removed from each.
      expect(replies.length).toBeGreaterThanOrEqual(5);
      expect(Math.max(0, ...replies.filter((reply) => typeof reply === 'number'))).toBeLessThanOrEqual(2_000);
      expect(await board.size()).toBe(50);
      expect((await board.top(50)).map(({ member }) => member)).toEqual(best);
      // The next write finds nothing more to remove.
      const next = await redis.repliesDuring(() => small.set('late', scoreOf(options.order === 'asc' ? size : 0)));
      expect(next.filter((reply) => typeof reply === 'number' && reply > 1)).toEqual([]);
      expect(await board.size()).toBe(50);
    },
  );

  it.each(boards)(
    'read 5,000 entries at most: a range of a %s board of %d shards that has no count',
    async (_, __, options, scoreOf) => {
      const { board } = await boardOf(options, scoreOf);
      for (const ranking of ['ordinal', 'competition', 'dense'] as const) {
        const [min, max] = [scoreOf(5), scoreOf(size - 6)];
        const expected = (await board.range(5, size - 10, { ranking })).map(({ member, rank }) => [member, rank]);
        const replies = await redis.repliesDuring(async () => {
          const all = await board.between(min, max, { ranking });
          expect(all.map(({ member, rank }) => [member, rank])).toEqual(expected);
        });
        const members = replies.map((reply) => JSON.stringify(reply).split('m').length - 1);
        // Of several shards each gives its share and a margin.
        expect(Math.max(...members)).toBeLessThan(7_000);
        const some = await board.between(min, max, { ranking, offset: 3, count: 7_000 });
        expect(some.map(({ member, rank }) => [member, rank])).toEqual(expected.slice(3, 7_003));
      }
    },
  );
});

it('gives nobody twice who moves down while a range is read', async () => {
  const redis = await countingRedis();
  const board = new Leaderboard(redis, { key: freshPrefix() });
  await board.setMany(Array.from({ length: size }, (_, i) => ({ member: `m${i}`, score: i })));
  await board.between(0, 1);
  const evalsha = redis.evalsha.bind(redis);
  const sent = jest.spyOn(redis, 'evalsha');
  sent.mockImplementationOnce(async (...args) => {
    const reply = await evalsha(...args);
    // The best one, which was read, falls to where nobody has looked yet.
    await board.set(`m${size - 1}`, 1.5);
    return reply;
  });
  const all = await board.between(-Infinity, Infinity);
  sent.mockRestore();
  expect(all).toHaveLength(size);
  expect(new Set(all.map(({ member }) => member)).size).toBe(size);
});
