import { Leaderboard, ScoreLayout, type LeaderboardOptions } from '@laurel/leaderboard';
import type { ContractOptions } from './leaderboard-layouts';
import { freshPrefix } from './redis';

/** What other leaderboards are known to get wrong, fault by fault. */
export function leaderboardKnownFaults({ redis, shards }: ContractOptions): void {
  const newBoard = (options: Partial<LeaderboardOptions> = {}): Leaderboard =>
    new Leaderboard(redis(), { key: freshPrefix(), shards, ...options });
  const lines = (scores: readonly number[]) => scores.map((score, i) => ({ member: `m${i}`, score }));

  it.each(['desc', 'asc'] as const)('keeps the best N of any overflow, order %s', async (order) => {
    const board = newBoard({ order, limit: 5 });
    const scores = [...Array(500).keys()];
    await board.setMany(lines(scores));
    const best = order === 'desc' ? [499, 498, 497, 496, 495] : [0, 1, 2, 3, 4];
    expect((await board.top(500)).map(({ score }) => score)).toEqual(best);
    expect(await board.size()).toBe(5);
    await board.set('worse', 250);
    expect(await board.score('worse')).toBeNull();
    await board.set('best', order === 'desc' ? 1_000 : -1);
    expect((await board.top(500)).map(({ score }) => score)).toEqual([
      order === 'desc' ? 1_000 : -1,
      ...best.slice(0, 4),
    ]);
  });

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

  it('builds no triple of dimensions that was never scored together', async () => {
    const layout = ScoreLayout.lexical({ dimensions: ['gold', 'silver', 'bronze'] });
    const board = new Leaderboard(redis(), { key: freshPrefix(), shards, layout });
    await board.set('a', [13, 17, 14]);
    await board.best('a', [13, 20, 9]);
    expect(await board.score('a')).toEqual([13, 20, 9]);
    await board.best('a', [13, 18, 100]);
    await board.best('a', [12, 100, 100]);
    expect(await board.score('a')).toEqual([13, 20, 9]);
    expect(await board.set('a', [13, 19, 100], { only: 'better' })).toMatchObject({
      score: [13, 20, 9],
      written: false,
    });
  });
}
