import { Module } from '@nestjs/common';
import { Period, type Ledger } from '@laurel/leaderboard';
import { STANDINGS_ARCHIVE } from '@laurel/activity';
import {
  LEDGER,
  type RankHistory,
  type RankLookup,
  type RankPage,
  type RankPeriods,
  type RankPoints,
  type RankStanding,
} from '@laurel/activity/internals';
import { ManualClock } from '../../support/clock';
import { archivePeriod, MemoryArchive } from '../../support/memory-archive';
import { closeTestRedis, countingRedis, testRedis } from '../../support/redis';
import type { ProblemBody } from './support/problem-body';
import { stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
/** Boards of the tests expire by Redis' own clock: days ahead of it, they live until a test ends that. */
const start = '2036-11-20T08:00:00.000Z';

interface Started {
  readonly app: TinyApp;
  readonly clock: ManualClock;
  readonly archive: MemoryArchive;
  /** Gives points by praises, a second apart in the order given. */
  earn(scores: Readonly<Record<string, number>>): Promise<void>;
  /** Archives a day's standings as settling it does; the board stays. */
  archiveDay(day: string): Promise<void>;
  /** Deletes a day's board, as its expiry does. */
  dropDay(day: string): Promise<void>;
}

async function begin(given: TinyAppOptions = {}): Promise<Started> {
  const clock = new ManualClock(start);
  const archive = new MemoryArchive();
  @Module({ providers: [{ provide: STANDINGS_ARCHIVE, useValue: archive }], exports: [STANDINGS_ARCHIVE] })
  class ArchiveModule {}
  const app = await TinyApp.start({
    ...given,
    extras: { imports: [ArchiveModule] },
    options: {
      clock,
      rules: [{ action: 'praise', points: 1, revocable: true }],
      // Days are settled when a test says so.
      settlement: { everyMs: 86_400_000 },
      ...given.options,
    },
  });
  const ledger = app.nest.get<Ledger>(LEDGER);
  const periodOf = (day: string) => Period.parse('day', day, 'UTC');
  return {
    app,
    clock,
    archive,
    async earn(scores) {
      for (const [userId, score] of Object.entries(scores)) {
        await app.record(
          ...Array.from({ length: score }, (_, i) => ({ userId, action: 'praise', subject: `${clock.now()} ${i}` })),
        );
        clock.advance(1_000);
      }
    },
    async archiveDay(day) {
      await ledger.periods.freeze('day', periodOf(day));
      await archivePeriod(archive, ledger, 'day', periodOf(day));
    },
    async dropDay(day) {
      const { prefix, tags } = ledger.settings;
      await testRedis().del(...tags.map((tag) => `{${prefix}:${tag}}:board:day:${day}`));
    },
  };
}

const five = { ada: 5, bob: 3, cyd: 3, dan: 3, eve: 1 };

/** Every read of a day's standings, as the public sees it. */
async function everyRead(app: TinyApp, period: string): Promise<unknown> {
  const get = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await app.get<Body>(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const answers: unknown[] = [];
  for (const ranking of ['ordinal', 'competition', 'dense']) {
    const query = `period=${period}&ranking=${ranking}`;
    const bounded = ['&maxScore=3', '&minScore=2&maxScore=3&limit=2', '&maxScore=3&offset=1', '&maxScore=0'];
    for (const page of ['', '&limit=2', '&limit=2&offset=1', '&offset=4', '&offset=5', '&offset=100', ...bounded]) {
      const body = await get<RankPage>(`/ranks/day?${query}${page}`);
      answers.push([page, { ...body, next: body.next === null ? null : 'more' }]);
    }
    const paged: unknown[] = [];
    for (let cursor = ''; ;) {
      const { entries, next } = await get<RankPage>(`/ranks/day?${query}&limit=2${cursor}`);
      paged.push(entries);
      if (next === null) break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    answers.push(paged);
    for (const user of ['ada', 'cyd', 'eve', 'nobody']) {
      answers.push(await get(`/ranks/day/users/${user}?${query}`));
      for (const radius of [0, 1, 2, 50]) {
        answers.push(await get(`/ranks/day/users/${user}/around?${query}&radius=${radius}`));
      }
    }
    const looked = await app.post(`/ranks/day/lookup?${query}`, { userIds: ['eve', 'nobody', 'ada', 'eve'] });
    expect(looked.status).toBe(200);
    answers.push(looked.body);
  }
  return answers;
}

describe.each([1, 3])('a settled period, on %d shards', (shards) => {
  it('is read alike from its live board and, when that is gone, from the archive', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin({ options: { shards } });
    await earn({ dan: 4, ada: 2 });
    clock.set('2036-11-21T08:00:00Z');
    await earn(five);
    clock.set('2036-11-22T08:00:00Z');
    await archiveDay('2036-11-20');
    await archiveDay('2036-11-21');
    const live = await everyRead(app, 'previous');
    expect(archive.calls).toMatchObject({ page: 0, entries: 0 });

    clock.set(Date.parse('2036-11-22T00:00:00Z') + 31 * dayMs);
    await dropDay('2036-11-20');
    await dropDay('2036-11-21');
    expect(await everyRead(app, '2036-11-21')).toEqual(live);
    expect(archive.calls.page).toBeGreaterThan(0);
  });
});

describe('where a period is read', () => {
  it('is its board for as long as that lives, and then the archive, without a gap between the two', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin();
    await earn(five);
    clock.set('2036-11-21T08:00:00Z');
    await archiveDay('2036-11-20');
    const total = async () => (await app.get<RankPage>('/ranks/day?period=2036-11-20')).body.total;
    const endsMs = Date.parse('2036-11-21T00:00:00Z') + 31 * dayMs;
    for (const [momentMs, reads] of [
      [endsMs - 300_001, 0],
      // Redis' clock may be ahead by the skew allowed.
      [endsMs - 300_000, 1],
      [endsMs + 400 * dayMs, 2],
    ] as const) {
      clock.set(momentMs);
      expect(await total()).toBe(5);
      expect(archive.calls.page).toBe(reads);
    }
    await dropDay('2036-11-20');
    expect(await total()).toBe(5);
  });

  it('is the archive where the board went earlier than the options say', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin({ options: { retentionMs: { day: null } } });
    await earn(five);
    clock.set('2036-11-23T08:00:00Z');
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    expect((await app.get<RankPage>('/ranks/day?period=2036-11-20')).body).toMatchObject({
      total: 5,
      period: { key: '2036-11-20', state: 'settled' },
    });
  });

  it('is asked of the archive once, and of no archive for periods that are open', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin();
    await earn(five);
    await app.get('/ranks/day');
    clock.set('2036-11-23T08:00:00Z');
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    const before = archive.calls.find;
    for (let i = 0; i < 3; i += 1) await app.get('/ranks/day?period=2036-11-20&limit=1');
    // Once for the day, once for the day before it, of which there is nothing.
    expect(archive.calls.find - before).toBe(2);
  });

  it('answers 503 while the archive is away, and still reads what lives', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin();
    await earn(five);
    clock.set('2036-11-23T08:00:00Z');
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    await earn(five);
    archive.fault = new Error('password of the archive');
    const away = await app.get<ProblemBody>('/ranks/day?period=2036-11-20');
    expect(away).toMatchObject({ status: 503, body: { type: 'urn:laurel:problem:unavailable' } });
    expect(away.headers.get('retry-after')).not.toBeNull();
    expect(JSON.stringify(away.body)).not.toContain('password');
    expect(await app.get('/ranks/day')).toMatchObject({ status: 200, body: { total: 5 } });
    expect(await app.get('/ranks/month')).toMatchObject({ status: 200, body: { total: 5 } });
    archive.fault = undefined;
    expect(await app.get('/ranks/day?period=2036-11-20')).toMatchObject({ status: 200, body: { total: 5 } });
  });

  it('answers 503 while the archive hangs', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin({ options: { commandTimeoutMs: 900 } });
    await earn(five);
    clock.set('2036-11-23T08:00:00Z');
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    archive.hangs = true;
    for (const path of ['?period=2036-11-20', '/users/ada/history', '/users/ada/points', '/periods']) {
      expect([path, (await app.get(`/ranks/day${path}`)).status]).toEqual([path, 503]);
    }
    archive.hangs = false;
    expect(await app.get('/ranks/day?period=2036-11-20')).toMatchObject({ status: 200, body: { total: 5 } });
  });

  it('refuses cursors of another archived period, and those that name no place', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    for (const day of ['2036-11-20', '2036-11-21']) {
      clock.set(`${day}T08:00:00Z`);
      await earn(five);
    }
    clock.set('2036-11-23T08:00:00Z');
    for (const day of ['2036-11-20', '2036-11-21']) {
      await archiveDay(day);
      await dropDay(day);
    }
    const page = (query: string) => app.get<RankPage>(`/ranks/day?limit=2&period=${query}`);
    const { body } = await page('2036-11-20');
    const [scope] = JSON.parse(Buffer.from(body.next ?? '', 'base64url').toString()) as [string];
    const forged = [-1, 0.5, 1e300, '2', null].map((place) =>
      Buffer.from(JSON.stringify([scope, place])).toString('base64url'),
    );
    expect((await page(`2036-11-20&cursor=${body.next}`)).body.entries.map(({ rank }) => rank)).toEqual([3, 4]);
    for (const query of [`2036-11-21&cursor=${body.next}`, ...forged.map((cursor) => `2036-11-20&cursor=${cursor}`)]) {
      expect(await page(query)).toMatchObject({ status: 400, body: { type: 'urn:laurel:problem:invalidCursor' } });
    }
  });
});

describe('change', () => {
  const changes = (entries: readonly { readonly userId: string; readonly change: number | null }[]) =>
    Object.fromEntries(entries.map(({ userId, change }) => [userId, change]));

  it('says how many places each has won or lost since the period before, in every answer', async () => {
    const { app, clock, earn } = await begin();
    await earn({ ada: 5, bob: 4, cyd: 3, dan: 2 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ dan: 5, ada: 3, bob: 2, eve: 1 });
    const expected = { dan: 3, ada: -1, bob: -1, eve: null };
    expect(changes((await app.get<RankPage>('/ranks/day')).body.entries)).toEqual(expected);
    expect(changes((await app.get<RankPage>('/ranks/day?offset=1')).body.entries)).toEqual({
      ada: -1,
      bob: -1,
      eve: null,
    });
    expect(changes((await app.get<RankPage>('/ranks/day/users/ada/around')).body.entries)).toEqual(expected);
    const { body } = await app.post<RankLookup>('/ranks/day/lookup', { userIds: ['dan', 'cyd', 'eve'] });
    // Cyd was third yesterday and has no entry today, so no number of ranks was lost.
    expect(changes(body.entries)).toEqual({ dan: 3, cyd: null, eve: null });
    for (const [userId, change] of Object.entries({ ...expected, cyd: null, nobody: null })) {
      expect((await app.get<RankStanding>(`/ranks/day/users/${userId}`)).body.entry.change).toBe(change);
    }
    expect(changes((await app.get<RankPage>('/ranks/month')).body.entries)).toEqual({
      ada: null,
      bob: null,
      cyd: null,
      dan: null,
      eve: null,
    });
  });

  it('compares by the ranking that is asked for', async () => {
    const { app, clock, earn } = await begin();
    await earn({ ada: 3, bob: 3, cyd: 3, dan: 1 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ dan: 3, cyd: 2, ada: 2 });
    const by = async (ranking: string) =>
      changes((await app.get<RankPage>(`/ranks/day?ranking=${ranking}`)).body.entries);
    expect(await by('ordinal')).toEqual({ dan: 3, cyd: 1, ada: -2 });
    expect(await by('competition')).toEqual({ dan: 3, cyd: -1, ada: -1 });
    expect(await by('dense')).toEqual({ dan: 1, cyd: -1, ada: -1 });
  });

  it('reads the period before from the archive when its board is gone', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    await earn({ ada: 2, bob: 1 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ bob: 2, ada: 1 });
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    expect(changes((await app.get<RankPage>('/ranks/day')).body.entries)).toEqual({ bob: 1, ada: -1 });
  });

  it('costs one round trip for all of a page', async () => {
    const client = await countingRedis();
    const { app, clock, earn } = await begin({ options: { redis: { client } } });
    await earn({ ada: 2, bob: 1 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ bob: 2, ada: 1, cyd: 1 });
    await app.get('/ranks/day/users/bob/around');
    const commands = await client.during(() => app.get('/ranks/day/users/bob/around'));
    // One script finds the window, one the ranks of the day before; all else is a plain command beside the first
    // script.
    expect(commands.filter((name) => name === 'evalsha')).toHaveLength(2);
  });

  it('knows no period before an all-time board, nor before the calendar', async () => {
    const { app, earn } = await begin({
      options: {
        leaderboards: [
          { name: 'all', period: 'all' },
          { name: 'year', period: 'year' },
        ],
      },
    });
    await earn({ ada: 1 });
    expect((await app.get<RankPage>('/ranks/all')).body.entries).toMatchObject([{ userId: 'ada', change: null }]);
    expect(await app.post('/ranks/year/lookup?period=0000', { userIds: ['ada'] })).toMatchObject({ status: 200 });
  });
});

describe("a user's own answer", () => {
  it('tells what is missing to the first ten', async () => {
    const { app, earn } = await begin();
    const topTen = async (userId: string) => (await app.get<RankStanding>(`/ranks/day/users/${userId}`)).body.top10;
    await earn({ u1: 12, u2: 11, u3: 10, u4: 9, u5: 8, u6: 7, u7: 6, u8: 5, u9: 4 });
    expect(await topTen('u9')).toBeNull();
    expect(await topTen('nobody')).toBeNull();
    await earn({ u10: 3, u11: 3, u12: 1 });
    expect(await topTen('u1')).toBeNull();
    expect(await topTen('u10')).toBeNull();
    expect(await topTen('u11')).toEqual({ score: 3, gap: 0 });
    expect(await topTen('u12')).toEqual({ score: 3, gap: 2 });
    expect(await topTen('nobody')).toEqual({ score: 3, gap: 3 });
  });
});

describe('GET /ranks/:leaderboard/periods', () => {
  const list = async (app: TinyApp, query = '') =>
    (await app.get<RankPeriods>(`/ranks/day/periods${query}`)).body.periods.map(({ key, state, total }) => [
      key,
      state,
      total,
    ]);

  it('lists what lives and what is archived, once, the latest first', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    for (const [day, users] of [
      ['2036-11-18', { ada: 1 }],
      ['2036-11-20', { ada: 1, bob: 1 }],
      ['2036-11-21', { ada: 2 }],
    ] as const) {
      clock.set(`${day}T08:00:00Z`);
      await earn(users);
    }
    await archiveDay('2036-11-18');
    await dropDay('2036-11-18');
    await archiveDay('2036-11-20');
    clock.set('2036-11-22T00:30:00Z');
    const all = [
      ['2036-11-22', 'open', 0],
      ['2036-11-21', 'closing', 1],
      ['2036-11-20', 'settled', 2],
      ['2036-11-18', 'settled', 1],
    ];
    expect(await list(app)).toEqual(all);
    await earn({ bob: 1 });
    expect((await list(app))[0]).toEqual(['2036-11-22', 'open', 1]);

    const paged: unknown[] = [];
    for (let query = '?limit=1'; ;) {
      const { body } = await app.get<RankPeriods>(`/ranks/day/periods${query}`);
      expect(body.periods).toHaveLength(1);
      paged.push(...body.periods.map(({ key }) => key));
      if (body.next === null) break;
      query = `?limit=1&cursor=${encodeURIComponent(body.next)}`;
    }
    expect(paged).toEqual(all.map(([key]) => key));
    for (const [query, keys] of [
      ['?from=2036-11-20&to=2036-11-21', ['2036-11-21', '2036-11-20']],
      ['?from=2036-11-19', ['2036-11-22', '2036-11-21', '2036-11-20']],
      ['?to=2036-11-20', ['2036-11-20', '2036-11-18']],
      ['?from=2036-11-19&to=2036-11-19', []],
    ] as const) {
      expect([query, (await list(app, query)).map(([key]) => key)]).toEqual([query, keys]);
    }
    const { body: first } = await app.get<RankPeriods>('/ranks/day/periods?limit=1&from=2036-11-20&to=2036-11-21');
    const { body: last } = await app.get<RankPeriods>(
      `/ranks/day/periods?limit=1&from=2036-11-20&to=2036-11-21&cursor=${first.next}`,
    );
    expect([...first.periods, ...last.periods].map(({ key }) => key)).toEqual(['2036-11-21', '2036-11-20']);
    expect(last.next).toBeNull();
    expect((await app.get<RankPeriods>('/ranks/day/periods?limit=2')).body.periods[1]).toEqual({
      key: '2036-11-21',
      start: '2036-11-21T00:00:00.000Z',
      end: '2036-11-22T00:00:00.000Z',
      state: 'closing',
      total: 1,
    });
  });

  it('lists the one period of an all-time board', async () => {
    const { app, earn } = await begin({ options: { leaderboards: [{ name: 'all', period: 'all' }] } });
    await earn({ ada: 1 });
    expect((await app.get<RankPeriods>('/ranks/all/periods')).body).toMatchObject({
      periods: [{ key: 'all', end: null, state: 'open', total: 1 }],
      next: null,
    });
  });

  it.each(['?limit=0', '?limit=101', '?cursor=', '?cursor=x', '?offset=1'])('refuses %s', async (query) => {
    const { app } = await begin();
    expect(await app.get(`/ranks/day/periods${query}`)).toMatchObject({ status: 400 });
  });

  it("refuses another leaderboard's cursor, and answers 404 where there is no such leaderboard", async () => {
    const { app, clock, earn } = await begin();
    await earn({ ada: 1 });
    clock.set('2036-11-21T08:00:00Z');
    const { body } = await app.get<RankPeriods>('/ranks/day/periods?limit=1');
    expect(await app.get(`/ranks/month/periods?cursor=${body.next}`)).toMatchObject({ status: 400 });
    expect(await app.get('/ranks/year/periods')).toMatchObject({ status: 404 });
  });
});

describe('GET /ranks/:leaderboard/users/:userId/history', () => {
  const rows = ({ entries }: RankHistory) =>
    entries.map(({ period, rank, score, total }) => [period.key, period.state, rank, score, total]);

  it('tells where the user stood in past periods, live and archived alike, the latest first', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    const days: Readonly<Record<string, Readonly<Record<string, number>>>> = {
      '2036-11-16': { ada: 3, bob: 3 },
      '2036-11-17': { bob: 1 },
      '2036-11-18': { bob: 3, ada: 2 },
      '2036-11-19': { cyd: 3, bob: 3, ada: 2 },
      '2036-11-20': { ada: 9 },
    };
    for (const [day, scores] of Object.entries(days)) {
      clock.set(`${day}T08:00:00Z`);
      await earn(scores);
    }
    for (const day of ['2036-11-16', '2036-11-17', '2036-11-18']) await archiveDay(day);
    for (const day of ['2036-11-16', '2036-11-17']) await dropDay(day);
    clock.set('2036-11-20T00:30:00Z');
    const history = async (query: string) => (await app.get<RankHistory>(`/ranks/day/users/${query}`)).body;

    await earn({ ada: 1 });
    clock.set('2036-11-20T00:40:00Z');
    const points = (await app.get<RankPoints>('/ranks/day/users/ada/points')).body;
    expect(points).toMatchObject({ leaderboard: 'day', userId: 'ada', from: '2035-11-21', to: '2036-11-20' });
    expect(points.periods.map(({ period, points: had, rank }) => [period, had, rank])).toEqual([
      ['2036-11-16', 3, 1],
      ['2036-11-18', 2, 2],
      ['2036-11-19', 2, 3],
      ['2036-11-20', 10, 1],
    ]);
    const within = await app.get<RankPoints>('/ranks/day/users/ada/points?from=2036-11-17&to=2036-11-18');
    expect(within.body.periods).toEqual([
      { period: '2036-11-18', start: '2036-11-18T00:00:00.000Z', points: 2, rank: 2 },
    ]);
    const months = await app.get<RankPoints>('/ranks/month/users/ada/points?from=2036-11-17&to=2036-11-18');
    expect(months.body.periods).toEqual([
      { period: '2036-11', start: '2036-11-01T00:00:00.000Z', points: 17, rank: 1 },
    ]);

    const ada = await history('ada/history');
    expect(ada).toMatchObject({ leaderboard: 'day', userId: 'ada', user: null, next: null });
    expect(rows(ada)).toEqual([
      ['2036-11-19', 'closing', 3, 2, 3],
      ['2036-11-18', 'settled', 2, 2, 2],
      ['2036-11-16', 'settled', 1, 3, 2],
    ]);
    expect(ada.entries[2]).toEqual({
      period: {
        key: '2036-11-16',
        start: '2036-11-16T00:00:00.000Z',
        end: '2036-11-17T00:00:00.000Z',
        state: 'settled',
      },
      total: 2,
      rank: 1,
      score: 3,
      reachedAt: '2036-11-16T08:00:00.000Z',
    });
    expect(rows(await history('bob/history?ranking=competition')).map(([, , rank]) => rank)).toEqual([1, 1, 1, 1]);
    expect(rows(await history('ada/history?ranking=dense')).map(([, , rank]) => rank)).toEqual([2, 2, 1]);

    const first = await history('ada/history?limit=2');
    expect(first.entries).toHaveLength(2);
    const rest = await history(`ada/history?limit=2&cursor=${first.next}`);
    expect([...rows(first), ...rows(rest)]).toEqual(rows(ada));
    expect(rest.next).toBeNull();
    expect(await history('nobody/history')).toMatchObject({ entries: [], next: null });
  });

  it('reaches every period, however many there are, without looking through all of them at once', async () => {
    const { app, clock, archive, earn, archiveDay, dropDay } = await begin();
    const firstMs = Date.parse('2036-01-01T08:00:00Z');
    const key = (day: number) => new Date(firstMs + day * dayMs).toISOString().slice(0, 10);
    for (let day = 0; day < 230; day += 1) {
      clock.set(firstMs + day * dayMs);
      await earn(day % 100 === 0 ? { ada: 1 } : { bob: 1 });
      // Every third day was never archived.
      if (day % 3 === 0) continue;
      await archiveDay(key(day));
      await dropDay(key(day));
    }
    const found: unknown[] = [];
    let pages = 0;
    for (let query = ''; ;) {
      const { body } = await app.get<RankHistory>(`/ranks/day/users/ada/history${query}`);
      pages += 1;
      found.push(...rows(body).map(([day]) => day));
      if (body.next === null) break;
      query = `?cursor=${encodeURIComponent(body.next)}`;
    }
    expect(found).toEqual([200, 100].map(key));
    expect(pages).toBeGreaterThan(1);
    expect(archive.calls.history).toBe(pages);
  });

  it('gives a year of points of a user, wherever its days lie, and refuses more', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    const firstMs = Date.parse('2036-01-01T08:00:00Z');
    const key = (day: number) => new Date(firstMs + day * dayMs).toISOString().slice(0, 10);
    const wanted: string[] = [];
    for (let day = 0; day < 366; day += 5) {
      clock.set(firstMs + day * dayMs);
      await earn({ ada: 1 });
      wanted.push(key(day));
      // The last month's boards live, and are yet to be settled.
      if (day >= 335) continue;
      await archiveDay(key(day));
      await dropDay(key(day));
    }
    clock.set(firstMs + 365 * dayMs);
    const { body } = await app.get<RankPoints>('/ranks/day/users/ada/points');
    expect([body.from, body.to]).toEqual(['2036-01-01', '2036-12-31']);
    expect(body.periods.map(({ period }) => period)).toEqual(wanted);
    for (const query of ['?from=2035-12-31', '?from=2036-02-30', '?from=x', '?to=2036-01-01&from=2036-01-02']) {
      expect([query, (await app.get(`/ranks/day/users/ada/points${query}`)).status]).toEqual([query, 400]);
    }
    expect((await app.get('/ranks/month/users/ada/points?from=2027-01-01')).status).toBe(200);
  });

  it.each(['?limit=0', '?limit=1.5', '?cursor=abc', '?ranking=best', '?period=previous'])(
    'refuses %s',
    async (query) => {
      const { app } = await begin();
      expect(await app.get(`/ranks/day/users/ada/history${query}`)).toMatchObject({ status: 400 });
    },
  );
});
