import { Period, type Ranking } from '@laurel/leaderboard';
import type { Extensions } from '../extensions/extensions';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { ActivitySettings } from '../options/settings';
import { FirstPages } from './first-pages';
import type { PageAssembler } from './page-assembler';
import type { RankPage } from './rank.responses';
import type { Leaderboards } from './leaderboards';

const day = Period.parse('day', '2036-11-20', 'UTC');

it('first pages are kept up to so many entries, and forgotten when they are too old, whatever is asked next', async () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const head = (count: number) =>
    Promise.resolve({ size: 100, entries: Array(count).fill({}), page: () => ({ entries: [], next: null }) });
  const found = { standings: { head }, read: (work: () => unknown) => work() };
  const pages = new FirstPages(
    { standings: () => Promise.resolve(found) } as unknown as Leaderboards,
    { page: () => Promise.resolve({} as RankPage) } as unknown as PageAssembler,
    {} as Extensions,
    { clock, cacheMs: 400 } as unknown as ActivitySettings,
  );
  const ask = async (label: string, limit: number, ranking: Ranking, titles: boolean) => {
    const start = await pages.start({ label } as LeaderboardBoards, day, limit);
    await pages.page(start, { limit, ranking, titles });
  };
  for (const label of ['day', 'month']) {
    for (const ranking of ['ordinal', 'dense', 'competition'] as const) {
      for (let limit = 100; limit > 10; limit--) {
        for (const titles of [false, true]) await ask(label, limit, ranking, titles);
      }
    }
  }
  expect(pages.keptEntries).toBeGreaterThan(30_000);
  expect(pages.keptEntries).toBeLessThan(52_000);
  clock.nowMs = 400;
  await ask('day', 1, 'ordinal', false);
  expect(pages.keptEntries).toBeLessThan(100);
});
