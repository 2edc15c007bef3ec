import type { OwnPlace } from '../live/watch';
import { followOwnLine } from './follow-own-line';
import type { Standing } from '../ranks/ranks';

const period = { key: '2026-11-20', start: '2026-11-20T00:00:00.000Z', end: null, state: 'open' } as const;

function standing(rank: number, score: number): Standing {
  return {
    leaderboard: 'day',
    period,
    total: 9,
    entry: { rank, userId: '1', score, reachedAt: null, change: 2, user: null },
    tied: false,
    percentile: 50,
    ahead: null,
    top10: null,
  };
}

function place(rank: number, score: number): OwnPlace {
  const entry = { userId: '1', rank, score, reachedAt: null };
  return { leaderboard: 'day', period: period.key, total: 10, entry };
}

describe('followOwnLine', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Readings that find what `next` says by then, and what is heard. */
  function start() {
    const server = { next: standing(4, 5), readings: 0, heard: [] as (readonly [number | null, number])[] };
    const line = followOwnLine({
      read: async () => {
        server.readings += 1;
        const found = server.next;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return found;
      },
      hear: ({ entry }) => server.heard.push([entry.rank, entry.score]),
    });
    return { server, line };
  }

  it('reads once when others move, and again no more than every five to ten seconds', async () => {
    const { server, line } = start();
    for (let second = 0; second < 60; second += 1) {
      line.moved();
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(server.readings).toBeGreaterThanOrEqual(6);
    expect(server.readings).toBeLessThanOrEqual(12);
    line.stop();
  });

  it('reads at most every two seconds while the board is asked again and again', async () => {
    const { server, line } = start();
    for (let asked = 0; asked < 19; asked += 1) {
      line.asked();
      await jest.advanceTimersByTimeAsync(500);
    }
    expect(server.readings).toBe(5);
    line.stop();
  });

  it('shows at once where the user stands, and reads the complete line soon', async () => {
    const { server, line } = start();
    line.moved();
    await jest.advanceTimersByTimeAsync(200);
    line.told(place(4, 5));
    await jest.advanceTimersByTimeAsync(4_000);
    expect(server.readings).toBe(1);
    server.next = standing(2, 8);
    line.told(place(2, 8));
    expect(server.heard).toEqual([
      [4, 5],
      [2, 8],
    ]);
    await jest.advanceTimersByTimeAsync(200);
    expect(server.readings).toBe(2);
    line.stop();
  });

  it('does not go back to what an older reading found', async () => {
    const { server, line } = start();
    line.moved();
    await jest.advanceTimersByTimeAsync(50);
    server.next = standing(2, 8);
    line.told(place(2, 8));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(server.heard).toEqual([
      [2, 8],
      [2, 8],
    ]);
    expect(server.readings).toBe(2);
    line.stop();
  });

  it('reads no more once it is stopped', async () => {
    const { server, line } = start();
    line.moved();
    await jest.advanceTimersByTimeAsync(200);
    line.asked();
    line.stop();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(server.readings).toBe(1);
  });
});
