import { BoardReader, type Order } from '@laurel/leaderboard';
import { plainLayout, shardOf } from '@laurel/leaderboard/internals';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

afterAll(closeTestRedis);

/** Members whose bytes and UTF-16 units sort differently, hostile ones among them. */
const odd = ['{}', 'a:b', 'new\nline', '\u{1F3C6}', '\uFFFD', 'é', ' ', '{x}:board', 'Z', 'z'];

describe.each([1, 3])('a board of %d shards without a Leaderboard', (shards) => {
  it.each<Order>(['desc', 'asc'])('reads the same %s order in every way', async (order) => {
    const redis = testRedis();
    const prefix = freshPrefix();
    const keys = Array.from({ length: shards }, (_, i) => `{${prefix}-${i}}`);
    const members = [...odd, ...Array.from({ length: 600 }, (_, i) => `user-${i}`)];
    const scores = new Map(members.map((member, i) => [member, i % 3 === 0 ? 7 : i % 41]));
    const place = (member: string): number => shardOf(member, shards);
    for (const [member, score] of scores) await redis.zadd(keys[place(member)] as string, score, member);
    const sign = order === 'desc' ? -1 : 1;
    const sorted = [...scores].sort(
      ([a, x], [b, y]) => sign * (x - y || Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    const ranks = (ranking: string): Map<string, number> => {
      let rank = 0;
      let distinct = 0;
      let before: number | null = null;
      return new Map(
        sorted.map(([member, score], i) => {
          if (score !== before) [rank, distinct, before] = [i + 1, distinct + 1, score];
          return [member, ranking === 'ordinal' ? i + 1 : ranking === 'competition' ? rank : distinct];
        }),
      );
    };
    const reader = new BoardReader(redis, { keys, shardOf: place, layout: plainLayout(order) });
    for (const ranking of ['ordinal', 'competition', 'dense'] as const) {
      const own = ranks(ranking);
      const all = sorted.map(([member, score]) => ({ member, score, rank: own.get(member), reachedAt: null }));
      expect(await reader.top(50, { ranking })).toEqual(all.slice(0, 50));
      for (const offset of [0, 1, 33, 222, 599, 609, 610, 5_000]) {
        expect(await reader.range(offset, 20, { ranking })).toEqual(all.slice(offset, offset + 20));
      }
      for (const member of [...odd, 'user-0', 'user-599', (sorted[0] as [string, number])[0]]) {
        const at = sorted.findIndex(([name]) => name === member);
        expect(await reader.entry(member, { ranking })).toEqual(all[at]);
        const start = Math.max(0, Math.min(at - 4, all.length - 9));
        expect(await reader.around(member, { radius: 4, ranking })).toEqual(all.slice(start, start + 9));
        expect(await reader.standing(member, { radius: 4, at: 333, ranking })).toEqual({
          size: all.length,
          entry: all[at],
          percentile: await reader.percentile(member),
          around: await reader.around(member, { radius: 4 }),
          at: await reader.at(333),
        });
      }
      const asked = [...odd, 'nobody', 'user-7', 'user-598', 'user-7'];
      expect(await reader.ranks(asked, { ranking })).toEqual(asked.map((member) => own.get(member) ?? null));
      const between = all.filter(({ score }) => score >= 5 && score <= 9);
      expect(await reader.between(5, 9, { ranking })).toEqual(between);
      expect(await reader.between(5, 9, { ranking, offset: 250, count: 7 })).toEqual(between.slice(250, 257));
      const paged = [];
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof reader.after>> = await reader.after(cursor, 101, { ranking });
        paged.push(...page.entries);
        if ((cursor = page.next) === null) break;
      }
      expect(paged).toEqual(all);
    }
    expect(await reader.size()).toBe(610);
    expect(await reader.percentile((sorted[0] as [string, number])[0])).toBe(100);
    expect(await reader.countBetween(-Infinity, Infinity)).toBe(610);
  });
});

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
    expect(await reader.standing('user-0', { radius: 1, at: 41 })).toEqual({
      ...{ size: 40, entry: null, percentile: null, around: [], at: null },
    });
    expect(await reader.standing(last?.member ?? '', { radius: 1, at: 40 })).toMatchObject({
      ...{ size: 40, entry: last, percentile: 0, at: last },
    });
  });
});
