import { BoardReader, Leaderboard, ScoreLayout, type Score } from '@laurel/leaderboard';
import { plainLayout, shardOf } from '@laurel/leaderboard/internals';
import { type CountingRedis, countingRedis, freshPrefix, ManualClock, testRedis } from '../../support';

const distinct = 4_500;

/** The scores that each script call found meanwhile, of all parts together. */
async function foundDuring(redis: CountingRedis, read: () => Promise<unknown>): Promise<number[]> {
  const replies = await redis.repliesDuring(read);
  return replies.filter(isFound).map((reply) => reply.flatMap(([, , found]) => found).length);
}

/** Replies of `distinct-ahead`: three values a part, the third of them a list. */
function isFound(reply: unknown): reply is [isDone: number, edge: string, found: string[]][] {
  return Array.isArray(reply) && Array.isArray(reply[0]) && Array.isArray(reply[0][2]);
}

describe.each([1, 4])('dense ranks on %d shards', (shards) => {
  it.each(['plain', 'packed', 'lexical'] as const)(
    'are counted exactly on %s boards, by calls that find 1,000 scores at most',
    async (name) => {
      const redis = await countingRedis();
      const layouts = {
        plain: ScoreLayout.plain(),
        packed: ScoreLayout.packed(),
        lexical: ScoreLayout.lexical({ dimensions: ['a', 'b'] }),
      };
      for (const order of ['desc', 'asc'] as const) {
        const layout = layouts[name] as ScoreLayout<Score>;
        const board = new Leaderboard<Score>(redis, { key: freshPrefix(), shards, order, layout });
        const scoreOf = (points: number): Score => (name === 'lexical' ? [points, 7] : points);
        const lines = Array.from({ length: 2 * distinct }, (_, i) => {
          return { member: `m${i}`, score: scoreOf(Math.floor(i / 2)) };
        });
        for (let i = 0; i < lines.length; i += 1_000) await board.setMany(lines.slice(i, i + 1_000));
        const rankOf = (points: number) => (order === 'desc' ? distinct - points : points + 1);
        const last = order === 'desc' ? 'm0' : `m${2 * distinct - 1}`;
        const calls = await foundDuring(redis, async () => {
          expect(await board.rank(last, { ranking: 'dense' })).toBe(distinct);
        });
        expect(Math.max(...calls)).toBeLessThanOrEqual(1_000);
        expect(calls.length).toBeGreaterThanOrEqual(4);
        const asked = ['m17', 'm8000', 'nobody', 'm4444', 'm4445'];
        expect(await board.ranks(asked, { ranking: 'dense' })).toEqual([
          rankOf(8),
          rankOf(4_000),
          null,
          rankOf(2_222),
          rankOf(2_222),
        ]);
        expect((await board.range(6_001, 3, { ranking: 'dense' })).map(({ rank }) => rank)).toEqual([
          3_001, 3_002, 3_002,
        ]);
      }
    },
  );

  it('are counted of scores as old as allowed, of the best ones alone as far as they are asked for', async () => {
    const redis = await countingRedis();
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const prefix = freshPrefix();
    const keys = Array.from({ length: shards }, (_, i) => `{${prefix}-${i}}`);
    const place = (member: string) => shardOf(member, shards);
    const write = (member: string, score: number) => redis.zadd(keys[place(member)] as string, score, member);
    await Promise.all(Array.from({ length: distinct }, (_, i) => write(`m${i}`, i)));
    const reader = new BoardReader(redis, {
      keys,
      shardOf: place,
      layout: plainLayout('desc'),
      denseMaxAgeMs: 100,
      clock,
    });
    const rank = (member: string) => reader.rank(member, { ranking: 'dense' });
    const calls = (member: string, expected: number) =>
      foundDuring(redis, async () => expect(await rank(member)).toBe(expected));

    expect(await calls(`m${distinct - 1}`, 1)).toEqual([0]);
    expect(await calls(`m${distinct - 101}`, 101)).toEqual([100]);
    expect(await calls(`m${distinct - 51}`, 51)).toEqual([]);
    const further = await calls('m0', distinct);
    expect(further.reduce((a, b) => a + b)).toBe(distinct - 101);
    expect(await calls('m0', distinct)).toEqual([]);

    await write('new', distinct + 1);
    // 4,499 scores are kept for 0.04 ms each.
    clock.advance(179);
    expect(await calls('m0', distinct)).toEqual([]);
    expect(await rank('new')).toBe(1);
    clock.advance(1);
    expect((await calls('m0', distinct + 1)).reduce((a, b) => a + b)).toBe(distinct);
    clock.advance(-1_000);
    expect(await calls(`m${distinct - 1}`, 2)).toEqual([1]);
  });

  it('let other commands run while they are counted, also those of many who count at once', async () => {
    const redis = await countingRedis();
    const board = new Leaderboard(redis, { key: freshPrefix(), shards });
    for (let i = 0; i < distinct; i += 1_500) {
      await board.setMany(Array.from({ length: 1_500 }, (_, j) => ({ member: `m${i + j}`, score: i + j })));
    }
    const other = testRedis();
    let isCounting = true;
    const counted = Promise.all(Array.from({ length: 5 }, () => board.rank('m0', { ranking: 'dense' }))).finally(
      () => (isCounting = false),
    );
    let answered = 0;
    while (isCounting) {
      await other.ping();
      answered += 1;
    }
    expect(await counted).toEqual(new Array<number>(5).fill(distinct));
    // Each waits for one call at most: there are some five calls of each.
    expect(answered).toBeGreaterThan(10);
  });
});

it('are counted after a call that failed as if it had not been', async () => {
  const redis = await countingRedis();
  const key = `{${freshPrefix()}}`;
  const lines = Array.from({ length: distinct }, (_, i) => [i, `m${i}`]);
  await redis.zadd(key, ...lines.flat());
  const options = { keys: [key], shardOf: () => 0, layout: plainLayout('desc'), denseMaxAgeMs: 60_000 };
  const reader = new BoardReader(redis, options);
  expect(await reader.rank(`m${distinct - 10}`, { ranking: 'dense' })).toBe(10);
  const evalsha = redis.evalsha.bind(redis);
  const sent = jest.spyOn(redis, 'evalsha');
  sent.mockImplementation((...args) =>
    sent.mock.calls.length === 3 ? Promise.reject(new Error('The connection is lost.')) : evalsha(...args),
  );
  await expect(reader.rank('m0', { ranking: 'dense' })).rejects.toThrow('The connection is lost.');
  sent.mockRestore();
  expect(await reader.rank('m0', { ranking: 'dense' })).toBe(distinct);
});
