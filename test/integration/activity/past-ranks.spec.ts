import { Exclusions } from '@laurel/activity';
import type {
  RankHistory,
  RankLookup,
  RankPage,
  RankPeriods,
  RankPoints,
  RankStanding,
} from '@laurel/activity/internals';
import { beginDays } from './support/past-days';
import { allBoard, countingRedis, TinyApp, withKey } from './support';

describe('change', () => {
  const changes = (entries: readonly { readonly userId: string; readonly change: number | null }[]) =>
    Object.fromEntries(entries.map(({ userId, change }) => [userId, change]));

  it('says how many places each has won or lost since the period before, in every answer', async () => {
    const { app, clock, earn } = await beginDays();
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
    const ofMonth = changes((await app.get<RankPage>('/ranks/month')).body.entries);
    expect(ofMonth).toEqual({ ada: null, bob: null, cyd: null, dan: null, eve: null });
  });

  it('compares by the ranking that is asked for', async () => {
    const { app, clock, earn } = await beginDays();
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
    const { app, clock, earn, dropDay } = await beginDays();
    await earn({ ada: 2, bob: 1 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ bob: 2, ada: 1 });
    await dropDay('2036-11-20');
    expect(changes((await app.get<RankPage>('/ranks/day')).body.entries)).toEqual({ bob: 1, ada: -1 });
  });

  it('costs one round trip for all of a page', async () => {
    const client = await countingRedis();
    const { app, clock, earn } = await beginDays({ options: { redis: { client } } });
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
    const { app, earn } = await beginDays({ options: { leaderboards: [allBoard, { name: 'year', period: 'year' }] } });
    await earn({ ada: 1 });
    const { body } = await app.get<RankPage>('/ranks/all?period=all');
    expect(body).toMatchObject({ period: { end: null }, total: 1, entries: [{ userId: 'ada', change: null }] });
    expect(await app.get('/ranks/all?period=previous')).toMatchObject({ status: 404 });
    const periods = [{ key: 'all', end: null, state: 'open', total: 1 }];
    expect((await app.get<RankPeriods>('/ranks/all/periods')).body).toMatchObject({ periods, next: null });
    expect(await app.post('/ranks/year/lookup?period=0000', { userIds: ['ada'] })).toMatchObject({ status: 200 });
  });
});

it("a user's own answer tells what is missing to the first ten", async () => {
  const { app, earn } = await beginDays();
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

describe('GET /ranks/:leaderboard/periods', () => {
  const list = async (app: TinyApp, query = '') => {
    const { periods } = (await app.get<RankPeriods>(`/ranks/day/periods${query}`)).body;
    return periods.map(({ key, state, total }) => [key, state, total]);
  };

  it('lists what lives and what is archived, once, the latest first', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await beginDays();
    for (const [day, users] of [
      ['2036-11-18', { ada: 1 }],
      ['2036-11-20', { ada: 1, bob: 1 }],
      ['2036-11-21', { ada: 2 }],
    ] as const) {
      clock.set(`${day}T08:00:00Z`);
      await earn(users);
    }
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
      ...{ key: '2036-11-21', state: 'closing', total: 1 },
      ...{ start: '2036-11-21T00:00:00.000Z', end: '2036-11-22T00:00:00.000Z' },
    });
  });

  it("refuses bad queries and another leaderboard's cursor, and answers 404 where there is no such leaderboard", async () => {
    const { app, clock, earn } = await beginDays();
    for (const query of ['?limit=0', '?limit=101', '?cursor=', '?cursor=x', '?offset=1']) {
      expect([query, (await app.get(`/ranks/day/periods${query}`)).status]).toEqual([query, 400]);
    }
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
    const { app, clock, earn, archiveDay, dropDay } = await beginDays();
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
    const told = points.periods.map(({ period, points: had, rank }) => `${period} ${had} ${rank}`);
    expect(told).toEqual(['2036-11-16 3 1', '2036-11-18 2 2', '2036-11-19 2 3', '2036-11-20 10 1']);
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
    for (const query of ['?limit=0', '?limit=1.5', '?cursor=abc', '?ranking=best', '?period=previous']) {
      expect([query, (await app.get(`/ranks/day/users/ada/history${query}`)).status]).toEqual([query, 400]);
    }
    // A user who has left sees their own all the same, and so does the key.
    await app.nest.get(Exclusions).optOut('ada');
    const had = async (headers = {}) =>
      (await app.get<RankPoints>('/ranks/day/users/ada/points', headers)).body.periods.map((one) => [
        ...[one.period, one.points, one.rank],
      ]);
    // This archive hides nobody.
    expect((await had()).map(([period]) => period)).toEqual(['2036-11-16', '2036-11-18']);
    expect(await had(withKey)).toEqual(points.periods.map(({ period, points: own }) => [period, own, null]));
  });

  it('and points are shown to whom the app says; users see their own, and the key sees all', async () => {
    const asked = jest.fn(({ viewer }: { viewer: string | null }) => Promise.resolve(viewer === 'friend'));
    const callers = [...['', 'ada', 'friend', 'eve'].map((user) => ({ 'x-user': user })), withKey];
    const statuses = async (app: TinyApp, what: string) => {
      const answers = await Promise.all(callers.map((headers) => app.get(`/ranks/day/users/ada/${what}`, headers)));
      for (const { headers, status } of answers)
        if (status === 200) expect(headers.get('cache-control')).toContain('private');
      return answers.map(({ status }) => status);
    };
    const startWith = (points: 'signed-in' | 'nobody') =>
      TinyApp.start({ options: { settlement: { visibility: { points, history: asked } } } });
    const app = await startWith('signed-in');
    expect(await statuses(app, 'points')).toEqual([401, 200, 200, 200, 200]);
    expect(await statuses(app, 'history')).toEqual([401, 200, 200, 403, 200]);
    expect(asked.mock.calls).toContainEqual([{ userId: 'ada', viewer: null }]);
    expect(await statuses(await startWith('nobody'), 'points')).toEqual([403, 200, 403, 403, 200]);
  });
});
