import type { ArchivedEntry, HiddenPlace, SettledPeriod, StandingsArchive } from './standings-archive';
import { ArchivedStandings } from './archived-standings';

const total = 200;

/** Two users share each score; the first of every second pair does not show. */
const entries = Array.from({ length: total }, (_, i): ArchivedEntry => {
  const pair = Math.floor(i / 2);
  return {
    place: i + 1,
    competition: 2 * pair + 1,
    dense: pair + 1,
    userId: `u${i}`,
    score: 1_000 - pair,
    reachedAtMs: null,
  };
});
const settled: SettledPeriod = {
  leaderboard: 'day',
  period: '2036-11-20',
  startMs: 0,
  endMs: 1,
  settledAtMs: 2,
  total,
  checksum: '',
  tieRule: '',
  rulesVersion: 1,
};

class CountingArchive implements StandingsArchive {
  pages = 0;
  atOnce = 0;
  mostAtOnce = 0;
  fault: Error | undefined;
  hiddenPlaces: readonly HiddenPlace[] = entries.filter((_, i) => i % 4 === 0);

  begin = () => Promise.reject(new Error('Nothing is archived here.'));
  find = () => Promise.resolve(settled);
  periods = () => Promise.resolve([settled]);
  history = () => Promise.resolve([]);
  hidden = () => Promise.resolve(this.hiddenPlaces);

  async page(_: string, __: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    this.pages += 1;
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise(setImmediate);
    this.atOnce -= 1;
    if (this.fault) throw this.fault;
    return entries.slice(offset, offset + limit);
  }

  entries(_: string, __: string, userIds: readonly string[]) {
    return Promise.resolve(userIds.map((userId) => entries.find((one) => one.userId === userId) ?? null));
  }
}

describe('how many archived entries that show have a higher score', () => {
  it('is found in one read for each halving', async () => {
    const archive = new CountingArchive();
    const shown = entries.filter((_, i) => i % 4 !== 0);
    for (const score of [2_000, 1_000, 999, 960, 901, 900, 0]) {
      archive.pages = 0;
      const above = shown.filter((entry) => entry.score > score).length;
      expect(await new ArchivedStandings(archive, settled).countBetween(score + 1, Infinity)).toBe(above);
      expect(archive.pages).toBeLessThanOrEqual(8);
    }
  });
});

describe('dense ranks of archived standings of whom many do not show', () => {
  const rank = async (archive: StandingsArchive, userId: string) => {
    return (await new ArchivedStandings(archive, settled).entry(userId, { ranking: 'dense' }))?.rank;
  };

  it('look at each score that a hidden user has once, some at a time, and not again while the same are hidden', async () => {
    const archive = new CountingArchive();
    expect(await rank(archive, 'u199')).toBe(100);
    expect(archive.pages).toBe(50);
    expect(archive.mostAtOnce).toBeLessThanOrEqual(16);
    expect(await Promise.all(['u199', 'u1', 'u3'].map((userId) => rank(archive, userId)))).toEqual([100, 1, 2]);
    expect(archive.pages).toBe(50);
    archive.hiddenPlaces = entries.filter((_, i) => i % 4 === 0 || i === 1);
    expect(await rank(archive, 'u199')).toBe(99);
    expect(archive.pages).toBeGreaterThan(50);
  });

  it('are found again after a look that failed', async () => {
    const archive = new CountingArchive();
    archive.fault = new Error('The database is away.');
    await expect(rank(archive, 'u199')).rejects.toThrow('The database is away.');
    archive.fault = undefined;
    expect(await rank(archive, 'u199')).toBe(100);
  });
});
