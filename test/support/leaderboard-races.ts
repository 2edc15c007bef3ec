import { Leaderboard, type Entry, type LeaderboardOptions, type Score } from '@laurel/leaderboard';
import { shardOf } from '@laurel/leaderboard/internals';
import { withBetween } from './between-trips';
import { ManualClock } from './clock';
import { layouts, start, type ContractOptions } from './leaderboard-layouts';
import { freshPrefix } from './redis';

/** More round trips than any call below takes. */
const trips = [1, 2, 3, 4, 5, 6];

/** What holds while others write between the round trips of one call. */
export function leaderboardRaces({ redis, shards }: ContractOptions): void {
  async function boardOf<S extends Score = number>(
    scores: Readonly<Record<string, NoInfer<S>>>,
    options: Partial<LeaderboardOptions<S>> = {},
  ) {
    const board = new Leaderboard<S>(redis(), { key: freshPrefix(), shards, ...options });
    await board.setMany(Object.entries(scores).map(([member, score]) => ({ member, score })));
    await board.top(1);
    return board;
  }

  it('gives neither more nor less than lies between two scores while entries come and go beside them', async () => {
    const inside = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`in-${i}`, 200 - i]));
    const beside = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`ahead-${i}`, 300 + i]));
    const behind = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`behind-${i}`, 80 - i]));
    for (const trip of trips) {
      const board = await boardOf({ ...inside, ...beside, ...behind });
      const leave = () => board.remove(...Object.keys(beside));
      const come = () => board.setMany(Object.keys(beside).map((member) => ({ member, score: 400 })));
      for (const work of [leave, come]) {
        const all = await withBetween(redis(), { trip, work }, () => board.between(81, 200));
        expect(all.map(({ member }) => member)).toEqual(Object.keys(inside));
        const some = await withBetween(redis(), { trip, work }, () => board.between(81, 200, { offset: 70, count: 9 }));
        expect(some.map(({ score }) => score)).toEqual([130, 129, 128, 127, 126, 125, 124, 123, 122]);
      }
    }
  });

  it('lists nobody twice, and leaves nobody out who stays, while others come and go at the top', async () => {
    const scores = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`m${i}`, 1_000 - i]));
    // All on one shard: more is asked of it than its share.
    const uneven = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => `u${i}`)
        .filter((member) => shardOf(member, shards) === 0)
        .slice(0, 100)
        .map((member, i) => [member, 1_000 - i]),
    );
    for (const given of [scores, uneven]) {
      for (const trip of trips) {
        const board = await boardOf(given);
        const members = Object.keys(given);
        const come = () => board.set('newcomer', 2_000);
        const top = await withBetween(redis(), { trip, work: come }, () => board.top(100));
        expect(top.map(({ member }) => member).filter((member) => member !== 'newcomer')).toEqual(
          members.slice(0, 100 - (top[0]?.member === 'newcomer' ? 1 : 0)),
        );
        const first = members[0] as string;
        const leave = () => board.remove(first, 'newcomer');
        const rest = await withBetween(redis(), { trip, work: leave }, () => board.top(100));
        // A member who left may have been read before: of a hundred lines they take two.
        expect(rest.map(({ member }) => member)).toEqual(expect.arrayContaining(members.slice(1, 98)));
        expect(new Set(rest.map(({ member }) => member)).size).toBe(rest.length);
      }
    }
  });

  it('numbers equals by ranks that never fall, though members come and go between two round trips', async () => {
    const scores = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`m${i}`, 100 - Math.floor(i / 6)]));
    const newcomers = Array.from({ length: 20 }, (_, i) => ({ member: `new-${i}`, score: 400 + i }));
    for (const ranking of ['competition', 'dense'] as const) {
      const reads: ((board: Leaderboard) => Promise<Entry[]>)[] = [
        (board) => board.range(40, 30, { ranking }),
        async (board) => (await board.after((await board.page({ offset: 0 }, 40)).next, 30, { ranking })).entries,
        (board) => board.between(80, 93, { ranking }),
        (board) => board.around('m50', { radius: 9, ranking }),
      ];
      for (const trip of [2, 3, 4]) {
        for (const read of reads) {
          const board = await boardOf(scores);
          const come = () => board.setMany(newcomers);
          const entries = await withBetween(redis(), { trip, work: come }, () => read(board));
          expect(entries.length).toBeGreaterThan(15);
          entries.slice(1).forEach((entry, i) => {
            const before = entries[i] as Entry;
            if (entry.score === before.score) expect(entry.rank).toBe(before.rank);
            else expect(entry.rank).toBeGreaterThan(before.rank);
          });
        }
      }
    }
  });

  it.each(layouts)('never counts a member ahead of themselves, however they move: $name', async ({ layout, score }) => {
    for (const ranking of ['ordinal', 'competition'] as const) {
      for (const trip of trips) {
        const board = await boardOf({ m: score(5) }, { layout, clock: new ManualClock(start) });
        const rise = () => board.set('m', score(10));
        const between = <T>(read: () => Promise<T>) => withBetween(redis(), { trip, work: rise }, read);
        expect(await between(() => board.entry('m', { ranking }))).toMatchObject({ rank: 1 });
        expect(await between(() => board.rank('m', { ranking }))).toBe(1);
        expect(await between(() => board.ranks(['m', 'nobody'], { ranking }))).toEqual([1, null]);
        expect(await between(() => board.rankAmong(['m'], { ranking }))).toMatchObject([{ rank: 1, among: 1 }]);
        expect(await between(() => board.percentile('m'))).toBe(100);
      }
    }
  });

  it('keeps the best of a limited board while others remove and trim', async () => {
    // Of several shards it is found in some trips and removed in another: one removed in between may cost one more.
    const least = shards > 1 ? 2 : 3;
    for (const trip of trips) {
      const board = await boardOf({ a: 9, b: 8, c: 7 }, { limit: 3 });
      const other = () => board.remove('a');
      await withBetween(redis(), { trip, work: other }, () => board.setMany([{ member: 'd', score: 6 }]));
      const size = await board.size();
      expect(size).toBeGreaterThanOrEqual(least);
      expect(size).toBeLessThanOrEqual(3);
    }
  });
}
