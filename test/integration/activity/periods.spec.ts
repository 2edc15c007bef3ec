import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  type ActivityRecordedEvent,
  PraiseCancelledEvent,
  PraiseEvent,
  SettlementService,
  type LeaderboardConfig,
} from '@laurel/activity';
import { Ledgers, type RankHistory, type RankPartitions, type RankPeriods } from '@laurel/activity/internals';
import { type AllOptions, dayMs, hourMs, ManualClock, minuteMs, testRedis, waitUntil } from './support';
import { beginDays } from './support/past-days';
import { oneTinyApp, TinyApp, withKey, dayBoard, allBoard } from './support/tiny-app';

interface Result {
  readonly outcome: string;
  readonly points: number;
  readonly scores: Record<string, number>;
  readonly boards: Record<string, string>;
  readonly late?: readonly string[];
}

interface Page {
  readonly period: { readonly key: string; readonly state: string };
  readonly partition?: string;
  readonly entries: readonly { readonly userId: string; readonly score: number; readonly reachedAt: string }[];
}

type Leaderboards = readonly LeaderboardConfig[];

const optionsOf = (clock: ManualClock, leaderboards: Leaderboards, options?: Partial<AllOptions>) => {
  return { options: { clock, leaderboards, latenessMs: hourMs, timezone: 'Europe/London', ...options } };
};

/** An app of a test's own. */
const start = (...given: Parameters<typeof optionsOf>) => TinyApp.start(optionsOf(...given));

/** An app of all tests of a `describe`: they keep to users, parts or days of their own. */
const oneOf = (...given: Parameters<typeof optionsOf>) => oneTinyApp(optionsOf(...given));

const praise = (occurredAtMs: number, more: object = {}) => ({
  userId: 'ann',
  action: 'praise',
  subject: 'article:7',
  occurredAt: new Date(occurredAtMs).toISOString(),
  ...more,
});

const recordOne = async (app: TinyApp, event: object): Promise<Result> => {
  const { body } = await app.post<{ results: Result[] }>('/activity/events', { events: [event] }, withKey);
  return body.results[0] as Result;
};

// In the future: Redis would drop keys at once that expire before now. Midnight in London on Monday 2037-03-30, the day
// after the clocks went forward, is 23:00 in UTC.
const boundary = Date.parse('2037-03-29T23:00:00Z');
const quarter = Date.parse('2037-03-31T23:00:00Z');

/** For each kind of board: the moment at which one period ends and the next begins, and the keys of the two. */
const kinds: [name: string, config: Omit<LeaderboardConfig, 'name'>, atMs: number, before: string, after: string][] = [
  ['an hour', { period: 'hour' }, boundary, '2037-03-29T23', '2037-03-30T00'],
  ['a day', { period: 'day' }, boundary, '2037-03-29', '2037-03-30'],
  ['an ISO week', { period: 'week' }, boundary, '2037-W13', '2037-W14'],
  ['a week from Sunday', { period: 'week', weekStart: 'sunday' }, boundary - 23 * hourMs, '2037-S12', '2037-S13'],
  ['a counted week', { period: 'week', weeksFrom: '2037-03-02' }, boundary, '2037-03-02-W0004', '2037-03-02-W0005'],
  ['a month', { period: 'month' }, quarter, '2037-03', '2037-04'],
  ['a quarter', { period: 'quarter' }, quarter, '2037-Q1', '2037-Q2'],
  ['a year', { period: 'year' }, Date.parse('2038-01-01T00:00:00Z'), '2037', '2038'],
  [
    'a season',
    { seasons: ['2037-03-02', '2037-03-30', '2037-06-01'] },
    boundary,
    '2037-03-02--2037-03-29',
    '2037-03-30--2037-05-31',
  ],
  [
    'a day elsewhere',
    { period: 'day', timezone: 'Asia/Kathmandu' },
    boundary - 4.75 * hourMs,
    '2037-03-29',
    '2037-03-30',
  ],
  ['a day of other points', { period: 'day', points: { praise: 5 } }, boundary, '2037-03-29', '2037-03-30'],
  ['a part of a day', { period: 'day', partition: 'category' }, boundary, '2037-03-29', '2037-03-30'],
];

describe.each(kinds)('on %s', (_, config, atMs, before, after) => {
  const board: LeaderboardConfig = { name: 'board', ...config, retentionMs: 5000 * dayMs };
  // What the module's own ledger needs to exist; it never counts here.
  const other: LeaderboardConfig = { name: 'other', period: 'all', actions: ['view'] };
  const more = config.partition === undefined ? {} : { partitions: { category: 'java' } };
  const label = config.partition === undefined ? 'board' : 'board/java';
  const query = config.partition === undefined ? '' : '&partition=java';
  const worth = config.points?.praise ?? 2;
  const clock = new ManualClock(atMs - hourMs);
  const app = oneOf(clock, [board, other]);
  const entries = async (period: string) => {
    const { status, body } = await app().get<Page>(`/ranks/board?period=${period}${query}`);
    expect(status).toBe(200);
    return body.entries.map(({ userId, score }) => `${userId} ${score}`);
  };
  /** When what Redis has of the board is dropped. */
  const expiry = async () => {
    const redis = testRedis();
    const keys = await redis.keys(`{${app().prefix}*:${label === 'board' ? 'board' : 'part*'}:board:*`);
    return [...new Set(await Promise.all(keys.map((key) => redis.pexpiretime(key))))];
  };

  it('the millisecond before midnight counts before it, also late, the one after it after it, until it is closed', async () => {
    await recordOne(app(), praise(atMs - hourMs, { ...more, userId: 'cyd' }));
    expect(await expiry()).toEqual([atMs + 5000 * dayMs]);

    clock.set(atMs + minuteMs);
    expect(await recordOne(app(), praise(atMs - 1, more))).toMatchObject({
      outcome: 'granted',
      points: worth,
      scores: { [label]: worth },
      boards: { [label]: 'counted' },
      late: [label],
    });

    // The last millisecond of its lateness.
    clock.set(atMs + hourMs - 1);
    const last = await recordOne(app(), praise(atMs - 1, { ...more, userId: 'dan' }));
    expect(last).toMatchObject({ outcome: 'granted', late: [label] });
    await recordOne(app(), praise(atMs - 1, { ...more, userId: 'dan', revoke: true }));
    expect(await expiry()).toEqual([atMs + 5000 * dayMs]);

    const next = await recordOne(app(), praise(atMs, { ...more, userId: 'bob' }));
    expect(next).toMatchObject({ outcome: 'granted', boards: { [label]: 'counted' } });
    expect(next.late).toBeUndefined();

    clock.advance(1);
    const closed = await recordOne(app(), praise(atMs - 1, { ...more, subject: 'article:8' }));
    expect(closed).toEqual({ outcome: 'closed', points: 0, scores: {}, boards: { [label]: 'closed' } });
    const revoke = await recordOne(app(), praise(atMs - 1, { ...more, revoke: true, grantedAt: new Date(atMs - 1) }));
    expect(revoke).toMatchObject({ outcome: 'closed', points: 0 });

    expect(await entries(before)).toEqual([`cyd ${worth}`, `ann ${worth}`]);
    expect(await entries('previous')).toEqual(await entries(config.period === 'hour' ? after : before));
    expect(await entries(after)).toEqual([`bob ${worth}`]);
    const metrics = await app().metrics();
    expect(metrics).toContain('laurel_late_activities_total{leaderboard="board"} 3');
    expect(metrics).toContain('laurel_refused_activities_total{leaderboard="board",reason="closed"} 2');
  });
});

const first = Date.parse('2037-03-28T00:00:00Z');
const config: LeaderboardConfig = { name: 'spring', contest: { from: '2037-03-28', to: '2037-03-29' } };
const all: LeaderboardConfig = { name: 'all', period: 'all' };

it('a contest counts from the first millisecond of its first day to the last of its last, closes after its lateness, and has no other period', async () => {
  const clock = new ManualClock(first - 1);
  const app = await start(clock, [config, all], { settlement: { everyMs: dayMs } });
  const state = async () => (await app.get<Page>('/ranks/spring')).body.period;
  const listed = async () => (await app.get<{ periods: object[] }>('/ranks/spring/periods')).body.periods;
  expect(await state()).toMatchObject({ key: '2037-03-28--2037-03-29', state: 'notStarted' });
  expect(await listed()).toMatchObject([{ key: '2037-03-28--2037-03-29', state: 'notStarted', total: 0 }]);
  const path = `/ranks/spring/users/${encodeURIComponent('the first millisecond of its first day')}/history`;
  const history = async () => (await app.get<RankHistory>(path)).body.entries;
  clock.set(first);
  expect(await state()).toMatchObject({ state: 'open' });
  clock.set(boundary);
  expect(await state()).toMatchObject({ state: 'closing' });
  clock.set(boundary + hourMs - 1);
  for (const [userId, atMs, word] of [
    ['a millisecond before its first day', first - 1, 'notStarted'],
    ['the first millisecond of its first day', first, 'counted'],
    ['the last millisecond of its last day', boundary - 1, 'counted'],
    ['a millisecond after its last day', boundary, 'ended'],
  ] as const) {
    const result = await recordOne(app, praise(atMs, { userId }));
    expect(result).toMatchObject({ outcome: 'granted', boards: { spring: word, all: 'counted' } });
    expect([userId, result.scores]).toEqual([userId, word === 'counted' ? { spring: 2, all: 2 } : { all: 2 }]);
  }
  expect(await history()).toMatchObject([{ period: { state: 'closing' }, rank: 1, score: 2, total: 2 }]);
  clock.set(boundary + hourMs);
  await app.nest.get(SettlementService).settleDue();
  expect(await state()).toMatchObject({ key: '2037-03-28--2037-03-29', state: 'settled' });
  const late = await recordOne(app, praise(boundary - 1));
  expect(late.boards).toEqual({ spring: 'closed', all: 'counted' });
  expect(await history()).toMatchObject([{ period: await state(), rank: 1, score: 2, total: 2 }]);
  expect(await listed()).toMatchObject([{ state: 'settled', total: 2 }]);
  expect((await app.get(`/ranks/spring?period=previous`)).status).toBe(404);
  expect((await app.get(`/ranks/spring?period=2037-03-28--2037-03-29`)).status).toBe(200);
});

it('counted weeks do not count what occurred before their base date', async () => {
  const app = await start(new ManualClock(boundary + minuteMs), [
    { name: 'term', period: 'week', weeksFrom: '2037-03-30' },
    allBoard,
  ]);
  expect((await recordOne(app, praise(boundary - 1))).boards).toEqual({ term: 'notStarted', all: 'counted' });
  expect((await recordOne(app, praise(boundary))).boards).toEqual({ term: 'counted', all: 'counted' });
  expect((await app.get<Page>('/ranks/term')).body.period.key).toBe('2037-03-30-W0001');
});

describe('a rolling window', () => {
  const noon = boundary + 12 * hourMs;
  const boards: readonly LeaderboardConfig[] = [{ name: 'recent', rolling: { days: 3, refreshMs: 1_000 } }, allBoard];

  // The day between has 23 hours.
  const firstMs = boundary - 47 * hourMs;

  it('has what occurred from the first millisecond of its first day on', async () => {
    const parts = { name: 'parts', rolling: { days: 3 }, partition: 'team' };
    const app = await start(new ManualClock(noon), [...boards, parts], { latenessMs: 10 * dayMs });
    const within = [
      ['the first millisecond of its first day', firstMs],
      ['the last millisecond before midnight', boundary - 1],
      ['the first millisecond after it', boundary],
    ] as const;
    for (const [userId, atMs] of [['a millisecond before its first day', firstMs - 1] as const, ...within]) {
      const result = await recordOne(app, praise(atMs, { userId, partitions: { team: userId } }));
      expect(result).toMatchObject({ outcome: 'granted', boards: { recent: 'counted' } });
    }
    const { body } = await app.get<Page>('/ranks/recent');
    expect(body.period).toMatchObject({ key: '2037-03-30', state: 'open' });
    expect(body.entries.map(({ userId, score, reachedAt }) => [userId, score, reachedAt])).toEqual(
      within.map(([userId, atMs]) => [userId, 2, new Date(atMs).toISOString()]),
    );
    const { partitions } = (await app.get<RankPartitions>('/ranks/parts/partitions')).body;
    expect(partitions.map(({ name }) => name).sort()).toEqual(within.map(([userId]) => userId).sort());
    for (const key of ['2037-03-31', '2037-01-01', '2037-W13'])
      expect([key, (await app.get(`/ranks/recent?period=${key}`)).status]).toEqual([key, 404]);
  });

  it('follows what is cancelled and what comes late on each of its days, in the windows before it too', async () => {
    const clock = new ManualClock(noon - 3 * dayMs);
    const app = await start(clock, boards);
    const scoreIn = async (period: string) =>
      (await app.get<Page>(`/ranks/recent?period=${period}`)).body.entries.map(({ score }) => score);
    // Given on a day, taken back on the next one, again and again.
    for (let atMs = noon - 3 * dayMs; atMs <= noon; atMs += dayMs) {
      clock.set(atMs);
      await recordOne(app, praise(atMs, { revoke: true }));
      await recordOne(app, praise(atMs, { sequence: 1 }));
    }
    // What is over is summed anew in its turn.
    const untilScores = (...scores: number[][]) =>
      waitUntil(
        async () => {
          clock.advance(600_000);
          return JSON.stringify([await scoreIn('current'), await scoreIn('previous')]) === JSON.stringify(scores);
        },
        { everyMs: 200 },
      );
    await untilScores([2], []);
    const late = await recordOne(app, praise(boundary - 1, { subject: 'article:8' }));
    expect(late).toMatchObject({ outcome: 'granted', late: ['recent'], boards: { recent: 'counted' } });
    await untilScores([4], [2]);
    expect(await recordOne(app, praise(clock.now(), { revoke: true }))).toMatchObject({ outcome: 'revoked' });
    await recordOne(app, praise(clock.now(), { revoke: true, subject: 'article:8' }));
    await untilScores([], []);
    const { body } = await app.get<Page>('/ranks/recent?period=previous');
    expect(body).toMatchObject({ period: { key: '2037-03-29', state: 'closing' } });
  });

  it('tells its last windows, and who won places since yesterday', async () => {
    const clock = new ManualClock(noon - dayMs);
    const kept = boards.map((board) => ({ ...board, retentionMs: null }));
    const app = await start(clock, kept);
    await recordOne(app, praise(noon - dayMs));
    await recordOne(app, praise(noon - dayMs, { userId: 'bob' }));
    clock.set(noon);
    await recordOne(app, praise(noon, { userId: 'ann', subject: 'article:8' }));
    const { entries } = (await app.get<{ entries: object[] }>('/ranks/recent')).body;
    expect(entries).toMatchObject([
      { userId: 'ann', score: 4, change: 1 },
      { userId: 'bob', score: 2, change: -1 },
    ]);
    const { periods } = (await app.get<{ periods: object[] }>('/ranks/recent/periods')).body;
    expect(periods).toMatchObject([
      { key: '2037-03-30', total: 2 },
      { key: '2037-03-29', total: 2 },
    ]);
    const history = (await app.get<{ entries: object[] }>('/ranks/recent/users/ann/history')).body;
    expect(history.entries[0]).toMatchObject({ period: { key: '2037-03-29' }, rank: 2, score: 2 });
    // It does not look through a thousand years of windows, nor through those that are empty.
    expect((await app.get('/ranks/recent/periods?to=1000-01-01')).body).toMatchObject({ periods: [], next: null });
    clock.advance(9 * dayMs);
    const { body } = await app.get<RankPeriods>('/ranks/recent/periods?limit=1');
    expect(body).toMatchObject({ periods: [{ key: '2037-04-08', state: 'open', total: 0 }], next: null });
  });
});

describe('a leaderboard of parts', () => {
  const boards: readonly LeaderboardConfig[] = [{ name: 'team', period: 'day', partition: 'team' }, dayBoard];
  const noon = boundary + 12 * hourMs;
  const shared = oneOf(new ManualClock(noon), boards, { shards: 3 });

  it('keeps each part apart, whatever it is called, and says so in its answers', async () => {
    const app = shared();
    const names = ['a', 'a/b', 'a:b', '{a}', '*', 'a\nb', 'toString', 'ä'.repeat(32)];
    for (const [place, team] of names.entries()) {
      const users = Array.from({ length: place + 1 }, (_, i) => ({ userId: `u${i}`, partitions: { team } }));
      await app.record(...users.map((user) => praise(noon, { ...user, subject: team })));
    }
    for (const [place, team] of names.entries()) {
      const { body } = await app.get<Page>(`/ranks/team?partition=${encodeURIComponent(team)}`);
      expect(body.partition).toBe(team);
      expect(body.entries).toHaveLength(place + 1);
      expect(body.entries.every(({ score }) => score === 2)).toBe(true);
    }
    expect((await app.get<Page>('/ranks/day')).body.entries[0]).toMatchObject({ userId: 'u0', score: 16 });
    const team = app.nest.get(Ledgers).boards('team');
    const listed: string[] = [];
    for await (const name of team.partitions(team.current())) listed.push(name);
    const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(listed).toEqual(sorted);

    const pages = await app.pages<RankPartitions>('/ranks/team/partitions?limit=3');
    expect(pages.map(({ key, period, partitions }) => [key, period.state, partitions.length])).toEqual(
      [3, 3, 2].map((count) => ['team', 'open', count]),
    );
    const told = pages.flatMap(({ partitions }) => partitions.map(({ name, total }) => [name, total]));
    expect(told).toEqual(sorted.map((name) => [name, names.indexOf(name) + 1]));
    // A part that everybody has left is none.
    await app.record(praise(noon + 1, { userId: 'u0', subject: 'a', partitions: { team: 'a' }, revoke: true }));
    const left = await app.get<RankPartitions>('/ranks/team/partitions');
    expect(left.body.partitions.map(({ name }) => name)).toEqual(sorted.filter((name) => name !== 'a'));
    for (const [path, status] of [
      ['day/partitions', 400],
      ['none/partitions', 404],
      ['team/partitions?period=x', 404],
      ['team/partitions?limit=0', 400],
      ['team/partitions?cursor=abc', 400],
      ['team/partitions?period=previous&cursor=abc', 400],
    ] as const) {
      expect([path, (await app.get(`/ranks/${path}`)).status]).toEqual([path, status]);
    }
  });

  it('is not concerned by an activity that names no part', async () => {
    const app = shared();
    const expected = {
      outcome: 'granted',
      points: 2,
      scores: { day: 2 },
      boards: { team: 'noPartition', day: 'counted' },
    };
    const event = praise(noon, { userId: 'of none', partitions: { category: 'java' } });
    expect(await recordOne(app, event)).toEqual(expected);
    expect(await app.metrics()).toContain('laurel_refused_activities_total{leaderboard="team",reason="noPartition"} 1');
  });

  it.each([0, 1, -1])(
    'counts what named none before on the part that its repeat names first, %i ms later',
    async (ms) => {
      const app = shared();
      const userId = `repeats ${ms}`;
      await recordOne(app, praise(noon, { userId }));
      const red = praise(noon + ms, { userId, partitions: { team: 'red' } });
      const scores = { 'team/red': 2, day: 2 };
      expect(await recordOne(app, red)).toMatchObject({ outcome: 'duplicate', scores });
      expect(await recordOne(app, red)).toMatchObject({ outcome: 'duplicate', scores });
      const blue = praise(noon + ms, { userId, partitions: { team: 'blue' } });
      expect(await recordOne(app, blue)).toMatchObject({ outcome: 'duplicate', scores });
      const revoked = await recordOne(app, praise(noon + 2, { userId, revoke: true }));
      expect(revoked).toMatchObject({ outcome: 'revoked', scores: { 'team/red': 0, day: 0 } });
    },
  );

  it('has a past of each part, live and archived', async () => {
    const { app, clock } = await beginDays({ options: { leaderboards: boards, timezone: 'Europe/London' } });
    clock.set(noon);
    await recordOne(app, praise(noon, { partitions: { team: 'red' } }));
    await recordOne(app, praise(noon, { userId: 'bob', partitions: { team: 'blue' } }));
    clock.set(noon + dayMs);
    await recordOne(app, praise(noon + dayMs, { partitions: { team: 'red' } }));

    await app.nest.get(SettlementService).settleDue();
    const redis = testRedis();
    await redis.del(...(await redis.keys(`{${app.prefix}:*}:part:team:2037-03-30:red`)));

    const page = (await app.get<Page>('/ranks/team?partition=red&period=previous')).body;
    expect(page).toMatchObject({
      partition: 'red',
      period: { state: 'settled' },
      entries: [{ userId: 'ann', score: 1 }],
    });
    const blue = (await app.get<Page>('/ranks/team?partition=blue&period=previous')).body;
    expect(blue.entries).toMatchObject([{ userId: 'bob', score: 1 }]);
    const { periods } = (await app.get<{ periods: object[] }>('/ranks/team/periods?partition=red')).body;
    expect(periods).toMatchObject([{ key: '2037-03-31' }, { key: '2037-03-30', state: 'settled' }]);
    const history = await app.get<object>('/ranks/team/users/ann/history?partition=red');
    expect(history.body).toMatchObject({ partition: 'red', entries: [{ period: { key: '2037-03-30' }, rank: 1 }] });
    expect((await app.get('/ranks/team/periods')).status).toBe(400);
  });

  it('takes the parts that domain events name', async () => {
    const app = shared();
    const emitter = app.nest.get(EventEmitter2);
    const red = async () => (await app.get<Page>('/ranks/team?partition=red')).body.entries.map(({ score }) => score);
    const fields = { userId: 'ann', subject: 'article:of-events', partitions: { team: 'red' } };
    await emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent(fields));
    expect(await red()).toEqual([2]);
    await emitter.emitAsync(PraiseCancelledEvent.eventName, new PraiseCancelledEvent(fields));
    expect(await red()).toEqual([]);
  });

  it('is read by its part, and only where there are parts', async () => {
    const app = shared();
    const missing = await app.get<{ errors: object[] }>('/ranks/team');
    expect([missing.status, missing.body.errors]).toEqual([
      400,
      [{ path: 'partition', message: 'must be given: the team whose standings are wanted' }],
    ]);
    expect((await app.get('/ranks/day?partition=red')).status).toBe(400);
    expect((await app.get(`/ranks/team?partition=${'ä'.repeat(33)}`)).status).toBe(400);
    expect((await app.get<Page>('/ranks/team?partition=nobody')).body.entries).toEqual([]);
    const { leaderboards } = (await app.get<{ leaderboards: object[] }>('/ranks')).body;
    expect(leaderboards[0]).toMatchObject({ name: 'team', partition: 'team', timezone: 'Europe/London' });
  });

  it.each([
    ['no object', 'java', 'events.0.partitions'],
    ['a list', ['java'], 'events.0.partitions'],
    ['an empty value', { team: '' }, 'events.0.partitions'],
    ['too long a value', { team: 'x'.repeat(65) }, 'events.0.partitions'],
    ['a number', { team: 7 }, 'events.0.partitions.team'],
    ['an odd key', { 'a b': 'x' }, 'events.0.partitions'],
    ['half a surrogate pair', { team: '\ud800' }, 'events.0.partitions'],
    ['too many', Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'x'])), 'events.0.partitions'],
  ])('refuses partitions that are %s', async (_, partitions, path) => {
    const app = shared();
    const { status, body } = await app.post<{ errors: { path: string }[] }>(
      '/activity/events',
      { events: [praise(noon, { partitions })] },
      withKey,
    );
    expect([status, body.errors[0]?.path]).toEqual([400, path]);
  });
});

describe('leaderboards of several ledgers', () => {
  const noon = boundary + 12 * hourMs;
  const boards: readonly LeaderboardConfig[] = [
    dayBoard,
    { name: 'shanghai', period: 'day', timezone: 'Asia/Shanghai' },
    { name: 'own', period: 'month', points: { praise: 7 }, actions: ['praise', 'comment'] },
  ];

  it('answer as one: each board by its own zone and points', async () => {
    // 20:00 in London is 03:00 of the next day in Shanghai.
    const evening = Date.parse('2037-03-30T19:00:00Z');
    const app = await start(new ManualClock(evening), boards);
    expect(await recordOne(app, praise(evening))).toEqual({
      outcome: 'granted',
      points: 2,
      scores: { day: 2, shanghai: 2, own: 7 },
      boards: { day: 'counted', shanghai: 'counted', own: 'counted' },
    });
    expect((await recordOne(app, { ...praise(evening), action: 'view' })).scores).toEqual({ day: 3, shanghai: 3 });
    expect((await recordOne(app, { ...praise(evening), action: 'comment' })).scores).toMatchObject({ own: 10 });
    expect((await app.get<Page>('/ranks/shanghai')).body.period.key).toBe('2037-03-31');
    expect((await app.get<Page>('/ranks/day')).body.period.key).toBe('2037-03-30');
    const history = await app.get<{ days: object[] }>('/activity/users/ann?to=2037-03-30', withKey);
    expect(history.body.days).toEqual([{ date: '2037-03-30', points: 6, actions: { praise: 1, view: 1, comment: 1 } }]);
    const keys = await testRedis().keys(`{${app.prefix}@own:*`);
    expect(new Set(keys.map((key) => key.split(':')[2]))).toEqual(new Set(['board', 'ledger']));
  });

  it('lose nothing and count nothing twice when one of them fails between', async () => {
    const app = await start(new ManualClock(noon), boards);
    const failing = app.nest.get(Ledgers).boards('own').ledger;
    const failure = jest.spyOn(failing, 'applyToShard').mockRejectedValueOnce(new Error('Connection is closed.'));
    const answer = await app.post('/activity/events', { events: [praise(noon)] }, withKey);
    expect(answer.status).toBe(503);
    failure.mockRestore();
    const heard: ActivityRecordedEvent['outcome'][] = [];
    app.nest.get(EventEmitter2).on('activity.recorded', (event: ActivityRecordedEvent) => heard.push(event.outcome));
    const repeated = await recordOne(app, praise(noon));
    expect(repeated).toMatchObject({
      ...{ outcome: 'duplicate', points: 0, scores: { day: 2, shanghai: 2, own: 7 } },
      boards: { day: 'unchanged', shanghai: 'unchanged', own: 'counted' },
    });
    // It gave points, if not on the module's own leaderboards.
    await waitUntil(() => heard.length === 1);
    expect(heard).toEqual([repeated]);
  });
});
