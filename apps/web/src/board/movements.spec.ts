import { movementsBetween } from './movements';
import type { Standings } from '../ranks/ranks';

function page(key: string, total: number, ...lines: readonly (readonly [string, number, number])[]): Standings {
  return {
    leaderboard: 'day',
    period: { key, start: `${key}T00:00:00.000Z`, end: null, state: 'open' },
    total,
    entries: lines.map(([userId, rank, score]) => ({ userId, rank, score, reachedAt: null, change: null, user: null })),
    next: null,
  };
}

describe('what moved between two readings of a board', () => {
  it('tells who won and lost points and places, the most first', () => {
    const before = page('2026-11-20', 3, ['a', 1, 9], ['b', 2, 5], ['c', 3, 4]);
    const after = page('2026-11-20', 3, ['c', 1, 14], ['a', 2, 7], ['b', 3, 5]);
    expect(movementsBetween(before, after)).toMatchObject([
      { userId: 'c', points: 10, rank: 1, climbed: 2 },
      { userId: 'a', points: -2, rank: 2, climbed: -1 },
    ]);
  });

  it('gives newcomers their points only if every entry was shown before', () => {
    const newcomer = ['n', 1, 8] as const;
    expect(movementsBetween(page('2026-11-20', 0), page('2026-11-20', 1, newcomer))).toMatchObject([
      { userId: 'n', points: 8, climbed: 0 },
    ]);
    expect(movementsBetween(page('2026-11-20', 9, ['a', 1, 7]), page('2026-11-20', 9, newcomer))).toEqual([]);
  });

  it('tells nothing from one period to the next', () => {
    expect(movementsBetween(page('2026-11-20', 0), page('2026-11-21', 1, ['n', 1, 8]))).toEqual([]);
  });
});
