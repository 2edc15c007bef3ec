import {
  Leaderboard,
  type LeaderboardOptions,
  type Order,
  type RedisClient,
  type Score,
  type WriteCondition,
} from '@laurel/leaderboard';
import { rankings, shardOf, shardTags } from '@laurel/leaderboard/internals';
import { keys } from './keys';
import { ManualClock } from './clock';
import { start, type ContractLayout, type ContractOptions } from './leaderboard-layouts';
import { LeaderboardModel } from './leaderboard-model';
import { freshPrefix } from './redis';

const ttlMs = 1_000;
const updates = ['set', 'increment', 'best'] as const;

/** A board beside its model, by one clock. */
interface Pair {
  readonly board: Leaderboard<Score>;
  readonly model: LeaderboardModel<Score>;
  readonly clock: ManualClock;
  readonly key: string;
}

/** Conditions, limits and members that expire: the same as the model's, for every layout and order. */
export function writesContract(where: ContractOptions, layout: ContractLayout, order: Order): void {
  const { score } = layout;
  const { shards } = where;
  const change = (n: number): Score => (Array.isArray(score(0)) ? [n, 1] : n);

  function empty(more: Partial<Pick<LeaderboardOptions, 'limit' | 'memberTtlMs' | 'update'>> = {}): Pair {
    const key = freshPrefix();
    const clock = new ManualClock(start);
    const board = new Leaderboard<Score>(where.redis(), { key, shards, order, clock, layout: layout.layout, ...more });
    const dimensions = [order, 'asc'] as const;
    const model = new LeaderboardModel<Score>({ layout: layout.name, order, dimensions, clock, ...more });
    return { board, model, clock, key };
  }

  /** `m0`, `m1`... each written a millisecond after the one before it. */
  async function oneByOne(pair: Pair, members: number): Promise<void> {
    for (let i = 0; i < members; i++) {
      pair.clock.set(start + i);
      await pair.board.set(`m${i}`, score((i * 7) % 23));
      pair.model.write('set', `m${i}`, score((i * 7) % 23), start + i);
    }
  }

  it('writes under a condition, and says whether it did', async () => {
    const { board, model } = empty();
    const seen = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const update = updates[i % 3] ?? 'set';
      const member = `m${(i * 7) % 11}`;
      const present = { score: (i % 2 === 0 && model.find(member)?.score) || score(11) };
      const conditions = ['better', 'present', 'absent', 'different', present] as const;
      const only = conditions[Math.floor(i / 3) % conditions.length] as WriteCondition;
      const value = update === 'increment' ? change(i % 2) : score((i * 11) % 37);
      const given = { member, score: value, at: new Date(start + ((i * 3) % 50)) };
      const [expected] = model.writeAll(update, [given], only);
      expect(await board[update](member, value, { at: given.at, only })).toEqual(expected);
      seen.add(`${update} ${typeof only === 'object' ? 'score' : only} ${expected?.written}`);
      const removed = ['m0', 'm2', 'm5', 'm7'];
      if (i % 20 === 19) expect(await board.remove(...removed)).toBe(model.remove(removed));
    }
    expect(await board.top(100)).toEqual(model.entries());
    for (const update of updates) {
      expect([...seen]).toEqual(expect.arrayContaining([`${update} better true`, `${update} present undefined`]));
      expect([...seen]).toEqual(expect.arrayContaining([`${update} absent false`, `${update} present true`]));
      expect([...seen]).toEqual(expect.arrayContaining([`${update} different true`, `${update} score true`]));
      expect([...seen]).toEqual(expect.arrayContaining([`${update} score false`, `${update} score undefined`]));
    }
  });

  it.each(updates)('judges lines of one call one after the other, with update %s', async (update) => {
    for (const only of ['better', 'present', 'absent', 'different', { score: score(9) }] as const) {
      const { board, model } = empty({ update });
      await board.set('a', score(9), new Date(start));
      model.write('set', 'a', score(9), start);
      const lines = ['a', 'b', 'b', 'a', 'c', 'b'].map((member, i) => ({ member, score: score((i * 5) % 14) }));
      const expected = model.writeAll(update, lines, only);
      expect(await board.setMany(lines, { only })).toEqual(expected);
      expect(await board.top(100)).toEqual(model.entries());
    }
  });

  it('sets a score only where the member still has the one that was read (compare and set)', async () => {
    const { board } = empty();
    await board.set('ann', score(5), new Date(start));
    const raise = (from: number, to: number) =>
      board.set('ann', score(to), { only: { score: score(from) }, at: new Date(start + 1) });
    expect(await raise(4, 6)).toMatchObject({ score: score(5), written: false });
    expect(await raise(5, 6)).toMatchObject({ score: score(6), written: true });
    expect(await board.set('bob', score(1), { only: { score: score(0) } })).toBeNull();
    // Of many that read the same score, one writes.
    const raised = await Promise.all([7, 8, 9, 10].map((to) => raise(6, to)));
    expect(raised.filter((one) => one?.written)).toHaveLength(1);
    expect(await board.size()).toBe(1);
  });

  it('keeps exactly the best 50 of 3,000 written at once, and of those that come later', async () => {
    const { board, model } = empty({ limit: 50 });
    const lines = Array.from({ length: 3_000 }, (_, i) => ({ member: `m${i}`, score: score((i * 7) % 61) }));
    await board.setMany(lines);
    model.writeAll('set', lines);
    expect(await board.top(100)).toEqual(model.entries());
    for (const n of [60, 0, 20, 59, 1]) {
      await board.set(`late-${n}`, score(n));
      model.write('set', `late-${n}`, score(n), start);
    }
    expect(await board.top(100)).toEqual(model.entries());
    expect(await board.size()).toBe(50);
  });

  it('never counts a member whose last update is too long ago, whatever is read', async () => {
    const pair = empty({ memberTtlMs: ttlMs });
    const { board, model, clock, key } = pair;
    await oneByOne(pair, 60);
    const all = (): ReturnType<typeof model.entries> => model.entries();
    // Each read is the first one at its moment: one more member has just left.
    const reads: ((gone: string) => Promise<void>)[] = [
      async () => expect(await board.size()).toBe(all().length),
      async () => expect(await board.pages(7)).toBe(Math.ceil(all().length / 7)),
      async () => expect(await board.range(20, 10)).toEqual(all().slice(20, 30)),
      async () => expect(await board.page({ offset: 20 }, 10)).toMatchObject({ entries: all().slice(20, 30) }),
      async () => expect(await board.at(15)).toEqual(all()[14]),
      async () => expect((await board.after(null, 100)).entries).toEqual(all()),
      async () => expect(await board.countBetween(score(4), score(15))).toBe(model.between(score(4), score(15)).length),
      async () => expect(await board.percentile(all()[5]?.member ?? '')).toBeCloseTo(100 - 500 / (all().length - 1), 9),
      async () => expect(await board.entries(['m0', 'm3', 'm40'])).toEqual([null, null, model.find('m40')]),
      async () => expect(await board.score('m40')).toEqual(model.find('m40')?.score),
      ...rankings.flatMap((ranking) => [
        async () => expect(await board.top(100, { ranking })).toEqual(model.entries(ranking)),
        async () => expect(await board.rank('m50', { ranking })).toBe(model.find('m50', ranking)?.rank),
        async () => expect(await board.around('m51', { radius: 4, ranking })).toEqual(model.around('m51', 4, ranking)),
        async () =>
          expect(await board.between(score(4), score(15), { ranking })).toEqual(
            model.between(score(4), score(15), ranking),
          ),
      ]),
      async (gone) => expect(await board.entry(gone)).toBeNull(),
      async (gone) => expect(await board.score(gone)).toBeNull(),
      async (gone) => expect(await board.rank(gone)).toBeNull(),
      async (gone) => expect(await board.percentile(gone)).toBeNull(),
      async (gone) => expect(await board.around(gone, { radius: 2 })).toEqual([]),
      async (gone) => expect(await board.estimateRank(gone)).toBeNull(),
      async (gone) => expect(await board.rankAmong([gone])).toEqual([null]),
      async () => expect([await board.sum()].flat()).toEqual(sumOf(all())),
      async () => expect(await board.scoreAtPercentile(0)).toEqual(all()[all().length - 1]?.score),
      async (gone) => expect(await board.remove(gone, 'm59')).toBe(model.remove(['m59'])),
      async () => expect(await board.removeBetween(score(9), score(9))).toBe(model.between(score(9), score(9)).length),
    ];
    for (const [i, read] of reads.entries()) {
      clock.set(start + ttlMs + i);
      expect(model.find(`m${i}`)).toBeNull();
      await read(`m${i}`);
    }
    board.close();
    const left = all().length - model.between(score(9), score(9)).length;
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, left));
  });

  it('takes every write for an update but one that its condition refused', async () => {
    const { board, clock } = empty({ memberTtlMs: ttlMs });
    await board.setMany(
      ['same', 'worse', 'more', 'unmet', 'late', 'none'].map((member) => ({ member, score: score(5) })),
    );
    clock.advance(ttlMs - 1);
    const worse = order === 'desc' ? score(1) : score(20);
    await board.set('same', score(5), new Date(start));
    await board.best('worse', worse);
    await board.increment('more', change(0));
    expect(await board.set('unmet', worse, { only: 'better' })).toMatchObject({ written: false });
    // By the clock, not by the moment that the score was reached at.
    await board.set('late', score(6), new Date(start + 5_000));
    clock.advance(1);
    expect((await board.top(9)).map(({ member }) => member).sort()).toEqual(['late', 'more', 'same', 'worse']);
    // Who has left begins anew.
    expect(await board.set('none', score(3), { only: 'present' })).toBeNull();
    expect((await board.increment('none', change(1))).score).toEqual(change(1));
    clock.advance(ttlMs - 2);
    expect(await board.size()).toBe(5);
    clock.advance(1);
    expect((await board.top(9)).map(({ member }) => member)).toEqual(['none']);
  });

  it('lets 2,500 members go at once, and forgets them everywhere', async () => {
    const { board, clock, key } = empty({ memberTtlMs: ttlMs });
    await board.setMany(Array.from({ length: 2_500 }, (_, i) => ({ member: `m${i}`, score: score(i % 61) })));
    clock.advance(ttlMs - 1);
    await board.setMany([{ member: 'stays', score: score(1) }]);
    expect(await board.size()).toBe(2_501);
    clock.advance(1);
    expect((await board.top(10)).map(({ member }) => member)).toEqual(['stays']);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 1));
  });

  it('lets exactly as many go as one call removes, and one more beside them', async () => {
    const reads: ((board: Leaderboard<Score>) => Promise<unknown>)[] = [
      async (board) => expect(await board.rank('live')).toBe(1),
      async (board) => expect(await board.entries(['live', 'gone'])).toMatchObject([{ rank: 1 }, null]),
      async (board) => expect((await board.after(null, 10)).entries).toMatchObject([{ member: 'live' }]),
      async (board) => expect((await board.range(0, 10)).map(({ member }) => member)).toEqual(['live']),
      async (board) => expect(await board.between(score(1), score(1))).toMatchObject([{ member: 'live' }]),
      async (board) => expect(await board.countBetween(score(1), score(1))).toBe(1),
    ];
    const last = shards - 1;
    const many = Array.from({ length: 2_000 * shards }, (_, i) => `m${i}`);
    const expiring = [
      ...many.filter((member) => shardOf(member, shards) === last).slice(0, 1_000),
      ...many.filter((member) => shardOf(member, shards) === Math.max(last - 1, 0)).slice(0, 1),
    ];
    for (const read of reads) {
      const { board, clock } = empty({ memberTtlMs: ttlMs });
      await board.setMany(expiring.map((member) => ({ member, score: score(1) })));
      clock.advance(ttlMs - 1);
      await board.setMany([{ member: 'live', score: score(1) }]);
      clock.advance(1);
      await read(board);
    }
  });

  it('takes a merge for an update of all its members', async () => {
    const { board, clock, key } = empty({ memberTtlMs: ttlMs });
    const { board: source } = empty();
    await source.setMany([...Array(30).keys()].map((i) => ({ member: `m${i}`, score: score(i) })));
    await board.setMany([{ member: 'before', score: score(1) }]);
    clock.advance(ttlMs - 1);
    expect(await board.mergeFrom([{ board }, { board: source }])).toBe(31);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 31));
    clock.advance(ttlMs - 1);
    expect(await board.size()).toBe(31);
    clock.advance(1);
    expect(await board.size()).toBe(0);
  });

  it('forgets the updates of who is removed, falls off, or is cleared', async () => {
    const pair = empty({ memberTtlMs: ttlMs, limit: 40 });
    const { board, model, key } = pair;
    await oneByOne(pair, 60);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 40));
    const inside = model.between(score(8), score(14)).length;
    expect(await board.removeBetween(score(8), score(14))).toBe(inside);
    const member = (await board.top(1))[0]?.member ?? '';
    expect(await board.remove(member, 'nobody')).toBe(1);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 39 - inside));
    await board.expireAt(new Date('2100-01-01'));
    const tags = shardTags(shards).map((tag) => keys.updates(key, tag));
    const expiries = await Promise.all(tags.map((name) => where.redis().pexpiretime(name)));
    expect(new Set(expiries.filter((moment) => moment !== -2))).toEqual(new Set([Date.UTC(2100, 0, 1)]));
    await board.clear();
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 0));
    await board.set('new', score(1));
    const born = await Promise.all(tags.map((name) => where.redis().pexpiretime(name)));
    expect(born.filter((moment) => moment !== -2)).toEqual([Date.UTC(2100, 0, 1)]);
  });
}

/** The sums of some entries' numbers. */
function sumOf(entries: readonly { readonly score: Score }[]): unknown[] {
  const sums: number[] = [];
  for (const { score } of entries) [score].flat().forEach((number, d) => (sums[d] = (sums[d] ?? 0) + number));
  return sums.map((sum): unknown => expect.closeTo(sum, 9));
}

/** How many entries, updates and vectors lie in all of a board's shards. */
async function stored(redis: RedisClient, key: string, shards: number): Promise<Record<string, number>> {
  const sums = { entries: 0, updates: 0, vectors: 0 };
  for (const tag of shardTags(shards)) {
    sums.entries += await redis.zcard(keys.entries(key, tag));
    sums.updates += await redis.zcard(keys.updates(key, tag));
    sums.vectors += await redis.hlen(keys.vectors(key, tag));
  }
  return sums;
}

/** What {@link stored} finds of a board of so many entries. */
function besides({ name }: ContractLayout, entries: number): Record<string, number> {
  return { entries, updates: entries, vectors: name === 'lexical' ? entries : 0 };
}
