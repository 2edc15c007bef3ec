import {
  Leaderboard,
  type LeaderboardOptions,
  type Order,
  type RedisClient,
  type Score,
  type WriteCondition,
} from '@laurel/leaderboard';
import { shardTags } from '@laurel/leaderboard/internals';
import { keys } from './keys';
import { ManualClock } from './clock';
import { start, type ContractLayout, type ContractOptions } from './leaderboard-layouts';
import { LeaderboardModel } from './leaderboard-model';
import { freshPrefix } from './redis';

const updates = ['set', 'increment', 'best'] as const;

/** A board beside its model, by one clock. */
interface Pair {
  readonly board: Leaderboard<Score>;
  readonly model: LeaderboardModel<Score>;
  readonly clock: ManualClock;
  readonly key: string;
}

/** Conditions and limits: the same as the model's, for every layout and order. */
export function writesContract(where: ContractOptions, layout: ContractLayout, order: Order): void {
  const { score } = layout;
  const { shards } = where;
  const change = (n: number): Score => (Array.isArray(score(0)) ? [n, 1] : n);

  function empty(more: Partial<Pick<LeaderboardOptions, 'limit' | 'update'>> = {}): Pair {
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

  it('leaves no vectors of who is removed, falls off, or is cleared', async () => {
    const pair = empty({ limit: 40 });
    const { board, model, key } = pair;
    await oneByOne(pair, 60);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 40));
    const inside = model.between(score(8), score(14)).length;
    expect(await board.removeBetween(score(8), score(14))).toBe(inside);
    const member = (await board.top(1))[0]?.member ?? '';
    expect(await board.remove(member, 'nobody')).toBe(1);
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 39 - inside));
    await board.clear();
    expect(await stored(where.redis(), key, shards)).toEqual(besides(layout, 0));
  });
}

/** How many entries and vectors lie in all of a board's shards. */
async function stored(redis: RedisClient, key: string, shards: number): Promise<Record<string, number>> {
  const sums = { entries: 0, vectors: 0 };
  for (const tag of shardTags(shards)) {
    sums.entries += await redis.zcard(keys.entries(key, tag));
    sums.vectors += await redis.hlen(keys.vectors(key, tag));
  }
  return sums;
}

/** What {@link stored} finds of a board of so many entries. */
function besides({ name }: ContractLayout, entries: number): Record<string, number> {
  return { entries, vectors: name === 'lexical' ? entries : 0 };
}
