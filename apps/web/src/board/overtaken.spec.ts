import { type Look, type Passed, relevanceOf } from './overtaken';
import type { Standing, Standings } from '../ranks/ranks';

const period = { key: '2026-11-20', start: '2026-11-20T00:00:00.000Z', end: null, state: 'open' } as const;
const passed: Passed = { userId: '1', leaderboard: 'day', period: period.key, rank: 3, places: 1, by: null };

function ownAt(rank: number | null, key: string = period.key): Standing {
  return {
    leaderboard: 'day',
    period: { ...period, key },
    total: 9,
    entry: { rank, userId: '1', score: 5, reachedAt: null, change: null, user: null },
    tied: false,
    percentile: null,
    ahead: null,
    top10: null,
  };
}

function lookAt(given: Partial<Look> = {}, key: string = period.key): Look {
  const page: Standings = { leaderboard: 'day', period: { ...period, key }, total: 9, entries: [], next: null };
  return { userId: '1', board: { leaderboard: 'day', period: 'current' }, page, own: ownAt(3), ...given };
}

describe('relevanceOf', () => {
  it.each([
    ['the board and its period', lookAt()],
    ['where the user fell further', lookAt({ own: ownAt(7) })],
    ['where the user’s own line is not known yet', lookAt({ own: null })],
    ['where the user’s own line is still that of the period before', lookAt({ own: ownAt(1, '2026-11-19') })],
  ])('belongs to %s', (_, look) => {
    expect(relevanceOf(passed, look)).toBe('here');
  });

  it.each([
    ['another user', lookAt({ userId: '2' })],
    ['nobody', lookAt({ userId: null })],
    ['another board', lookAt({ board: { leaderboard: 'week', period: 'current' } })],
    ['a part of it', lookAt({ board: { leaderboard: 'day', period: 'current', partition: 'arts' } })],
    ['a past period', lookAt({ board: { leaderboard: 'day', period: '2026-11-19' } })],
    ['the next period', lookAt({}, '2026-11-21')],
    ['what is not read yet', lookAt({ page: null })],
  ])('does not belong to %s', (_, look) => {
    expect(relevanceOf(passed, look)).toBe('elsewhere');
  });

  it('is over once the user has climbed back', () => {
    expect(relevanceOf(passed, lookAt({ own: ownAt(2) }))).toBe('over');
  });
});
