import { EventEmitter2 } from '@nestjs/event-emitter';
import { SettlementService, type LeaderboardSettledEvent } from '@laurel/activity';
import { freshPrefix, hourMs, ManualClock, TinyApp } from './support';

// In years to come: Redis would drop at once what had to expire before now.
const [autumn, spring] = ['2037-09-07', '2038-02-15'] as const;
const week = 7 * 24 * hourMs;
const at = (day: string, weeks = 0): number => Date.parse(`${day}T12:00:00Z`) + weeks * week;

interface Page {
  readonly period: { readonly key: string; readonly state: string };
  readonly entries: readonly { readonly userId: string; readonly score: number }[];
}

let prefix: string;
beforeEach(() => (prefix = freshPrefix()));

/** An app whose weeks of a term are counted from a day, and what it announces as settled. */
async function start(weeksFrom: string, clock: ManualClock) {
  const leaderboards = [{ name: 'term', period: 'week', weeksFrom }] as const;
  const app = await TinyApp.start({ options: { prefix, clock, leaderboards, settlement: { everyMs: 3_600_000 } } });
  const settled: string[] = [];
  app.nest.get(EventEmitter2).on('leaderboard.settled', ({ id, period }: LeaderboardSettledEvent) => {
    settled.push(`${period} ${id}`);
  });
  let number = 0;
  return {
    app,
    settled,
    record: async (userId: string) => {
      const { body } = await app.record({ userId, action: 'praise', subject: `article:${++number}` });
      return body.results[0];
    },
    page: async (period = 'current') => {
      const { body } = await app.get<Page>(`/ranks/term?period=${period}`);
      return { ...body.period, entries: body.entries.map(({ userId, score }) => `${userId} ${score}`) };
    },
    settle: () => app.nest.get(SettlementService).settleDue(),
  };
}

it('weeks that are counted from another day are another board at once, settled of its own: they take activities though the former weeks are settled', async () => {
  const clock = new ManualClock(at(autumn));
  const first = await start(autumn, clock);
  await first.record('ann');
  clock.set(at(autumn, 22));
  await first.record('bob');
  await first.settle();
  expect(first.settled).toEqual([expect.stringContaining(`${autumn}-W0001`)]);

  clock.set(at(spring));
  const next = await start(spring, clock);
  expect(await next.page()).toMatchObject({ key: `${spring}-W0001`, state: 'open', entries: [] });
  expect(await next.record('cid')).toMatchObject({ outcome: 'granted', scores: { term: 2 } });
  expect(await next.page()).toMatchObject({ key: `${spring}-W0001`, entries: ['cid 2'] });
  // The last week of the former term was not settled yet.
  await next.settle();
  expect(next.settled).toEqual([expect.stringContaining(`${autumn}-W0023`)]);
  expect(await next.page(`${autumn}-W0001`)).toMatchObject({ state: 'settled', entries: ['ann 2'] });
  expect(await next.page(`${autumn}-W0023`)).toMatchObject({ state: 'settled', entries: ['bob 2'] });

  clock.set(at(spring, 2));
  await next.settle();
  expect(next.settled[1]).toContain(`${spring}-W0001`);
  expect(new Set([...first.settled, ...next.settled].map((one) => one.split(' ')[1])).size).toBe(3);
  expect(await next.page(`${spring}-W0001`)).toMatchObject({ state: 'settled', entries: ['cid 2'] });
});
