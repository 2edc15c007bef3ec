import {
  Leaderboard,
  Period,
  ScoreLayout,
  systemClock,
  type LeaderboardOptions,
  type Score,
} from '@laurel/leaderboard';
import { PackedScore, rankings, shardTags } from '@laurel/leaderboard/internals';
import type { Cluster, Redis } from 'ioredis';
import { keys } from './keys';
import { ManualClock } from './clock';
import type { ContractOptions } from './leaderboard-layouts';
import { freshPrefix } from './redis';

const start = Date.UTC(2026, 10, 20);

/** Six countries' gold, silver and bronze medals. */
const medals = {
  A: [32, 21, 16],
  D: [14, 4, 16],
  C: [20, 7, 12],
  B: [25, 29, 21],
  E: [13, 21, 18],
  F: [13, 17, 14],
} as const;

/** What every leaderboard promises, promise by promise. */
export function leaderboardPromises({ redis, shards }: ContractOptions): void {
  const clock = new ManualClock(start);
  const newBoard = (options: Partial<LeaderboardOptions> = {}): Leaderboard =>
    new Leaderboard(redis(), { key: freshPrefix(), shards, clock, ...options });

  it('keeps the best of thousands of lines in one call, also of a member who falls or rises late in it', async () => {
    const others = Array.from({ length: 998 * shards }, (_, i) => ({ member: `other-${i}`, score: 0 }));
    const falling = [{ member: 'a', score: 10 }, { member: 'b', score: 5 }, ...others, { member: 'a', score: 1 }];
    const board = newBoard({ limit: 1 });
    await board.setMany(falling);
    expect(await board.top(9)).toMatchObject([{ member: 'b', score: 5 }]);
    await board.setMany([{ member: 'c', score: 3 }, ...others, { member: 'b', score: 1 }]);
    expect(await board.top(9)).toMatchObject([{ member: 'c', score: 3 }]);
    const adding = newBoard({ limit: 2, update: 'increment' });
    await adding.set('old', 4);
    const bigger = others.map(({ member }, i) => ({ member, score: 5 + (i % 3) }));
    await adding.setMany([...bigger, { member: 'old', score: 6 }]);
    expect((await adding.top(9)).map(({ score }) => score)).toEqual([10, 7]);
  });

  it('keeps to its limit where a later line of a call is refused', async () => {
    const board = newBoard({ limit: 2, update: 'increment', layout: ScoreLayout.packed() });
    const lines = Array.from({ length: 3_000 * shards }, (_, i) => ({ member: `m${i}`, score: i % 50 }));
    await expect(board.setMany([...lines, { member: 'low', score: -1 }])).rejects.toMatchObject({
      code: 'scoreOutOfRange',
    });
    expect((await board.top(9)).map(({ score }) => score)).toEqual([49, 49]);
  });

  it('finds ranks and pages among 20,000 members of one score', async () => {
    const board = newBoard();
    const members = Array.from({ length: 20_000 }, (_, i) => `member-${i}`);
    await board.setMany(members.map((member) => ({ member, score: 1 })));
    await board.set('first', 2);
    const sorted = ['first', ...members.sort().reverse()];
    for (const rank of [2, 777, 10_000, 20_001]) {
      const member = sorted[rank - 1] ?? '';
      expect(await board.rank(member)).toBe(rank);
      expect((await board.range(rank - 1, 5)).map((entry) => entry.member)).toEqual(sorted.slice(rank - 1, rank + 4));
      expect(await board.around(member, { radius: 1 })).toHaveLength(3);
    }
    expect(await board.rank('member-0', { ranking: 'dense' })).toBe(2);
  });

  it('removes more members at once than a script hands over in one command, with all that lies beside them', async () => {
    const layout = ScoreLayout.lexical({ dimensions: ['gold'] });
    const board = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
    const lines = Array.from({ length: 12_000 }, (_, i) => ({ member: `m${i}`, score: [i] }));
    const members = lines.map(({ member }) => member);
    await board.setMany(lines);
    expect(await board.removeBetween([0], [5_999])).toBe(6_000);
    expect(await board.top(6_001)).toHaveLength(6_000);
    expect(await board.remove(...members)).toBe(6_000);
    expect([await board.size(), await board.removeBetween([0], [12_000])]).toEqual([0, 0]);
    await board.setMany(lines);
    expect(await board.removeBetween([0], [12_000])).toBe(12_000);
    expect(await board.entries(members.slice(0, 3))).toEqual([null, null, null]);
  });

  it('keeps 53 bits through every script', async () => {
    const board = newBoard();
    const scores = [2 ** 53, 2 ** 53 - 1, 2 ** 53 - 2, 1 / 3, 1e-300, 1.7e308, -0.1, -(2 ** 53)];
    await board.setMany(scores.map((score) => ({ member: `m${score}`, score })));
    for (const score of scores) {
      expect(await board.score(`m${score}`)).toBe(score);
      expect((await board.increment(`m${score}`, 0)).score).toBe(score);
    }
    expect((await board.top(10)).map(({ score }) => score)).toEqual([...scores].sort((a, b) => b - a));
  });

  it('puts who got there first first, to the millisecond, at 1 point and at the top of the range', async () => {
    const period = Period.of('month', new Date(start), 'UTC');
    const maxPoints = 2 ** 53 / new PackedScore({ period }).unit - 1;
    for (const order of ['desc', 'asc'] as const) {
      const board = newBoard({ layout: ScoreLayout.packed({ period, maxPoints }), order });
      for (const points of [1, maxPoints]) {
        await board.set('zoe', points, new Date(start + 1));
        await board.set('adam', points, new Date(start));
        expect((await board.top(2)).map(({ member }) => member)).toEqual(['adam', 'zoe']);
      }
    }
  });

  it('takes exactly as many points as it was given room for, on every way in', async () => {
    const [key, outOfRange] = [freshPrefix(), { code: 'scoreOutOfRange' }];
    const board = newBoard({ key, layout: ScoreLayout.packed({ maxPoints: 1_000_000 }) });
    await board.set('ann', 1_000_000);
    const source = newBoard({ layout: ScoreLayout.packed({ maxPoints: 1_000_000 }) });
    await source.set('ann', 1);
    for (const write of [
      () => board.set('ann', 1_000_001),
      () => board.best('ann', 1_000_001),
      () => board.increment('ann', 1),
      () => board.increment('bob', 1_000_001),
      () => board.setMany([{ member: 'ann', score: 1_000_001 }]),
      () => board.mergeFrom([{ board }, { board: source }]),
    ]) {
      await expect(write()).rejects.toMatchObject(outOfRange);
    }
    expect(await board.top(5)).toMatchObject([{ member: 'ann', score: 1_000_000 }]);
    // What was written with more room is read, counted and lowered, and never raised.
    await newBoard({ key, layout: ScoreLayout.packed({ maxPoints: 2 ** 20 - 1 }) }).set('cid', 1_000_100);
    expect(await board.top(5)).toMatchObject([{ score: 1_000_100 }, { score: 1_000_000 }]);
    expect(await board.countBetween(1_000_001, Infinity)).toBe(1);
    await expect(board.increment('cid', 1)).rejects.toMatchObject(outOfRange);
    expect(await board.increment('cid', -50)).toMatchObject({ score: 1_000_050 });
  });

  it('is refused in another layout or order than it was begun with, naming both', async () => {
    const period = Period.of('month', new Date(start), 'UTC');
    const packed = ScoreLayout.packed({ period });
    const key = freshPrefix();
    await newBoard({ key, layout: packed }).set('ann', 100);
    const others: readonly (readonly [Partial<LeaderboardOptions>, RegExp])[] = [
      [{}, /begun with layout "packed-.*", but layout "plain" is configured/],
      [{ layout: ScoreLayout.packed({ period, maxPoints: 4_000_000 }) }, /layout "packed-/],
      [{ layout: ScoreLayout.packed() }, /layout "packed-/],
      [{ layout: packed, order: 'asc' }, /begun with order "desc", but order "asc" is configured/],
    ];
    for (const [options, message] of others) {
      for (const call of [(board: Leaderboard) => board.score('ann'), (board: Leaderboard) => board.set('ann', 1)]) {
        await expect(call(newBoard({ key, ...options }))).rejects.toMatchObject({
          code: 'settingsMismatch',
          message: expect.stringMatching(message) as string,
        });
      }
    }
    expect(await newBoard({ key, layout: packed }).score('ann')).toBe(100);
  });

  it('changes nothing where a score leaves the layout', async () => {
    const outOfRange = { code: 'scoreOutOfRange' };
    const board = newBoard({ layout: ScoreLayout.packed(), update: 'increment' });
    await board.set('a', 3);
    await expect(board.increment('a', -4)).rejects.toMatchObject(outOfRange);
    await expect(board.increment('a', 2 ** 52)).rejects.toMatchObject(outOfRange);
    await expect(board.set('a', 1.5)).rejects.toMatchObject(outOfRange);
    await expect(board.set('a', 1, new Date('1999-01-01'))).rejects.toMatchObject(outOfRange);
    const both = [1, -9].map((score) => ({ member: 'a', score }));
    await expect(board.setMany(both)).rejects.toMatchObject(outOfRange);
    await expect(newBoard().set('a', NaN)).rejects.toMatchObject(outOfRange);
    const plain = newBoard();
    await plain.set('a', 1.7e308);
    await expect(plain.increment('a', 1.7e308)).rejects.toMatchObject(outOfRange);
    expect([await board.score('a'), await plain.score('a')]).toEqual([3, 1.7e308]);
  });

  it('follows a cursor past entries that move, and refuses the cursor of another board, layout or order', async () => {
    const boardKey = freshPrefix();
    const board = newBoard({ key: boardKey });
    await board.setMany(Array.from({ length: 30 }, (_, i) => ({ member: `m${i}`, score: i })));
    const page = await board.after(null, 10);
    await board.set('m3', 100);
    await board.remove('m20');
    const rest = await board.after(page.next, 100);
    expect(rest.entries.map(({ score }) => score)).toEqual([...Array(20).keys()].reverse().filter((i) => i !== 3));
    expect(rest.entries[0]?.rank).toBe(11);
    expect(rest.next).toBeNull();
    const refused = { code: 'invalidCursor' };
    await expect(newBoard().after(page.next, 10)).rejects.toMatchObject(refused);
    const other = { key: boardKey, shards, clock };
    const packed = new Leaderboard(redis(), { ...other, layout: ScoreLayout.packed() });
    const upwards = new Leaderboard(redis(), { ...other, order: 'asc' });
    for (const board of [packed, upwards]) await expect(board.after(page.next, 10)).rejects.toMatchObject(refused);
    for (const forged of ['', 'x', 'bnVsbA', Buffer.from('[1,2,3]').toString('base64url')]) {
      await expect(board.after(forged, 10)).rejects.toMatchObject(refused);
    }
  });

  it('refuses the key in another number of shards, naming both', async () => {
    const key = freshPrefix();
    await newBoard({ key }).set('a', 1);
    const other = newBoard({ key, shards: shards + 1 });
    const message = new RegExp(`in ${shards} shards, but ${shards + 1} are`);
    await expect(other.set('a', 1)).rejects.toThrow(message);
    await expect(other.top(1)).rejects.toMatchObject({ code: 'shardCountMismatch' });
  });

  it('estimates exactly between two scores further apart than a double reaches', async () => {
    const board = newBoard();
    await board.setMany([1.7e308, -1.7e308].map((score, i) => ({ member: `m${i}`, score })));
    expect(await board.estimateRank({ score: -1e308 })).toEqual({ rank: 2, error: 0 });
    board.close();
  });

  it.each([{ segments: 0 }, { segments: 1.5 }, { refreshMs: 0 }, { refreshMs: 2 ** 31 }, { exactTop: -1 }])(
    'refuses estimates that make no table, naming the option: %j',
    (estimates) => {
      const name = `estimates.${Object.keys(estimates)[0]} is ${Object.values(estimates)[0]}`;
      expect(() => newBoard({ estimates })).toThrow(name);
    },
  );

  it('answers for missing members and empty pages, and refuses what lies below the first', async () => {
    const board = newBoard();
    expect(await board.entries(['a', 'b'])).toEqual([null, null]);
    expect([await board.score('a'), await board.percentile('a')]).toEqual([null, null]);
    for (const ranking of rankings) {
      expect([await board.entry('a', { ranking }), await board.rank('a', { ranking })]).toEqual([null, null]);
      expect(await board.around('a', { radius: 2, ranking })).toEqual([]);
    }
    expect(await board.aroundWithSize('a', { radius: 2 })).toEqual({ size: 0, entries: [] });
    const nothing = { size: 0, entry: null, percentile: null, around: [], at: null };
    expect(await board.standings(['a'], { radius: 2, at: 10 })).toEqual([nothing]);
    expect([await board.top(0), await board.range(5, 5), await board.page(2, 10)]).toEqual([[], [], []]);
    expect(await board.after(null, 5)).toEqual({ entries: [], next: null });
    await board.increment('a', 0);
    expect([await board.percentile('a'), await board.score('a')]).toEqual([100, 0]);
    expect(await board.aroundWithSize('b', { radius: 2 })).toEqual({ size: 1, entries: [] });
    for (const ranking of rankings) {
      expect(await board.entries(['b', 'a'], { ranking })).toMatchObject([null, { rank: 1 }]);
      expect(await board.rank('b', { ranking })).toBeNull();
    }
    await board.remove('a');
    expect(await board.rank('a')).toBeNull();
    const refused = [
      () => board.top(-1),
      () => board.range(-1, 1),
      () => board.range(0.5, 1),
      () => board.page(0, 10),
      () => board.page(1, -1),
      () => board.pages(0),
      () => board.at(0),
      () => board.around('a', { radius: -1 }),
      () => board.entry(''),
      () => board.set('x'.repeat(129), 1),
      () => board.set('\ud800', 1),
      () => board.between(NaN, 1),
      () => board.top(1, { ranking: 'worst' as 'dense' }),
      () => board.set('a', 1, { only: 'worse' as 'better' }),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject({ code: 'invalidArgument' });
  });

  it('replaces no board by what does not fit it, and leaves nothing of the attempt', async () => {
    const key = freshPrefix();
    const board = newBoard({ key, layout: ScoreLayout.packed() });
    const other = newBoard({ layout: ScoreLayout.packed() });
    await board.setMany(Array.from({ length: 20 }, (_, i) => ({ member: `m${i}`, score: i })));
    await other.setMany(Array.from({ length: 20 }, (_, i) => ({ member: `m${i}`, score: 2 * i + 1 })));
    const before = await board.top(100);
    const refused = [
      [{ board: other, weight: 0.5 }, 'scoreOutOfRange', /"m\d+" cannot be merged\. \d+\.5 points/],
      [{ board: other, weight: -1 }, 'scoreOutOfRange', /cannot be merged/],
      [{ board: other, weight: Infinity }, 'invalidArgument', /weight of source 1/],
      [{ board: newBoard() }, 'invalidArgument', /Source 1 is plain, but this board packed/],
      [{ board: newBoard({ shards: shards + 1 }) }, 'invalidArgument', /in \d+ shards, but this board in \d+/],
    ] as const;
    for (const [source, code, message] of refused) {
      const merge = board.mergeFrom([{ board }, source]);
      await expect(merge).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
    }
    await expect(board.mergeFrom([])).rejects.toMatchObject({ code: 'invalidArgument' });
    await expect(board.mergeFrom([{ board }], { aggregate: 'avg' as 'sum' })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
    const flags = [1, 2].map((count) =>
      ScoreLayout.lexical({ dimensions: Array.from({ length: count }, (_, i) => `${i}`) }),
    );
    const [one, two] = flags.map((layout) => new Leaderboard(redis(), { key: freshPrefix(), shards, layout }));
    if (one && two) await expect(one.mergeFrom([{ board: two }])).rejects.toThrow('is lexical of 2 dimensions');
    expect(await board.top(100)).toEqual(before);
    const nodes = 'nodes' in redis() ? (redis() as Cluster).nodes('master') : [redis() as Redis];
    const left = await Promise.all(nodes.map((node) => node.keys(`{${key}:*}:built:*`)));
    expect(left.flat()).toEqual([]);
  });

  it('keeps the moment of expiry through a merge, and has none where none was set', async () => {
    const source = newBoard();
    await source.setMany(Array.from({ length: 100 }, (_, i) => ({ member: `m${i}`, score: i })));
    await source.expireAt(new Date('2099-01-01'));
    for (const moment of [new Date('2100-01-01'), null]) {
      const key = freshPrefix();
      const board = newBoard({ key });
      if (moment) await board.expireAt(moment);
      expect(await board.mergeFrom([{ board: source }])).toBe(100);
      for (const tag of shardTags(shards)) {
        expect(await redis().pexpiretime(keys.entries(key, tag))).toBe(moment ? moment.getTime() : -1);
      }
    }
  });

  it('stays gone after its moment, despite writes, and in its number of shards', async () => {
    const layouts: Partial<LeaderboardOptions<Score>>[] = [{}, { layout: ScoreLayout.lexical({ dimensions: ['x'] }) }];
    for (const options of layouts) {
      const score = (n: number): Score => ('layout' in options ? [n] : n);
      const key = freshPrefix();
      // By the machine's clock, as Redis.
      const board = new Leaderboard<Score>(redis(), { key, shards, ...options });
      const source = new Leaderboard<Score>(redis(), { key: freshPrefix(), shards, ...options });
      await board.set('early', score(1));
      await source.set('other', score(1));
      await board.expireAt(new Date(systemClock.now() - 1_000));
      const other = new Leaderboard<Score>(redis(), { key, shards, ...options });
      for (const late of [board, other]) {
        await late.set('late', score(1));
        await late.increment('late', score(1));
        await late.best('later', score(1));
        await late.setMany([...Array(40).keys()].map((i) => ({ member: `m${i}`, score: score(i) })));
        expect(await late.mergeFrom([{ board: source }])).toBe(0);
        expect(await late.size()).toBe(0);
      }
      const wrong = new Leaderboard<Score>(redis(), { key, shards: shards + 1, ...options });
      await expect(wrong.set('a', score(1))).rejects.toMatchObject({ code: 'shardCountMismatch' });
      await board.expireAt(new Date('2100-01-01'));
      await other.set('late', score(1));
      expect(await board.size()).toBe(1);
    }
  });

  it.each([3_600_000, null])(
    'holds to its number of shards again where Redis has forgotten it, after %d ms or a day at most',
    async (ttlMs) => {
      const [key, later] = [freshPrefix(), new ManualClock(start)];
      await newBoard({ key, clock: later }).set('ann', 1);
      if (ttlMs !== null) await redis().pexpire(keys.boardLayout(key), ttlMs);
      const writer = newBoard({ key, clock: later });
      await writer.set('ann', 2);
      await redis().del(keys.boardLayout(key));
      later.advance((ttlMs ?? 86_399_999) + 1);
      await writer.set('ann', 3);
      expect(await redis().hget(keys.boardLayout(key), 'shards')).toBe(String(shards));
      const other = newBoard({ key, clock: later, shards: shards + 1 });
      await expect(other.set('ann', 4)).rejects.toMatchObject({ code: 'shardCountMismatch' });
    },
  );

  it('sums exactly, in whatever shards the scores lie', async () => {
    const board = newBoard();
    await board.setMany(
      [1e308, -1e308, 1e308, -1e308, 0.1, 0.2, -0.3, 5e-324].map((score, i) => ({ member: `m${i}`, score })),
    );
    expect(await board.sum()).toBe(2 ** -55);
    const layout = ScoreLayout.lexical({ dimensions: ['a', 'b', 'c'] });
    const vectors = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
    await vectors.set('x', [1.7e308, -0, 1.7e308]);
    await vectors.set('y', [1.7e308, -0, -1.7e308]);
    expect(await vectors.sum()).toEqual([Infinity, 0, 0]);
  });

  it('orders a medal table by gold, silver and bronze, and takes whole vectors as bounds', async () => {
    const layout = ScoreLayout.lexical({ dimensions: ['gold', 'silver', 'bronze'] });
    const board = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
    await board.setMany(Object.entries(medals).map(([member, score]) => ({ member, score })));
    expect((await board.top(10)).map(({ member }) => member)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(await board.score('E')).toEqual([13, 21, 18]);
    expect((await board.between([13, 0, 0], [20, 7, 12])).map(({ member }) => member)).toEqual(['C', 'D', 'E', 'F']);
    expect(await board.countBetween([-Infinity, 0, 0], [14, -Infinity, 0])).toBe(2);
    expect(await board.countBetween([13, 17, 13.5], [13.5, 99, -1])).toBe(2);
    expect(await board.countBetween([14, 0, 0], [13, 99, 99])).toBe(0);
    expect(await board.countBetween([-Infinity, 0, 0], [Infinity, 0, 0])).toBe(6);
    await expect(board.between([1, NaN, 2], [2, 2, 2])).rejects.toMatchObject({ code: 'invalidArgument' });
    await expect(board.between([1], [2, 2, 2])).rejects.toMatchObject({ code: 'invalidArgument' });
    expect((await board.increment('F', [1, -17, 2])).score).toEqual([14, 0, 16]);
    expect(await board.rank('F')).toBe(5);
  });

  it('keeps and orders 256 dimensions, whatever the first of them that differs', async () => {
    const names = Array.from({ length: 256 }, (_, d) => `d${d}`);
    const layout = ScoreLayout.lexical({ dimensions: names });
    const board = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
    const places = [0, 1, 100, 254, 255];
    const members = places.map((_, i) => `${i}`.padEnd(128, '\u0001'));
    const score = (d: number) => names.map((_, i) => (i === d ? 1.5 : -0.1));
    await board.setMany(places.map((d, i) => ({ member: members[i] as string, score: score(d) })));
    let cursor: string | null = null;
    for (const [i, member] of members.entries()) {
      const { entries, next } = await board.after(cursor, 1);
      expect(entries).toEqual([{ member, score: score(places[i] as number), rank: i + 1, reachedAt: null }]);
      cursor = next;
    }
    expect(cursor).toBeNull();
    expect((await board.increment(members[4] as string, score(0))).score[0]).toBeCloseTo(1.4, 9);
    expect(await board.rank(members[4] as string)).toBe(2);
    expect(() => ScoreLayout.lexical({ dimensions: [...names, 'more'] })).toThrow('1 to 256');
  });

  it('orders every double of a lexical board', async () => {
    const numbers = [-1.7e308, -1, -1e-308, 0, 5e-324, 0.1, 1, 2 ** 53, 1.7e308];
    for (const order of ['desc', 'asc'] as const) {
      const layout = ScoreLayout.lexical({ dimensions: [{ name: 'x', order }] });
      const board = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
      await board.setMany(numbers.map((number) => ({ member: `m${number}`, score: [number] })));
      await board.set('m0', [-0]);
      for (const number of numbers) expect((await board.increment(`m${number}`, [0])).score).toEqual([number]);
      const sorted = order === 'asc' ? numbers : [...numbers].reverse();
      expect((await board.top(20)).map(({ score }) => score[0])).toEqual(sorted);
      const refused = { code: 'scoreOutOfRange' };
      await expect(board.set('m', [NaN])).rejects.toMatchObject(refused);
      await expect(board.set('m', [1, 2])).rejects.toMatchObject(refused);
      for (const infinite of [Infinity, -Infinity]) {
        await expect(board.set('m', [infinite])).rejects.toMatchObject(refused);
        await expect(board.best('m1', [infinite])).rejects.toMatchObject(refused);
        await expect(board.increment('m1', [infinite])).rejects.toMatchObject(refused);
      }
      for (const by of [1.7e308, -1.7e308]) {
        await expect(board.increment(`m${by}`, [by])).rejects.toMatchObject(refused);
        expect(await board.score(`m${by}`)).toEqual([by]);
        expect((await board.increment(`m${-by}`, [by])).score).toEqual([0]);
        await board.set(`m${-by}`, [-by]);
      }
      const before = await board.top(20);
      const itself = { board };
      for (const sources of [[itself, itself], [{ board, weight: 2 }]]) {
        const message = /cannot be merged. Its score leaves the range of doubles/;
        await expect(board.mergeFrom(sources)).rejects.toMatchObject({
          ...refused,
          message: expect.stringMatching(message) as string,
        });
      }
      expect(await board.top(20)).toEqual(before);
    }
  });
}
