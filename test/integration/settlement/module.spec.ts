import { EventEmitter2 } from '@nestjs/event-emitter';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Erasures, Exclusions, LeaderboardSettledEvent, SettlementService } from '@laurel/activity';
import {
  Ledgers,
  SettledBoards,
  StandingsChecksum,
  type RankHistory,
  type RankPage,
  type RankPeriods,
  type RankPoints,
  type RankStanding,
} from '@laurel/activity/internals';
import type { HiddenPlace } from '@laurel/activity/settlement';
import { Resharding, systemClock } from '@laurel/leaderboard';
import { settledKeys } from '../../support/keys';
import { MemoryArchive } from '../../support/memory-archive';
import { type AllOptions, dayMs, freshPrefix, ManualClock, testRedis, waitUntil } from '../activity/support';
import { moduleOf } from '../activity/support/past-days';
import { stopTinyApps, TinyApp, withKey } from '../activity/support/tiny-app';

interface Page {
  readonly total: number;
  readonly period: { readonly state: string };
}

/** Ahead, so that nothing expires. */
const day = '2036-11-20';
const noon = `${day}T12:00:00Z`;
const lastMs = Date.parse(`${day}T23:59:59.999Z`);
const closesMs = lastMs + 1 + 3_600_000;

const view = (userId: string, subject: string, occurredAt = noon) => ({ userId, action: 'view', subject, occurredAt });

/** An app with ann before bob before cho on the day's board, and what it announced. */
async function open(options: Partial<AllOptions> = {}, extras: object = {}) {
  const clock = new ManualClock(noon);
  const app = await TinyApp.start({ options: { clock, settlement: { everyMs: 20 }, ...options }, ...extras });
  const announced: LeaderboardSettledEvent[] = [];
  const emitter = app.nest.get(EventEmitter2);
  emitter.on(LeaderboardSettledEvent.eventName, (event: LeaderboardSettledEvent) => void announced.push(event));
  await app.record(view('ann', '1'), view('ann', '2'), view('bob', '1'), view('cho', '1', `${day}T11:00:00Z`));
  const state = async () => (await app.get<Page>(`/ranks/day?period=${day}`)).body.period.state;
  return { app, clock, announced, emitter, state };
}

const ranking = [
  { place: 1, competition: 1, dense: 1, userId: 'ann', score: 2 },
  { place: 2, competition: 2, dense: 2, userId: 'cho', score: 1 },
  { place: 3, competition: 2, dense: 2, userId: 'bob', score: 1 },
];

describe('settlement', () => {
  it('settles a day an hour after its end, announces it once, and leaves it as it is', async () => {
    const { app, clock, announced, state } = await open();
    clock.set(closesMs - 1);
    expect(await app.record(view('dan', '1'))).toMatchObject({ body: { results: [{ outcome: 'granted' }] } });
    expect(await state()).toBe('closing');
    expect(await app.nest.get(SettlementService).due()).toEqual([]);
    clock.set(closesMs);
    await waitUntil(() => announced.length > 0);
    const entries = announced[0]?.winners ?? [];
    expect(entries).toMatchObject([{ userId: 'ann' }, { userId: 'cho' }, { userId: 'dan' }, { userId: 'bob' }]);
    const checksum = new StandingsChecksum();
    checksum.add(entries);
    const facts = { leaderboard: 'day', period: day, total: 4, checksum: checksum.digest() };
    expect(announced[0]).toEqual({ ...facts, id: `day:${day}`, winners: entries });
    const settled = new SettledBoards(testRedis(), app.nest.get(Ledgers).main);
    expect(await settled.find('day', day)).toEqual({
      ...facts,
      startMs: Date.parse(`${day}T00:00:00Z`),
      endMs: lastMs + 1,
      settledAtMs: closesMs,
      tieRule: 'who reached the score first, then the higher user id as bytes',
      rulesVersion: 1,
    });
    expect(await state()).toBe('settled');

    clock.set(noon); // a process whose clock is half a day behind
    const late = await app.record(view('eve', '1'), view('ann', '3'));
    expect(late.body.results).toMatchObject([
      { outcome: 'granted', scores: { month: 1 } },
      { outcome: 'granted', scores: { month: 3 } },
    ]);
    expect(late.body.results[0]?.scores).toEqual({ month: 1 });
    expect((await app.get<Page>(`/ranks/day?period=${day}`)).body.total).toBe(4);
    clock.set(closesMs + 3_600_000);
    await app.nest.get(SettlementService).settleDue();
    expect(announced).toHaveLength(1);
    expect(await app.metric('laurel_settled_periods_total{leaderboard="day"}')).toBe(1);
  });

  it('calls nothing settled that is not frozen yet', async () => {
    const { app, clock, state } = await open({ settlement: { everyMs: 86_400_000 } });
    clock.set(closesMs + 86_400_000);
    expect(await state()).toBe('closing');
    expect(await app.get('/ranks/day?period=2036-11-19')).toMatchObject({ body: { period: { state: 'settled' } } });
    const done = await app.nest.get(SettlementService).settleDue();
    expect(done).toMatchObject({ settled: [{ leaderboard: 'day', period: day, total: 3 }], failed: [], missed: [] });
    expect(await state()).toBe('settled');
  });

  it('leaves the announcement, of as many winners as it is told, to an instance with listeners', async () => {
    const quiet = await open({ settlement: { everyMs: 86_400_000, winners: 1 } });
    quiet.clock.set(closesMs);
    const service = quiet.app.nest.get(SettlementService);
    expect(await service.settleDue(undefined, { announces: false })).toMatchObject({ settled: [{ total: 3 }] });
    expect(quiet.announced).toEqual([]);
    expect(await service.settleDue()).toMatchObject({ settled: [{ total: 3 }] });
    expect(quiet.announced).toMatchObject([{ id: `day:${day}`, total: 3, winners: [{ userId: 'ann' }] }]);
    expect(await service.settleDue()).toMatchObject({ settled: [] });
  });

  it('does nothing where it is off: time alone settles', async () => {
    const { app, clock, state } = await open({ settlement: false });
    clock.set(closesMs);
    expect(await state()).toBe('settled');
    expect(await app.nest.get(SettlementService).due()).toHaveLength(1);
  });

  it('tells of periods whose boards were gone before they were settled', async () => {
    const retentionMs = { day: 7_200_000 };
    const { app, clock } = await open({ settlement: { everyMs: 86_400_000 }, retentionMs });
    clock.set(lastMs + 1 + 7_200_000);
    const done = await app.nest.get(SettlementService).settleDue();
    expect(done).toMatchObject({ settled: [], missed: [{ leaderboard: 'day' }] });
    expect(await app.nest.get(SettlementService).due()).toEqual([]);
    expect(await app.metric('laurel_settlement_missed_total{leaderboard="day"}')).toBe(1);
  });

  it('writes into the archive that the app binds, and goes on where that hung and members were moved', async () => {
    const prefix = freshPrefix();
    const own = new MemoryArchive();
    // The archive does not know who was excluded before there was one.
    await (await open({ prefix, settlement: false })).app.nest.get(Exclusions).exclude('cho');
    const hidden: HiddenPlace[] = [];
    const cho = { place: 2, competition: 2, dense: 2, userId: 'cho', isScoreShown: true };
    const hide = (userId: string) => Promise.resolve(void (userId === 'cho' && hidden.push(cho)));
    Object.assign(own, { hide, hidden: () => Promise.resolve(hidden) });
    let isDown = true;
    const begin = own.begin.bind(own);
    own.begin = (...args) => (isDown ? new Promise(() => undefined) : begin(...args));
    const settlement = { everyMs: 20, leaseMs: 200 };
    const { app, clock, announced, state } = await open(
      { prefix, settlement },
      { extras: { imports: [moduleOf(own)] } },
    );
    await app.record(view('dan', '1'));
    await app.nest.get(Erasures).erase('dan');
    clock.set(closesMs);
    await waitUntil(async () => (await app.metric('laurel_settlement_failures_total{leaderboard="day"}')) > 0);
    expect(announced).toEqual([]);
    expect(await state()).toBe('settled'); // frozen: final, if not archived yet
    // Erasures are counted for each shard: from now on anew.
    await new Resharding(testRedis(), { prefix, shards: 2, graceMs: 0 }).run();
    isDown = false;
    await waitUntil(() => announced.length > 0);
    expect(announced).toMatchObject([{ total: 2, winners: [{ userId: 'ann' }, { userId: 'bob', place: 2 }] }]);
    expect(await own.page('day', day, 0, 10)).toMatchObject(ranking);
  });

  it('stands in the app’s own scheduler, and so does all that is done again and again', async () => {
    const prefix = freshPrefix();
    const { app } = await open({ prefix }, { imports: [ScheduleModule.forRoot()] });
    const registry = app.nest.get(SchedulerRegistry);
    const words = 'deletions erasures exclusions filling leaderboards merges owed packing refusals reviews rules';
    const names = [...words.split(' '), 'settlement', 'shards', 'stream-viewers', 'streams'];
    expect(registry.getIntervals().sort()).toEqual(names.map((name) => `laurel-${name}-${prefix}`));
    await stopTinyApps();
    expect(registry.getIntervals()).toEqual([]);
  });
});

const days = (count: number) => count * 86_400_000;

it.each([
  ['400 days from when it was settled', undefined, (settledMs: number) => settledMs + days(400)],
  ['31 days, of an hour', undefined, (settledMs: number) => settledMs + days(31), 'hour'],
  ['as long as the archive’s retention says', { day: days(50) }, (_: number, endMs: number) => endMs + days(50)],
  ['for good', null, () => -1],
  ['no shorter than boards are', days(2), (_: number, endMs: number) => endMs + days(31)],
] as const)('a settled board is kept %s', async (_, archiveRetentionMs, expected, period: 'day' | 'hour' = 'day') => {
  const [prefix, key] = [freshPrefix(), period === 'day' ? day : `${day}T12`];
  const settlement = { everyMs: 20, archiveRetentionMs };
  const { clock, announced } = await open({ prefix, settlement, leaderboards: [{ name: 'day', period }] });
  clock.set(closesMs);
  await waitUntil(() => announced.some((one) => one.period === key));
  const keys = await testRedis().keys(`{${prefix}:*}:board:day:${key}`);
  keys.push(settledKeys.period(prefix, key, 'day'));
  const expiries = await Promise.all(keys.map((key) => testRedis().pexpiretime(key)));
  expect(new Set(expiries)).toEqual(new Set([expected(closesMs, lastMs + 1)]));
});

/** Retention is by Redis' clock: today. */
const noonMs = Math.floor(systemClock.now() / dayMs) * dayMs + dayMs / 2;
const today = new Date(noonMs).toISOString().slice(0, 10);

it('a period whose leader is excluded names others as winners, and shows the user where they stood, also later', async () => {
  const clock = new ManualClock(noonMs);
  const leaderboards = [{ name: 'day', period: 'day' }] as const;
  const settlement = { everyMs: 86_400_000 };
  const app = await TinyApp.start({ options: { clock, leaderboards, settlement, cacheMs: 60_000 } });
  const occurredAt = new Date(noonMs).toISOString();
  const userIds = ['ann', 'ann', 'ann', 'bob', 'bob', 'cho'];
  await app.record(...userIds.map((userId, page) => view(userId, `/${page}`, occurredAt)));
  const exclusions = app.nest.get(Exclusions);
  await exclusions.exclude('ann');
  const settled: LeaderboardSettledEvent[] = [];
  const hear = (event: LeaderboardSettledEvent) => settled.push(event);
  app.nest.get(EventEmitter2).on(LeaderboardSettledEvent.eventName, hear);
  clock.advance(dayMs);
  await app.nest.get(SettlementService).settleDue();
  const winners = [
    { userId: 'bob', place: 1, competition: 1, dense: 1 },
    { userId: 'cho', place: 2 },
  ];
  expect(settled).toMatchObject([{ leaderboard: 'day', period: today, total: 2, winners }]);

  const board = async () =>
    (await app.get<RankPage>(`/ranks/day?period=${today}`)).body.entries.map(({ userId, rank }) => `${rank} ${userId}`);
  const listed = async () =>
    (await app.get<RankPeriods>('/ranks/day/periods')).body.periods.find(({ key }) => key === today);
  const told = async () => ({
    total: (await listed())?.total,
    ...Object.fromEntries(
      await Promise.all(
        ['bob', 'ann'].map(async (userId) => {
          const { body } = await app.get<RankHistory>(`/ranks/day/users/${userId}/history`);
          return [userId, body.entries.map(({ rank }) => rank)] as const;
        }),
      ),
    ),
  });
  // 2 days later its board lives by its own retention, 40 days later by the archive's.
  for (const days of [1, 38]) {
    clock.advance(days * dayMs);
    expect(await board()).toEqual(['1 bob', '2 cho']);
    expect(await told()).toEqual({ total: 2, bob: [1], ann: [] });
    expect(await listed()).toMatchObject({ state: 'settled', checksum: settled[0]?.checksum });
    expect((await app.get<RankPoints>('/ranks/day/users/bob/points')).body.periods).toMatchObject([
      { period: today, points: 2, rank: 1 },
    ]);
    const own = await app.get<RankStanding>(`/ranks/day/users/ann?period=${today}`, withKey);
    expect(own.body).toMatchObject({ entry: { rank: null, score: 3 }, excluded: true, total: 2 });
    await exclusions.include('ann');
    expect(await board()).toEqual(['1 ann', '2 bob', '3 cho']);
    expect(await told()).toEqual({ total: 3, bob: [2], ann: [1] });
    await exclusions.exclude('bob');
    expect(await board()).toEqual(['1 ann', '2 cho']);
    await exclusions.include('bob');
    await exclusions.exclude('ann');
  }
});
