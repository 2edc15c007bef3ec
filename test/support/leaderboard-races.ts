import { Leaderboard, type LeaderboardOptions } from '@laurel/leaderboard';
import { withBetween } from './between-trips';
import type { ContractOptions } from './leaderboard-layouts';
import { freshPrefix } from './redis';

/** More round trips than any call below takes. */
const trips = [1, 2, 3, 4, 5, 6];

/** What holds while others write between the round trips of one call. */
export function leaderboardRaces({ redis, shards }: ContractOptions): void {
  async function boardOf(scores: Readonly<Record<string, number>>, options: Partial<LeaderboardOptions> = {}) {
    const board = new Leaderboard(redis(), { key: freshPrefix(), shards, ...options });
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
}
