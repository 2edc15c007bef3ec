import { entriesOn, firstWith, Leaderboard, type Order, type Score } from '@laurel/leaderboard';
import { rankings, shardTags } from '@laurel/leaderboard/internals';
import { keys } from './keys';
import { ManualClock } from './clock';
import { layouts, start, type ContractLayout, type ContractOptions } from './leaderboard-layouts';
import { LeaderboardModel } from './leaderboard-model';
import { expectSame } from './leaderboard-operations';
import { freshPrefix } from './redis';
import { sampled } from './sampled';
import { seed } from './seed';

/** Members whose bytes and UTF-16 units sort differently, and that would break keys apart if they could. */
const oddMembers = ['{}', '{x}:entries', 'a:b', 'new\nline', ' ', '\u{1F3C6}', '\uFFFD', 'é', '\0', 'x'.repeat(128)];

const orders = ['desc', 'asc'] as const;

/**
 * The same answers as the model's, for every layout, order and ranking. At each commit each layout has one order, which
 * the seed draws; on 3 shards it has the other one than on 1.
 */
export function leaderboardContract(where: ContractOptions, chosen = layouts): void {
  for (const [i, layout] of chosen.entries()) {
    const drawn = orders.filter((_, j) => (seed + (where.shards >> 1) + i + j) % 2 === 0);
    for (const order of sampled({ sample: 1, deep: 2, full: 2 }) === 1 ? drawn : orders) {
      describe(`${layout.name}, ${order}, ${where.shards} shards`, () => {
        layoutContract(where, layout, order);
      });
    }
  }
}

function layoutContract(
  { redis, shards }: ContractOptions,
  { name, layout, score }: ContractLayout,
  order: Order,
): void {
  const clock = new ManualClock(start);
  const firstRank = order === 'asc' ? 0 : 1;

  function empty(limit?: number): [Leaderboard<Score>, LeaderboardModel<Score>, string] {
    const key = freshPrefix();
    const limited = limit === undefined ? {} : { limit };
    const board = new Leaderboard<Score>(redis(), { key, shards, order, firstRank, clock, layout, ...limited });
    return [
      board,
      new LeaderboardModel({ layout: name, order, firstRank, dimensions: [order, 'asc'], clock, ...limited }),
      key,
    ];
  }

  async function filled(members: number): Promise<[Leaderboard<Score>, LeaderboardModel<Score>, string]> {
    const [board, model, key] = empty();
    const names = [...oddMembers, ...Array.from({ length: members }, (_, i) => `user-${i}`)];
    const lines = names.map((member, i) => ({
      member,
      score: score(i % 3 === 0 ? 7 : (i * 7) % 31),
      at: new Date(start + ((i * 13) % 50)),
    }));
    await board.setMany(lines);
    model.writeAll('set', lines);
    return [board, model, key];
  }

  it('gives the same ranks in a list, alone, around and in a lookup, for every ranking', async () => {
    const [board, model] = await filled(400);
    for (const ranking of rankings) {
      const all = model.entries(ranking);
      expect(await board.top(100, { ranking })).toEqual(all.slice(0, 100));
      for (const offset of [0, 1, 33, 140, 277, 405, 409, 410, 9_999]) {
        expectSame(await board.range(offset, 20, { ranking }), all.slice(offset, offset + 20));
      }
      const asked = [...oddMembers, 'nobody', 'user-0', 'user-7', 'user-399'];
      const own = asked.map((member) => all.find((entry) => entry.member === member) ?? null);
      expect(await board.entries(asked, { ranking })).toEqual(own);
      expect(await board.ranks(asked, { ranking })).toEqual(own.map((entry) => entry && entry.rank));
      const members = [...asked, all[0]?.member ?? '', all[409]?.member ?? ''];
      const standings: object[] = [];
      for (const member of members) {
        const entry = all.find((one) => one.member === member) ?? null;
        expect(await board.entry(member, { ranking })).toEqual(entry);
        expect(await board.rank(member, { ranking })).toBe(entry?.rank ?? null);
        const around = model.around(member, 3, ranking);
        expect(await board.around(member, { radius: 3, ranking })).toEqual(around);
        standings.push({
          ...{ size: all.length, entry, percentile: await board.percentile(member) },
          ...{ around: model.around(member, 3, 'ordinal'), at: model.entries()[332] },
        });
      }
      expect(await board.standings(members, { radius: 3, at: firstRank + 332, ranking })).toEqual(standings);
      expectSame(await board.around('user-3', { radius: 500, ranking }), all);
      expect(await board.at(firstRank + 49, { ranking })).toEqual(all[49]);
    }
  });

  it('pages, streams and counts the whole board', async () => {
    const [board, model] = await filled(700);
    for (const ranking of rankings) {
      const streamed = [];
      for await (const entry of board.all({ ranking })) streamed.push(entry);
      expectSame(streamed, model.entries(ranking));
    }
    const all = model.entries();
    expect(await board.size()).toBe(710);
    expect(await board.pages(100)).toBe(8);
    expect(await board.page(8, 100)).toEqual(all.slice(700));
    expect(await board.page(9, 100)).toEqual([]);
    expect(await board.at(firstRank + 709)).toEqual(all[709]);
    expect(await board.at(firstRank + 710)).toBeNull();
    expect(await board.percentile(all[0]?.member ?? '')).toBe(100);
    expect(await board.percentile(all[709]?.member ?? '')).toBe(0);
    expect(await board.percentile('nobody')).toBeNull();
  });

  it('estimates ranks: exactly near the top and on small boards, elsewhere within the error', async () => {
    const [, model, key] = await filled(700);
    const all = model.entries();
    const ranksOf = new Map<string, number[]>();
    for (const { score: own, rank } of all) {
      const alike = ranksOf.get(String(own)) ?? [];
      ranksOf.set(String(own), [...alike, rank]);
    }
    // On more than 5 shards an error is a matter of probability: beyond twice of it lies one estimate in 10^14.
    const allowed = shards <= 5 ? 1 : 2;
    for (const estimates of [{}, { exactTop: 0 }, { segments: 2, exactTop: 50 }]) {
      const settings = { key, shards, order, firstRank, clock, layout, estimates } as const;
      const estimating = new Leaderboard<Score>(redis(), settings);
      const isSmall = !('segments' in estimates);
      for (const [i, { member, score: own, rank }] of all.entries()) {
        if (i % 7 > 0 && i > 60) continue;
        const estimate = await estimating.estimateRank(member);
        if (isSmall || i < 50) expect(estimate).toEqual({ rank, error: 0 });
        else expect(Math.abs((estimate?.rank ?? 0) - rank)).toBeLessThanOrEqual(allowed * (estimate?.error ?? 0));
        const alike = ranksOf.get(String(own)) ?? [];
        const [first = 0, last = 0] = [alike[0], alike.at(-1)];
        const middle = await estimating.estimateRank({ score: own });
        if (!isSmall) continue;
        expect(Math.abs(middle.rank - (first + last) / 2)).toBeLessThan(1);
        expect(middle.error).toBe(Math.ceil(middle.rank - first));
      }
      expect(await estimating.estimateRank('nobody')).toBeNull();
      expect(estimating.estimatesReadAt).toEqual(new Date(start));
      estimating.close();
      expect(estimating.estimatesReadAt).toBeNull();
    }
    const [nothing] = empty();
    expect(await nothing.estimateRank({ score: score(3) })).toEqual({ rank: firstRank, error: 0 });
    expect(await nothing.estimateRank('nobody')).toBeNull();
    nothing.close();
    await expect(nothing.estimateRank({ score: NaN })).rejects.toMatchObject({ code: 'invalidArgument' });
    await expect(nothing.estimateRank('')).rejects.toMatchObject({ code: 'invalidArgument' });
  });

  it('sums scores, finds the score at a percentile, and ranks members among themselves', async () => {
    const [board, model] = await filled(1_300);
    const all = model.entries();
    const sums = all.map((entry) => [entry.score].flat()).reduce((a, b) => a.map((n, d) => n + (b[d] ?? 0)));
    const sum = [await board.sum()].flat();
    sum.forEach((value, d) => expect(value).toBeCloseTo(sums[d] ?? NaN, 8));
    expect(sum).toHaveLength(sums.length);
    for (const place of [0, 1, 500, 1_000, all.length - 2, all.length - 1]) {
      const { member, score: own } = all[place] ?? { member: '', score: NaN };
      expect(await board.scoreAtPercentile((await board.percentile(member)) ?? NaN)).toEqual(own);
    }
    expect(await board.scoreAtPercentile(50)).toEqual(all[Math.floor((all.length - 1) / 2)]?.score);
    const asked = ['user-9', 'nobody', ...oddMembers, 'user-1', 'user-9', 'user-1200', 'user-4'];
    for (const ranking of rankings) {
      const list = new LeaderboardModel<Score>({ layout: name, order, firstRank, dimensions: [order, 'asc'] });
      const whole = new Map(model.entries(ranking).map((entry) => [entry.member, entry]));
      for (const member of asked) {
        const entry = whole.get(member);
        if (entry) list.write('set', member, entry.score, entry.reachedAt?.getTime() ?? 0);
      }
      const among = new Map(list.entries(ranking).map((entry) => [entry.member, entry.rank]));
      const expected = asked.map((member) => {
        const entry = whole.get(member);
        return entry ? { ...entry, among: among.get(member) } : null;
      });
      expect(await board.rankAmong(asked, { ranking })).toEqual(expected);
    }
    const [nothing] = empty();
    expect(await nothing.sum()).toEqual(Array.isArray(score(0)) ? [0, 0] : 0);
    expect(await nothing.scoreAtPercentile(50)).toBeNull();
    expect(await nothing.rankAmong(['nobody'])).toEqual([null]);
    const [other, otherModel] = await filled(3);
    expect(await entriesOn([board, nothing, other], 'user-2')).toEqual([
      all.find(({ member }) => member === 'user-2'),
      null,
      otherModel.entries().find(({ member }) => member === 'user-2'),
    ]);
    const boards = [nothing, other, board] as const;
    const withSize = async (count: number) => (await firstWith(boards, count))?.size() ?? null;
    const sizes = await Promise.all(boards.map((one) => one.size()));
    expect(await Promise.all([0, ...sizes.slice(1)].map(withSize))).toEqual(sizes);
    expect(await withSize((sizes[2] ?? 0) + 1)).toBeNull();
  });

  it('merges and intersects boards, itself among them, each with its weight', async () => {
    const [first, firstModel] = await filled(1_200);
    const [second, secondModel] = empty();
    const lines = Array.from({ length: 90 }, (_, i) => {
      return { member: `user-${i * 17}`, score: score((i * 5) % 23), at: new Date(start + ((i * 31) % 70)) };
    });
    await second.setMany(lines);
    secondModel.writeAll('set', lines);

    const weights = [2, 3];
    const held = [firstModel, secondModel].map((model) => new Map(model.entries().map((e) => [e.member, e])));
    for (const aggregate of ['sum', 'min', 'max'] as const) {
      for (const everywhere of [true, false]) {
        const [target, expected] = empty(aggregate === 'max' ? 50 : undefined);
        await target.setMany([{ member: 'before', score: score(30) }]);
        const merged = [...new Set(held.flatMap((entries) => [...entries.keys()]))].flatMap((member) => {
          const given = held.flatMap((entries, i) => {
            const entry = entries.get(member);
            if (!entry) return [];
            const numbers = [entry.score].flat().map((number) => number * (weights[i] ?? 1));
            return [{ numbers, atMs: entry.reachedAt?.getTime() ?? 0 }];
          });
          const [a, b] = given;
          if (!a || (everywhere && !b)) return [];
          const compared = b ? a.numbers.map((n, d) => n - (b.numbers[d] ?? 0)).find((n) => n !== 0) : 0;
          const earliest = Math.min(...given.map(({ atMs }) => atMs));
          const taken = !b || (aggregate === 'min' ? (compared ?? 0) < 0 : (compared ?? 0) > 0) ? a : b;
          const numbers = aggregate === 'sum' && b ? a.numbers.map((n, d) => n + (b.numbers[d] ?? 0)) : taken.numbers;
          const atMs =
            aggregate === 'sum'
              ? Math.max(...given.map((one) => one.atMs))
              : compared === undefined
                ? earliest
                : taken.atMs;
          return [{ member, score: Array.isArray(score(0)) ? numbers : (numbers[0] ?? NaN), at: new Date(atMs) }];
        });
        expected.writeAll('set', merged);
        const sources = [
          { board: first, weight: 2 },
          { board: second, weight: 3 },
        ];
        const method = everywhere ? 'intersectFrom' : 'mergeFrom';
        expect(await target[method](sources, { aggregate })).toBe(expected.entries().length);
        expectSame(await target.top(2_000), expected.entries());
      }
    }

    // Itself, even twice.
    await first.mergeFrom([{ board: first }, { board: first }]);
    const twice = firstModel.entries().map(({ member, score: own, reachedAt }) => ({
      member,
      score: Array.isArray(own) ? (own as number[]).map((n) => 2 * n) : 2 * (own as number),
      ...(reachedAt && { at: reachedAt }),
    }));
    firstModel.writeAll('set', twice);
    expectSame(await first.top(2_000), firstModel.entries());
    const [nothing] = empty();
    expect(await second.intersectFrom([{ board: nothing }, { board: second }])).toBe(0);
    expect(await second.top(10)).toEqual([]);
  });

  it('leaves no vectors of who is removed, falls off, or is cleared', async () => {
    const [board, model, key] = empty(40);
    for (let i = 0; i < 60; i++) {
      await board.set(`m${i}`, score((i * 7) % 23), new Date(start + i));
      model.write('set', `m${i}`, score((i * 7) % 23), start + i);
    }
    /** How many entries and vectors lie in all of the board's shards. */
    const stored = async () => {
      const tags = shardTags(shards);
      const entries = await Promise.all(tags.map((tag) => redis().zcard(keys.entries(key, tag))));
      const vectors = await Promise.all(tags.map((tag) => redis().hlen(keys.vectors(key, tag))));
      return [entries, vectors].map((counts) => counts.reduce((sum, count) => sum + count));
    };
    const expected = (entries: number) => [entries, name === 'lexical' ? entries : 0];
    expect(await stored()).toEqual(expected(40));
    const inside = model.between(score(8), score(14)).length;
    expect(await board.removeBetween(score(8), score(14))).toBe(inside);
    const member = (await board.top(1))[0]?.member ?? '';
    expect(await board.remove(member, 'nobody')).toBe(1);
    expect(await stored()).toEqual(expected(39 - inside));
    await board.clear();
    expect(await stored()).toEqual(expected(0));
  });

  it('expires on every shard, also on one that is born later', async () => {
    const [board, , key] = empty();
    await board.set('early', score(1));
    await board.expireAt(new Date('2100-01-01'));
    await board.setMany(Array.from({ length: 100 }, (_, i) => ({ member: `late-${i}`, score: score(i) })));
    for (const tag of shardTags(shards)) {
      expect(await redis().pexpiretime(keys.entries(key, tag))).toBe(Date.UTC(2100, 0, 1));
      const vectors = await redis().pexpiretime(keys.vectors(key, tag));
      expect(vectors).toBe(name === 'lexical' ? Date.UTC(2100, 0, 1) : -2);
    }
    await board.expireAt(new Date('1999-01-01'));
    expect(await board.size()).toBe(0);
  });
}
