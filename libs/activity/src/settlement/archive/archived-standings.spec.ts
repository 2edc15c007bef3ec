import type { ArchivedEntry, HiddenPlace, SettledPeriod, StandingsArchive } from './standings-archive';
import { ArchivedStandings } from './archived-standings';

const total = 200;

/** Two users share each score; the first of every second pair does not show. */
const entries = Array.from({ length: total }, (_, i): ArchivedEntry => {
  const pair = Math.floor(i / 2);
  const places = { place: i + 1, competition: 2 * pair + 1, dense: pair + 1 };
  return { ...places, userId: `u${i}`, score: 1_000 - pair, reachedAtMs: null };
});
const settled: SettledPeriod = {
  ...{ leaderboard: 'day', period: '2036-11-20', startMs: 0, endMs: 1, settledAtMs: 2, total },
  ...{ checksum: '', tieRule: '', rulesVersion: 1 },
};

const hiddenPlaces = entries.flatMap((entry, i): HiddenPlace[] =>
  i % 4 === 0 ? [{ ...entry, isScoreShown: true }] : [],
);

class CountingArchive implements StandingsArchive {
  pages = 0;

  begin = () => Promise.reject(new Error('Nothing is archived here.'));
  find = () => Promise.resolve(settled);
  periods = () => Promise.resolve([settled]);
  history = () => Promise.resolve([]);
  hidden = () => Promise.resolve(hiddenPlaces);

  page(_: string, __: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    this.pages += 1;
    return Promise.resolve(entries.slice(offset, offset + limit));
  }

  entries(_: string, __: string, userIds: readonly string[]) {
    return Promise.resolve(userIds.map((userId) => entries.find((one) => one.userId === userId) ?? null));
  }
}

it('a page of archived entries ends with a cursor that tells nothing of who is hidden', async () => {
  const { next } = await new ArchivedStandings(new CountingArchive(), settled).after(null, 2);
  expect(JSON.parse(Buffer.from(next ?? '', 'base64url').toString())).toEqual([expect.any(String), [2, 'u2']]);
});

it('how many archived entries that show have a higher score is found in one read for each halving', async () => {
  const archive = new CountingArchive();
  const shown = entries.filter((_, i) => i % 4 !== 0);
  for (const score of [2_000, 1_000, 999, 960, 901, 900, 0]) {
    archive.pages = 0;
    const above = shown.filter((entry) => entry.score > score).length;
    expect(await new ArchivedStandings(archive, settled).countBetween(score + 1, Infinity)).toBe(above);
    expect(archive.pages).toBeLessThanOrEqual(8);
  }
});
