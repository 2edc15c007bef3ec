import { RankService, SettlementService, type UserDirectory, type UserProfile } from '@laurel/activity';
import type { RankEntry, RankLookup, RankPage, RankPeriods, RankStanding } from '@laurel/activity/internals';
import { type CountingRedis, countingRedis, directoryOf, hostileNames, ManualClock, type ProblemBody } from './support';
import { oneTinyApp, platforms, TinyApp, type TinyAppOptions } from './support/tiny-app';

const morning = '2036-11-20T08:00:00.000Z';

const rules = [{ action: 'praise', points: 1, revocable: true }] as const;

/** Praises give the scores, a second apart, in the order given. */
async function earn(app: TinyApp, clock: ManualClock, scores: Readonly<Record<string, number>>): Promise<void> {
  for (const [userId, score] of Object.entries(scores)) {
    await app.record(...Array.from({ length: score }, (_, i) => ({ userId, action: 'praise', subject: `${i}` })));
    clock.advance(1_000);
  }
}

/** An app of a test's own in which `scores` are earned. */
async function startWith(scores: Readonly<Record<string, number>>, given: TinyAppOptions = {}) {
  const clock = new ManualClock(morning);
  const app = await TinyApp.start({ ...given, options: { clock, rules, ...given.options } });
  await earn(app, clock, scores);
  return { app, clock };
}

const five = { ada: 5, bob: 3, cyd: 3, dan: 3, eve: 1 };
const lines = (entries: readonly RankEntry[]) => entries.map(({ rank, userId, score }) => `${rank} ${userId} ${score}`);

describe.each(platforms)('GET /ranks on %s', (platform) => {
  const clock = new ManualClock(morning);
  const started = oneTinyApp({
    platform,
    // Days are settled when a test says so.
    options: { clock, rules, settlement: { everyMs: 86_400_000 } },
  });
  let app: TinyApp;
  beforeAll(async () => {
    app = started();
    await earn(app, clock, five);
  });

  /** Another day of this app, on which `scores` are earned. */
  const onDay = async (day: string, scores: Readonly<Record<string, number>>) => {
    clock.set(`${day}T08:00:00.000Z`);
    await earn(app, clock, scores);
  };

  it('lists the leaderboards, what counts, and their current periods', async () => {
    expect(await app.get('/ranks')).toMatchObject({
      status: 200,
      body: {
        leaderboards: [
          {
            name: 'day',
            kind: 'day',
            actions: ['praise'],
            current: {
              key: '2036-11-20',
              start: '2036-11-20T00:00:00.000Z',
              end: '2036-11-21T00:00:00.000Z',
              state: 'open',
            },
          },
          { name: 'month', kind: 'month', current: { key: '2036-11' } },
        ],
      },
    });
  });

  it('gives a page of standings: who got there first stands first', async () => {
    const { status, headers, body } = await app.get<RankPage>('/ranks/day');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      leaderboard: 'day',
      period: { key: '2036-11-20', start: '2036-11-20T00:00:00.000Z', end: '2036-11-21T00:00:00.000Z', state: 'open' },
      total: 5,
      entries: [
        { rank: 1, userId: 'ada', score: 5, reachedAt: '2036-11-20T08:00:00.000Z', change: null, user: null },
        { rank: 2, userId: 'bob', score: 3, reachedAt: '2036-11-20T08:00:01.000Z', change: null, user: null },
        { rank: 3, userId: 'cyd', score: 3, reachedAt: '2036-11-20T08:00:02.000Z', change: null, user: null },
        { rank: 4, userId: 'dan', score: 3, reachedAt: '2036-11-20T08:00:03.000Z', change: null, user: null },
        { rank: 5, userId: 'eve', score: 1, reachedAt: '2036-11-20T08:00:04.000Z', change: null, user: null },
      ],
      next: null,
    });
  });

  it('pages by cursor, offset and percentile, and ranks equals in three ways', async () => {
    const first = await app.get<RankPage>('/ranks/day?limit=2');
    expect(lines(first.body.entries)).toEqual(['1 ada 5', '2 bob 3']);
    const second = await app.get<RankPage>(`/ranks/day?limit=2&cursor=${encodeURIComponent(first.body.next ?? '')}`);
    expect(lines(second.body.entries)).toEqual(['3 cyd 3', '4 dan 3']);
    const byOffset = await app.get<RankPage>('/ranks/day?limit=2&offset=3&ranking=competition');
    expect(lines(byOffset.body.entries)).toEqual(['2 dan 3', '5 eve 1']);
    expect(byOffset.body.next).toBeNull();
    const middle = await app.get<RankPage>('/ranks/day?limit=2&offset=1');
    const rest = await app.get<RankPage>(`/ranks/day?cursor=${encodeURIComponent(middle.body.next ?? '')}`);
    expect(lines([...middle.body.entries, ...rest.body.entries])).toEqual(['2 bob 3', '3 cyd 3', '4 dan 3', '5 eve 1']);
    const dense = await app.get<RankPage>('/ranks/day?ranking=dense');
    expect(dense.body.entries.map(({ rank }) => rank)).toEqual([1, 2, 2, 2, 3]);
    expect(await app.get('/ranks/day?offset=100')).toMatchObject({ status: 200, body: { total: 5, entries: [] } });
    for (const [percentile, entry] of Object.entries({ 100: '1 ada 5', 75: '2 bob 3', 0: '5 eve 1' })) {
      const { body } = await app.get<RankPage>(`/ranks/day?limit=1&percentile=${percentile}`);
      expect(lines(body.entries)).toEqual([entry]);
    }
  });

  it("refuses another leaderboard's cursor, and one that is none", async () => {
    const { body } = await app.get<RankPage>('/ranks/day?limit=2');
    const cursor = encodeURIComponent(body.next ?? '');
    for (const path of [
      `/ranks/month?cursor=${cursor}`,
      `/ranks/day?period=previous&cursor=${cursor}`,
      '/ranks/day?cursor=x',
    ]) {
      expect(await app.get(path)).toMatchObject({ status: 400, body: { type: 'urn:laurel:problem:invalidCursor' } });
    }
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[a]=1', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['ranking=best', 'ranking'],
    ['period=', 'period'],
    ['period=current&period=previous', 'period'],
    ['cursor=', 'cursor'],
    ['cursor=abc&offset=1', 'cursor'],
    ['percentile=100.1', 'percentile'],
    ['percentile=9&offset=1', 'percentile'],
    ['minScore=-1.5', 'minScore'],
    ['maxScore=1.5', 'maxScore'],
    ['minScore=3&maxScore=2', 'minScore'],
    ['__proto__=1', undefined],
  ])('refuses ?%s', async (query, path) => {
    const { status, body } = await app.get<ProblemBody>(`/ranks/day?${query}`);
    if (path === undefined) return expect([200, 400]).toContain(status);
    expect(status).toBe(400);
    expect(body.errors?.[0]?.path).toMatch(new RegExp(`^${path}`));
  });

  it('answers 404 where there is no such leaderboard or period', async () => {
    for (const path of ['/ranks/year', '/ranks/constructor', '/ranks/%7B%7D', '/ranks/day%2Fx']) {
      expect(await app.get(path)).toMatchObject({
        status: 404,
        body: { type: 'urn:laurel:problem:unknownLeaderboard' },
      });
    }
    for (const period of ['2036-11-31', '2036-11', '2036-W47', 'yesterday', 'all', '20361120']) {
      const answer = await app.get<ProblemBody>(`/ranks/day?period=${period}`);
      expect(answer).toMatchObject({ status: 404, body: { type: 'urn:laurel:problem:unknownPeriod' } });
    }
  });

  it('finds a leaderboard by its name in any case', async () => {
    for (const path of ['/ranks/DAY', '/ranks/Day?limit=1', '/ranks/dAY?period=current']) {
      expect(await app.get(path)).toMatchObject({ status: 200, body: { leaderboard: 'day', total: 5 } });
    }
    expect((await app.get<RankStanding>('/ranks/DAY/users/ada')).body).toMatchObject({
      leaderboard: 'day',
      entry: { rank: 1, score: 5 },
    });
    expect(await app.get('/ranks/YEAR')).toMatchObject({ status: 404 });
  });

  it("gives one user's standing: rank, percentile, who is ahead and by how much", async () => {
    expect((await app.get<RankStanding>('/ranks/day/users/cyd')).body).toMatchObject({
      leaderboard: 'day',
      total: 5,
      entry: { rank: 3, userId: 'cyd', score: 3, user: null },
      percentile: 50,
      tied: false,
      ahead: { userId: 'bob', score: 3, gap: 0 },
    });
    expect((await app.get<RankStanding>('/ranks/day/users/ada')).body).toMatchObject({ percentile: 100, ahead: null });
    expect(await app.get('/ranks/day/users/nobody')).toMatchObject({
      status: 200,
      body: {
        entry: { rank: null, userId: 'nobody', score: 0, reachedAt: null, user: null },
        percentile: null,
        ahead: null,
      },
    });
  });

  it('gives the user in the middle of their neighbours, filled up at the ends', async () => {
    const around = async (path: string) => (await app.get<RankPage>(path)).body;
    expect(lines((await around('/ranks/day/users/cyd/around?radius=1')).entries)).toEqual([
      '2 bob 3',
      '3 cyd 3',
      '4 dan 3',
    ]);
    expect((await around('/ranks/day/users/ada/around?radius=1')).entries).toHaveLength(3);
    expect((await around('/ranks/day/users/ada/around')).entries).toHaveLength(5);
    expect(await around('/ranks/day/users/nobody/around')).toMatchObject({ total: 5, entries: [], next: null });
    expect(await app.get('/ranks/day/users/ada/around?radius=51')).toMatchObject({ status: 400 });
  });

  it('looks up users in the order asked', async () => {
    const { status, body } = await app.post<RankLookup>('/ranks/day/lookup', {
      userIds: ['eve', 'nobody', 'ada', 'eve'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ leaderboard: 'day', total: 5 });
    const told = body.entries.map(({ rank, userId, score }) => `${rank} ${userId} ${score}`);
    expect(told).toEqual(['5 eve 1', 'null nobody 0', '1 ada 5', '5 eve 1']);
  });

  it.each([
    ['nobody', []],
    ['201 users', Array.from({ length: 201 }, (_, i) => `${i}`)],
    ['a number', [42]],
    ['an empty id', ['ada', '']],
    ['an id of 129 bytes', ['é'.repeat(64) + 'x']],
    ['no list', 'ada'],
  ])('refuses to look up %s', async (_, userIds) => {
    const { status, body } = await app.post<ProblemBody>('/ranks/day/lookup', { userIds });
    expect(status).toBe(400);
    expect(body.errors?.[0]?.path).toBe('userIds');
  });

  it('refuses over-long and malformed ids and addresses as bad requests', async () => {
    const tooLong = await app.get<ProblemBody>(`/ranks/day/users/${'x'.repeat(129)}`);
    expect(tooLong).toMatchObject({ status: 400, body: { errors: [{ path: 'userId' }] } });
    const malformed = await app.get('/ranks/day/users/%zz');
    expect(malformed.status).toBe(400);
    expect(malformed.headers.get('content-type')).toContain('application/problem+json');
    expect(malformed.body).toMatchObject({ status: 400, title: 'Bad Request' });
  });

  it('tells what is wrong with a body: malformed, of another type, too large', async () => {
    const problem = { headers: expect.anything() as unknown };
    expect(await app.post('/ranks/day/lookup', '{"userIds": [')).toMatchObject({ ...problem, status: 400 });
    const asText = await app.post<ProblemBody>('/ranks/day/lookup', 'ada', { 'content-type': 'text/plain' });
    expect([400, 415]).toContain(asText.status);
    const tooLarge = await app.post<ProblemBody>('/ranks/day/lookup', { userIds: ['x'.repeat(2_000_000)] });
    expect(tooLarge).toMatchObject({ status: 413, body: { status: 413 } });
    for (const { headers } of [asText, tooLarge]) {
      expect(headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('pages through the users with scores between bounds, with their ranks among all', async () => {
    await onDay('2036-11-22', { ...five, fay: 2 });
    const page = async (query: string) => (await app.get<RankPage>(`/ranks/day?${query}`)).body;
    const all = await page('');
    const between = async (query: string) => {
      const { total, entries, next } = await page(query);
      return [total, entries.map(({ rank, userId }) => `${rank} ${userId}`), next];
    };
    const ranked = (...users: string[]) =>
      users.map((user) => `${all.entries.find(({ userId }) => userId === user)?.rank} ${user}`);
    const threes = all.entries.filter(({ score }) => score === 3).map(({ userId }) => userId);
    expect(await between('minScore=3')).toEqual([6, ranked('ada', ...threes), null]);
    expect(await between('maxScore=3')).toEqual([6, ranked(...threes, 'fay', 'eve'), null]);
    expect(await between('minScore=2&maxScore=3')).toEqual([6, ranked(...threes, 'fay'), null]);
    expect(await between('minScore=2&maxScore=3&offset=2')).toEqual([6, ranked(...threes.slice(2), 'fay'), null]);
    expect(await between('minScore=4&maxScore=4')).toEqual([6, [], null]);
    expect(await between('minScore=6')).toEqual([6, [], null]);
    expect(await between('minScore=3&limit=4')).toEqual([6, ranked('ada', ...threes), null]);
    // What is cached for first pages is not answered to those who ask for bounds, nor the other way about.
    expect(await page('')).toEqual(all);

    const pages = await app.pages<RankPage>('/ranks/day?minScore=2&maxScore=3&limit=3');
    const found = pages.flatMap(({ entries }) => entries.map(({ userId }) => userId));
    expect(found).toEqual([...threes, 'fay']);
  });

  it('knows each user by their id, whatever its characters', async () => {
    await onDay('2036-11-23', Object.fromEntries(hostileNames.map((name) => [name, 1])));
    // Of prototype names Object.fromEntries keeps all; `__proto__` among them is an own property too.
    for (const name of hostileNames) {
      const path = encodeURIComponent(name).replace(/^\.\.%2F\.\.$/, '..%2F..');
      const { status, body } = await app.get<RankStanding>(`/ranks/day/users/${path}`);
      expect([status, body.entry]).toMatchObject([200, { userId: name, score: 1 }]);
    }
    const { body } = await app.post<RankLookup>('/ranks/day/lookup', { userIds: hostileNames });
    expect(body.entries.map(({ userId, score }) => [userId, score])).toEqual(hostileNames.map((name) => [name, 1]));
    const pages = await app.pages<RankPage>('/ranks/day?limit=1');
    expect(new Set(pages.map(({ entries }) => entries[0]?.userId))).toEqual(new Set(hostileNames));
  });

  it('spares a client the body that it has already', async () => {
    await onDay('2036-11-24', five);
    const paths = ['', '/periods', '/users/bob', '/users/bob/around', '/users/bob/history'].map(
      (at) => `/ranks/day${at}`,
    );
    for (const path of paths) {
      const first = await app.get<object>(path);
      const etag = first.headers.get('etag') ?? '';
      expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{27}"$/)]);
      expect(first.headers.get('cache-control')).toMatch(/^(public|private), no-cache$/);
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await app.get(path, { 'if-none-match': known });
        expect([path, known, again.status, again.body]).toEqual([path, known, 304, '']);
        expect(again.headers.get('etag')).toBe(etag);
      }
      expect((await app.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
    const tag = async () => (await app.get('/ranks/day')).headers.get('etag');
    const before = await tag();
    await app.record({ userId: 'eve', action: 'praise', subject: 'another' });
    const after = await app.get<RankPage>('/ranks/day', { 'if-none-match': before ?? '' });
    expect([after.status, after.body.total]).toEqual([200, 5]);
    expect(await tag()).toBe(after.headers.get('etag'));
  });

  it('never hides a problem behind an entity tag', async () => {
    const { status, headers } = await app.get('/ranks/day?period=x', { 'if-none-match': '*' });
    expect([status, headers.get('cache-control')]).toEqual([404, null]);
  });

  it('gives past periods by key and by `previous`, and says whether they are final', async () => {
    await onDay('2036-11-25', five);
    clock.set('2036-11-26T00:30:00Z');
    const previous = await app.get<RankPage>('/ranks/day?period=previous');
    expect(previous.body).toMatchObject({ total: 5, period: { key: '2036-11-25', state: 'closing' } });
    expect((await app.get<RankPage>('/ranks/day')).body).toMatchObject({ total: 0, entries: [], next: null });
    clock.set('2036-11-26T01:00:00Z');
    await app.nest.get(SettlementService).settleDue();
    expect(await app.get('/ranks/day?period=2036-11-25')).toMatchObject({ body: { period: { state: 'settled' } } });
    const { periods } = (await app.get<RankPeriods>('/ranks/day/periods?limit=2')).body;
    const told = {
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      tieRule: expect.stringMatching(/first/) as string,
    };
    expect(periods).toMatchObject([{ state: 'open' }, { key: '2036-11-25', total: 5, ...told }]);
    expect(Object.keys(periods[0] ?? {})).toEqual(['key', 'start', 'end', 'state', 'total']);
  });
});

describe('profiles', () => {
  const profiles = new Map<string, UserProfile>([
    ['ada', { name: 'Ada', avatarUrl: 'https://example.org/ada.png' }],
    ['bob', Object.assign({ name: 'Bob', avatarUrl: null }, { email: 'bob@example.org' })],
  ]);
  let find: UserDirectory['find'];
  const clock = new ManualClock(morning);
  const app = oneTinyApp({
    options: { clock, rules },
    extras: { imports: [directoryOf({ find: (userIds) => find(userIds) })] },
  });
  beforeAll(() => earn(app(), clock, five));

  it('are shown if the directory knows them; an unknown user keeps the rank', async () => {
    const asked: (readonly string[])[] = [];
    find = (userIds) => {
      asked.push(userIds);
      return Promise.resolve(profiles);
    };
    const { body } = await app().get<RankPage>('/ranks/day?limit=3');
    expect(body.entries.map(({ userId, user }) => [userId, user])).toEqual([
      ['ada', { name: 'Ada', avatarUrl: 'https://example.org/ada.png' }],
      ['bob', { name: 'Bob', avatarUrl: null }],
      ['cyd', null],
    ]);
    expect(asked).toEqual([['ada', 'bob', 'cyd']]);
    expect((await app().get<RankStanding>('/ranks/day/users/ada')).body.entry.user).toEqual(profiles.get('ada'));
  });

  it('are shown with what users say of themselves, where the directory has it', async () => {
    const texts = new Map<string, UserProfile>([
      ['ada', { name: 'Ada', avatarUrl: null, text: 'Writes about sorted sets.' }],
      ['bob', { name: 'Bob', avatarUrl: null, text: null }],
    ]);
    find = () => Promise.resolve(texts);
    const { body } = await app().get<RankPage>('/ranks/day?limit=2');
    expect(body.entries.map(({ user }) => user)).toEqual([texts.get('ada'), texts.get('bob')]);
  });

  it('have those further fields that the app names, as JSON, and no others', async () => {
    const level = { number: 3, since: new Date(morning) };
    const secret = { email: 'ada@example.org', password: 'secret' };
    const named = new Map<string, UserProfile>([
      ['ada', Object.assign({ name: 'Ada', avatarUrl: null }, { ...secret, country: 'GB', level })],
      ['bob', { name: 'Bob', avatarUrl: null }],
    ]);
    const profileFields = ['country', 'level', 'team'];
    const extras = { imports: [directoryOf({ find: () => Promise.resolve(named) })] };
    const { app } = await startWith({ ada: 2, bob: 1 }, { options: { profileFields }, extras });
    const user = { name: 'Ada', avatarUrl: null, data: { country: 'GB', level: { number: 3, since: morning } } };
    const { body } = await app.get<RankPage>('/ranks/day');
    expect(body.entries.map((entry) => entry.user)).toEqual([user, { name: 'Bob', avatarUrl: null, data: {} }]);
    expect(await app.get('/ranks/day/users/ada/history')).toMatchObject({ status: 200, body: { user } });
  });
});

/** Scripts alone read standings; what the app looks up beside, on its own time, is none. */
const readsDuring = async (client: CountingRedis, work: () => Promise<unknown>) =>
  (await client.during(work)).filter((name) => name === 'evalsha').length;

it('standings of their own are read in one call for all who ask in one turn, each as of that moment', async () => {
  const client = await countingRedis();
  const options = { cacheMs: 60_000, redis: { client }, settlement: false } as const;
  const { app } = await startWith({ ada: 3, bob: 2, cyd: 1 }, { options });
  const ranks = app.nest.get(RankService);
  const users = ['cyd', 'nobody', 'ada', 'bob', 'cyd'];
  const ask = () => Promise.all(users.map((userId) => ranks.standing('day', userId, { tellsExcluded: true })));
  await ask();
  expect(await readsDuring(client, ask)).toBe(1);
  expect((await ask()).map(({ entry, ahead }) => [entry.userId, entry.rank, ahead?.userId])).toEqual([
    ...[
      ['cyd', 3, 'bob'],
      ['nobody', null, undefined],
      ['ada', 1, undefined],
      ['bob', 2, 'ada'],
      ['cyd', 3, 'bob'],
    ],
  ]);
  for (const subject of ['x', 'y']) await app.record({ userId: 'bob', action: 'praise', subject });
  expect((await ask()).map(({ entry }) => entry.rank)).toEqual([3, null, 2, 1, 3]);
});

it('first pages may be a copy as old as cacheMs, read once for all who ask meanwhile', async () => {
  const client = await countingRedis();
  const { app, clock } = await startWith(
    { ada: 1 },
    { options: { cacheMs: 400, redis: { client }, settlement: false } },
  );
  const page = () => app.get<RankPage>('/ranks/day');
  await page();
  clock.advance(400);
  const one = await readsDuring(client, page);
  clock.advance(400);
  expect(one).toBeGreaterThan(0);
  expect(await readsDuring(client, () => Promise.all(Array.from({ length: 50 }, page)))).toBe(one);

  await app.record({ userId: 'bob', action: 'praise', subject: '1' });
  expect((await page()).body.total).toBe(1);
  // Pages of other sizes and rankings are cut of the same copy.
  expect((await app.get<RankPage>('/ranks/day?limit=5&ranking=dense')).body.total).toBe(1);
  expect((await app.get<RankStanding>('/ranks/day/users/bob')).body.entry.rank).not.toBeNull();
  clock.advance(400);
  expect((await page()).body.total).toBe(2);
});

describe('on three shards', () => {
  const clock = new ManualClock('2036-11-19T08:00:00.000Z');
  const app = oneTinyApp({ options: { clock, rules, shards: 3 } });
  beforeAll(async () => {
    await earn(app(), clock, { ada: 5, bob: 5, cyd: 3, dan: 3, eve: 1 });
    clock.set(morning);
    await earn(app(), clock, five);
  });

  it.each([
    ['competition', { tied: 3, last: 5 }],
    ['dense', { tied: 2, last: 3 }],
  ] as const)('gives the gap to the next better rank where equals stand between, by %s rank', async (ranking, rank) => {
    const of = async (userId: string) =>
      (await app().get<RankStanding>(`/ranks/day/users/${userId}?period=2036-11-19&ranking=${ranking}`)).body;
    for (const userId of ['ada', 'bob']) {
      expect(await of(userId)).toMatchObject({ entry: { rank: 1 }, tied: true, ahead: null });
    }
    const ahead = { userId: 'bob', score: 5, gap: 2 };
    for (const userId of ['cyd', 'dan']) {
      expect(await of(userId)).toMatchObject({ entry: { rank: rank.tied }, tied: true, ahead });
    }
    expect(await of('eve')).toMatchObject({
      entry: { rank: rank.last },
      tied: false,
      ahead: { userId: 'dan', score: 3, gap: 2 },
    });
  });

  it('RankService answers an app from inside, with errors by their codes', async () => {
    const ranks = app().nest.get(RankService);
    expect(lines((await ranks.standings('day', { limit: 2 })).entries)).toEqual(['1 ada 5', '2 bob 3']);
    await expect(ranks.standings('year')).rejects.toMatchObject({ code: 'unknownLeaderboard' });
    await expect(ranks.standings('day', { period: 'x' })).rejects.toMatchObject({ code: 'unknownPeriod' });
    await expect(ranks.standings('day', { limit: 0 })).rejects.toMatchObject({ code: 'invalidQuery' });
    expect(await ranks.standing('day', 'nobody', 'previous')).toMatchObject({
      entry: { rank: null, score: 0 },
      ahead: null,
    });
    await expect(ranks.standing('day', '')).rejects.toMatchObject({ code: 'invalidQuery' });
    await expect(ranks.lookup('day', [])).rejects.toMatchObject({ code: 'invalidQuery' });
  });
});
