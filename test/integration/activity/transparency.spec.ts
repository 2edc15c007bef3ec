import { ActivityService, SettlementService, type Activity, type ActivityModuleOptions } from '@laurel/activity';
import { Ledgers, maxTraced, RefusalTrace, type LedgerPage, type TracedRefusal } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { redisOfTest } from '../../support/own-servers';
import { dayMs, directoryOf, freshPrefix, keysLike, ManualClock, testRedis, waitUntil } from './support';
import { oneTinyApp, platforms, TinyApp, withKey, dayBoard, allBoard } from './support/tiny-app';

interface QuotaBody {
  readonly userId: string;
  readonly date: string;
  readonly limits: readonly { readonly limit: string }[];
}

const clock = new ManualClock('2036-11-20T08:00:00Z');
const limits: ActivityModuleOptions['limits'] = [
  { type: 'daily', action: 'praise', max: 2 },
  { type: 'sliding', action: 'view', max: 2, windowMs: 60_000, per: 'action' },
  { type: 'sliding', action: 'comment', max: 1, windowMs: 3_600_000, per: 'subject', name: 'comment-each' },
];
const optionsOf = (options: Partial<ActivityModuleOptions> = {}) => ({ clock, limits, ...options });
/** An app of a test's own. */
const start = (options: Partial<ActivityModuleOptions> = {}) => TinyApp.start({ options: optionsOf(options) });

/** The user of a test. */
let ada = 'ada';
const event = (action: string, subject: string, more: object = {}) => {
  clock.advance(1_000);
  return { userId: ada, action, subject, occurredAt: new Date(clock.now()).toISOString(), ...more };
};
const at = (time: string) => `2036-11-20T${time}.000Z`;

let tests = 0;
beforeEach(() => {
  clock.set('2036-11-20T08:00:00Z');
  ada = `ada-${++tests}`;
});

describe.each(platforms)('on %s', (platform) => {
  const started = oneTinyApp({ platform, options: optionsOf() });
  it.each(['quota', 'ledger', 'data'] as const)('a %s is for its user and for the API key', async (what) => {
    const app = started();
    const path = `/activity/users/ada/${what}`;
    expect(await app.get(path, { 'x-user': 'ada' })).toMatchObject({ status: 200, body: { userId: 'ada' } });
    expect(await app.get(path, withKey)).toMatchObject({ status: 200 });
    expect(await app.get(path, { 'x-user': 'bob' })).toMatchObject({ status: 403 });
    expect(await app.get(path)).toMatchObject({ status: 401 });
    const malformed = {
      quota: ['subject=', `subject=${'é'.repeat(257)}`, 'action=dance', 'ownerId=', 'date=2036-11-20'],
      ledger: ['date=today', 'date=2036-02-30', 'limit=0', 'limit=201', 'cursor=x', 'subject=1'],
      data: [],
    }[what];
    for (const query of malformed) {
      expect([query, (await app.get(`${path}?${query}`, withKey)).status]).toEqual([query, 400]);
    }
    const long = `/activity/users/${'x'.repeat(129)}/${what}`;
    expect(await app.get(long, withKey)).toMatchObject({ status: 400, body: { errors: [{ path: 'userId' }] } });
  });
});

describe('a quota', () => {
  const started = oneTinyApp({ options: optionsOf() });
  const quota = async (app: TinyApp, query = '') =>
    (await app.get<QuotaBody>(`/activity/users/${ada}/quota${query}`, { 'x-user': ada })).body;

  it('tells what is left of each limit, and when a full one allows again', async () => {
    const app = started();
    const none = { of: 'grants', used: 0, allowedAgainAt: null };
    expect(await quota(app)).toEqual({
      userId: ada,
      date: '2036-11-20',
      limits: [
        { limit: 'praise-daily', type: 'daily', action: 'praise', max: 2, left: 2, ...none },
        { limit: 'view-sliding', type: 'sliding', action: 'view', max: 2, left: 2, ...none },
      ],
    });
    await app.record(event('praise', '1'), event('view', '1'), event('praise', '2'), event('view', '2'));
    await app.record(event('praise', '3'), event('view', '3'), { ...event('praise', '4'), userId: 'bob' });
    expect((await quota(app)).limits).toMatchObject([
      { limit: 'praise-daily', used: 2, left: 0, allowedAgainAt: '2036-11-21T00:00:00.000Z' },
      { limit: 'view-sliding', used: 2, left: 0, allowedAgainAt: at('08:01:02') },
    ]);
    clock.set(at('08:01:02'));
    expect((await quota(app)).limits).toMatchObject([{ left: 0 }, { used: 1, left: 1, allowedAgainAt: null }]);
    expect((await app.record({ userId: ada, action: 'view', subject: '5' })).body.results).toMatchObject([
      { outcome: 'granted' },
    ]);
    await app.record(event('praise', '1', { revoke: true }));
    expect((await quota(app)).limits).toMatchObject([{ used: 1, left: 1 }, {}]);
    clock.set('2036-11-21T00:00:00Z');
    expect(await quota(app)).toMatchObject({ date: '2036-11-21', limits: [{ used: 0 }, { used: 0 }] });
  });

  it('tells limits of each subject apart of the subject that is named', async () => {
    const app = started();
    await app.record(event('comment', 'article:7'));
    const each = async (subject: string) =>
      (await quota(app, `?action=comment&subject=${subject}`)).limits.find(({ limit }) => limit === 'comment-each');
    expect(await each('article:7')).toMatchObject({ used: 1, left: 0, allowedAgainAt: at('09:00:01') });
    expect(await each('article:8')).toMatchObject({ used: 0, left: 1, allowedAgainAt: null });
  });

  it('goes by the limits in force', async () => {
    const app = await start();
    await app.record(event('praise', '1'), event('praise', '2'));
    const rules = [{ action: 'praise', points: 2, revocable: true, code: 'p' }];
    await app.post('/activity/rules', { rules, limits: [{ type: 'daily', action: 'praise', max: 1 }] }, withKey);
    expect((await quota(app)).limits).toMatchObject([{ limit: 'praise-daily', max: 1, used: 2, left: 0 }]);
  });
});

describe('a ledger, line by line', () => {
  const started = oneTinyApp({ options: optionsOf({ limits: [] }) });
  const page = async (app: TinyApp, query = '', user = ada) =>
    (await app.get<LedgerPage>(`/activity/users/${encodeURIComponent(user)}/ledger${query}`, withKey)).body;

  it('tells what each point was given for, by which rules, when, and where it counts', async () => {
    const app = await start();
    await app.record(event('praise', 'article:7'), event('view', '/articles/7'), event('publish', 'article:9'));
    await app.record(event('publish', 'article:9', { revoke: true }));
    const rules = [
      { action: 'praise', points: 5, revocable: true, code: 'p' },
      { action: 'view', points: 1, revocable: false, code: 'v' },
    ];
    await app.post('/activity/rules', { rules }, withKey);
    await app.record(event('praise', 'x'.repeat(41)));
    const counts = (points: number) => ({
      day: { period: '2036-11-20', points },
      month: { period: '2036-11', points },
    });
    const line = { digest: null, version: 1, revokedAt: null };
    const digest = expect.stringMatching(/^[\w-]{12}$/) as string;
    const [ended, later] = [{ grantedAt: at('08:00:03'), revokedAt: at('08:00:04') }, { grantedAt: at('08:00:05') }];
    expect(await page(app)).toEqual({
      ...{ userId: ada, date: '2036-11-20', points: 8, total: 4, next: null },
      lines: [
        { ...line, action: 'praise', subject: 'article:7', points: 2, grantedAt: at('08:00:01'), boards: counts(2) },
        { ...line, action: 'view', subject: '/articles/7', points: 1, grantedAt: at('08:00:02'), boards: counts(1) },
        { ...line, ...{ action: 'publish', subject: 'article:9', points: 0, version: null, boards: {} }, ...ended },
        { ...line, ...{ action: 'praise', subject: null, digest, points: 5, version: 2, boards: counts(5) }, ...later },
      ],
    });
    expect(await page(app, '?date=2036-11-19')).toMatchObject({ points: 0, total: 0, lines: [], next: null });
  });

  it('counts on leaderboards of other zones and points by their own ledgers', async () => {
    clock.set('2036-11-20T20:00:00Z');
    const app = await start({
      limits: [],
      leaderboards: [
        dayBoard,
        { name: 'shanghai', period: 'day', timezone: 'Asia/Shanghai' },
        { name: 'dear', period: 'month', points: { praise: 20 }, actions: ['praise'] },
        { name: 'past', contest: { from: '2036-10-01', to: '2036-10-31' } },
        { name: 'tags', period: 'day', partition: 'tag' },
      ],
    });
    await app.record(event('praise', '1'), event('view', '1'));
    expect((await page(app)).lines.map(({ boards }) => boards)).toEqual([
      {
        day: { period: '2036-11-20', points: 2 },
        shanghai: { period: '2036-11-21', points: 2 },
        dear: { period: '2036-11', points: 20 },
      },
      { day: { period: '2036-11-20', points: 1 }, shanghai: { period: '2036-11-21', points: 1 } },
    ]);
  });

  it('is gone, not empty, once its day is no longer kept', async () => {
    const prefix = freshPrefix();
    const app = await start({ prefix, retentionMs: { ledger: 31 * 86_400_000 } });
    const ledger = (from: TinyApp) => from.get(`/activity/users/${ada}/ledger?date=2036-11-20`, { 'x-user': ada });
    await app.record(event('publish', 'article:9'));
    clock.set('2036-12-21T23:59:59.999Z');
    expect(await ledger(app)).toMatchObject({ status: 200, body: { points: 10, total: 1 } });
    clock.set('2036-12-22T00:00:00Z');
    expect(await ledger(app)).toMatchObject({
      status: 410,
      body: { type: 'urn:laurel:problem:ledgersGone', detail: expect.stringMatching(/31 days.*2036-11-20/) as string },
    });
    const forGood = await start({ prefix, retentionMs: { ledger: null } });
    expect(await ledger(forGood)).toMatchObject({ status: 200, body: { points: 10 } });
  });

  it.each(['ledger', 'history'])('and a %s show an old day for as long as a board shows its points', async (what) => {
    // Redis drops what expires by its own clock.
    clock.set(Math.floor(systemClock.now() / 86_400_000 - 100) * 86_400_000);
    const date = new Date(clock.now()).toISOString().slice(0, 10);
    const app = await start({ leaderboards: [allBoard] });
    await app.record(event('publish', 'article:9'));
    clock.set(systemClock.now());
    if ((await app.score(ada, 'all')) === 0) return; // nothing has to be shown
    const path = `/activity/users/${ada}${what === 'ledger' ? `/ledger?date=${date}` : `?to=${date}`}`;
    const { body } = await app.get(path, { 'x-user': ada });
    expect(body).toMatchObject(what === 'ledger' ? { points: 10, total: 1 } : { days: [{ date, points: 10 }] });
  });

  it('comes in pages that miss nothing and repeat nothing, in one order', async () => {
    const app = started();
    const events = Array.from({ length: 25 }, (_, i) => ({
      userId: ada,
      action: 'view',
      subject: `${i}`,
      // Some share a moment.
      occurredAt: new Date(clock.now() - 1_000 * (i % 4)).toISOString(),
    }));
    await app.record(...events);
    const pages = await app.pages<LedgerPage>(`/activity/users/${ada}/ledger?limit=7`, withKey);
    expect(pages.map(({ total, lines }) => [total, lines.length])).toEqual([7, 7, 7, 4].map((count) => [25, count]));
    const subjects = pages.flatMap(({ lines }) => lines.map(({ subject }) => subject));
    expect(new Set(subjects).size).toBe(25);
    expect(subjects).toEqual((await page(app, '?limit=200')).lines.map(({ subject }) => subject));
    expect(await app.get(`/activity/users/bob/ledger?cursor=${pages[0]?.next}`, withKey)).toMatchObject({
      status: 400,
      body: { type: 'urn:laurel:problem:invalidCursor' },
    });
  });

  it('of a crowded day is read once for all who ask, and opens at the next try where that took too long', async () => {
    const app = await TinyApp.start({ options: { commandTimeoutMs: 200 } });
    const line = { points: 2, version: 1, sinceMs: 1, grantedAtMs: 1, revokedAtMs: null };
    const lines = Array.from({ length: 6_000 }, (_, i) => ({ ...line, field: `pr:${i}` }));
    let end = (): void => undefined;
    const reading = new Promise<typeof lines>((resolve) => (end = () => resolve(lines)));
    const read = jest.spyOn(app.nest.get(Ledgers).main.history, 'lines').mockReturnValue(reading);
    const open = () => app.get<LedgerPage>('/activity/users/ann/ledger?limit=1', withKey);
    expect((await Promise.all([open(), open(), open()])).map(({ status }) => status)).toEqual([503, 503, 503]);
    end();
    await waitUntil(async () => (await open()).body.total === 6_000);
    expect((await open()).body).toMatchObject({ total: 6_000, points: 12_000 });
    expect(read).toHaveBeenCalledTimes(1);
  });
});

it('all that is kept about a user is one document: old days, revokes, adjustments, refusals, names, opting out, reviews, settled places', async () => {
  const find = async () => new Map([[ada, { name: 'Ada', avatarUrl: null }]]);
  const leaderboards = [dayBoard, { name: 'tag', period: 'day', partition: 'tag' }] as const;
  const options = optionsOf({ firstDays: true, leaderboards, retentionMs: { day: null } });
  const app = await TinyApp.start({ options, extras: { imports: [directoryOf({ find })] } });
  const tagged = { partitions: { tag: 'a:b' } };
  await app.record(event('view', '1', tagged), ...['1', '2', '3'].map((subject) => event('praise', subject)));
  await app.record(event('praise', '2', { revoke: true }), { ...event('view', '9'), userId: 'bob' });
  clock.set('2036-11-21T10:00:00Z');
  await app.nest.get(SettlementService).settleDue();
  clock.set('2037-01-20T10:00:00Z');
  expect(await app.nest.get(Ledgers).main.pack()).toBe(2);
  await app.post('/activity/adjustments', { userId: ada, points: 5, reason: 'thanks', id: 'a1' }, withKey);
  await app.post('/activity/reviews', { userId: ada, reason: 'a ring', by: 'eve' }, withKey);
  const own = { headers: { 'x-user': ada } };
  await app.send(`/activity/users/${ada}/opt-out`, { method: 'PUT', ...own });
  const answer = await app.send<Record<string, unknown>>(`/activity/users/${ada}/data`, own);
  const kept = { place: null, competition: null, dense: null };
  const settled = { period: '2036-11-20', points: 1, ...kept, title: null };
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  expect(answer.body).toMatchObject({
    ...{ userId: ada, user: { name: 'Ada' }, firstDay: '2036-11-20' },
    standings: [{ leaderboard: 'day', excluded: true, optedOut: true, entry: { rank: null, score: 5 } }],
    refusals: [{ action: 'praise', subject: '3', reason: 'praise-daily' }],
    exclusions: [
      { reason: 'held', source: 'review' },
      { reason: 'optedOut', source: 'user' },
    ],
    reviews: [{ state: 'held' }],
    days: [
      {
        ...{ date: '2036-11-20', points: 3 },
        lines: [
          {
            ...tagged,
            action: 'view',
            subject: '1',
            points: 1,
            boards: { day: { period: '2036-11-20', points: 1 } },
          },
          { action: 'praise', subject: '1', points: 2, revokedAt: null },
          { action: 'praise', subject: '2', points: 0, revokedAt: at('08:00:05') },
          { action: 'praise', subject: '3', points: 0, version: null, revokedAt: null },
        ],
      },
      { date: '2037-01-20', points: 5, lines: [{ action: 'adjust', subject: 'a1', reason: 'thanks' }] },
    ],
  });
  expect(answer.body.settled).toHaveLength(2);
  expect(answer.body.settled).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...settled, leaderboard: 'day', points: 3 }),
      expect.objectContaining({ ...settled, leaderboard: 'tag/a:b' }),
    ]),
  );
  // What operators noted is theirs.
  expect(JSON.stringify(answer.body)).not.toMatch(/eve|a ring/);
  const { body } = await app.get<object>(`/activity/users/${ada}/data`, withKey);
  expect(body).toMatchObject({ exclusions: [{ by: 'eve' }, {}], reviews: [{ heldBy: 'eve', reason: 'a ring' }] });
  const other = await app.get<object>('/activity/users/bob/data', withKey);
  expect(other.body).toMatchObject({
    settled: [{ leaderboard: 'day', points: 1, place: 1, competition: 1, dense: 1 }],
  });
});

it('what counts once for ever is told as long as it is kept, which is longer than the ledger of its day', async () => {
  const app = await TinyApp.start({ options: optionsOf({}) });
  await app.record(event('publish', '1'), event('view', '1'));
  for (const key of await keysLike(testRedis(), `{${app.prefix}:*}:ledger:*`)) await testRedis().del(key);
  clock.advance(9 * dayMs);
  const { body } = await app.get<object>(`/activity/users/${ada}/data`, withKey);
  const line = { action: 'publish', subject: '1', points: 10, revokedAt: null };
  expect(body).toMatchObject({ days: [{ date: '2036-11-20', points: 10, lines: [line] }] });
});

describe('refusals', () => {
  const recent = async (app: TinyApp, query = '') =>
    (await app.get<{ refusals: TracedRefusal[] }>(`/activity/refusals${query}`, withKey)).body.refusals;
  const only: Partial<ActivityModuleOptions> = { limits: [{ type: 'daily', action: 'praise', max: 1 }] };

  it('say which limit it was, and when it allows again', async () => {
    const app = await start();
    const service = app.nest.get(ActivityService);
    const until = async (activity: Activity) => (await service.record(activity)).refusal;
    await app.record(event('praise', '1'), event('praise', '2'), event('view', '1'), event('view', '2'));
    const { body } = await app.record(event('praise', '3'), event('view', '3'), event('publish', '1'));
    const day = { limit: 'praise-daily', allowedAgainAt: '2036-11-21T00:00:00.000Z' };
    const minute = { limit: 'view-sliding', allowedAgainAt: at('08:01:03') };
    expect(body.results).toMatchObject([
      { outcome: 'limited', reason: 'praise-daily', refusal: day },
      { outcome: 'limited', reason: 'view-sliding', refusal: minute },
      { outcome: 'granted' },
    ]);
    expect(body.results[2]).not.toHaveProperty('refusal');
    expect(await until({ userId: ada, action: 'praise', subject: '4' })).toEqual(day);
    clock.set(Date.parse(minute.allowedAgainAt) - 1);
    expect(await until({ userId: ada, action: 'view', subject: '4' })).toEqual(minute);
    clock.set(minute.allowedAgainAt);
    expect(await until({ userId: ada, action: 'view', subject: '4' })).toBeUndefined();
    const metrics = await app.metrics();
    expect(metrics).toContain('laurel_limited_activities_total{action="praise",limit="praise-daily"} 2');
    expect(metrics).toContain('laurel_limited_activities_total{action="view",limit="view-sliding"} 2');
    expect(await recent(app, '?limit=1')).toMatchObject([{ reason: 'view-sliding', allowedAgainAt: at('08:01:03') }]);
  });

  it('on a leaderboard with a ledger of its own are told, counted and traced, whatever counts elsewhere', async () => {
    const app = await start({
      limits: [{ type: 'daily', points: 100, name: 'a-day' }],
      leaderboards: [dayBoard, { name: 'writers', period: 'day', points: { publish: 50 } }],
    });
    const events = ['1', '2', '3'].map((subject) => event('publish', subject));
    const { body } = await app.record(...events);
    const allowedAgainAt = '2036-11-21T00:00:00.000Z';
    expect(body.results[1]).toMatchObject({ outcome: 'granted', boards: { writers: 'counted' } });
    expect(body.results[1]).not.toHaveProperty('reason');
    expect(body.results[2]).toMatchObject({
      outcome: 'granted',
      points: 10,
      boards: { day: 'counted', writers: 'refused' },
      reason: 'a-day',
      refusal: { limit: 'a-day', allowedAgainAt },
    });
    expect(await recent(app)).toEqual([
      {
        ...{ at: at('08:00:03'), userId: ada, action: 'publish', subject: '3', outcome: 'limited' },
        ...{ reason: 'a-day', leaderboards: ['writers'], allowedAgainAt },
      },
    ]);
    const metrics = await app.metrics();
    expect(metrics).toContain('laurel_limited_activities_total{action="publish",limit="a-day"} 1');
    expect(metrics).toContain('laurel_refused_activities_total{leaderboard="writers",reason="a-day"} 1');
  });

  it('are traced for all instances together, the latest first, and counted by action and limit', async () => {
    const prefix = freshPrefix();
    const [one, two] = [await start({ ...only, prefix }), await start({ ...only, prefix })];
    await one.record(event('praise', '1'), event('praise', '2'), event('view', '1'));
    await one.record(event('view', '2', { occurredAt: '2036-11-21T08:00:00Z' }));
    const refused = { userId: ada, action: 'praise', outcome: 'limited', reason: 'praise-daily' };
    await waitUntil(async () => (await recent(two)).length === 2);
    await two.record(event('praise', '3'));
    expect(await recent(two)).toMatchObject([
      { ...refused, subject: '3', at: at('08:00:05') },
      { userId: ada, action: 'view', outcome: 'rejected', reason: 'future' },
      { ...refused, subject: '2' },
    ]);
    expect(await recent(one, '?limit=1')).toMatchObject([{ subject: '3' }]);
    expect(await one.metric('laurel_activities_total{action="praise",outcome="limited"}')).toBe(1);
  });

  it('are kept to a bound, and a user is forgotten on demand', async () => {
    const app = await start(only);
    const trace = app.nest.get(RefusalTrace);
    const outcome = { outcome: 'limited', points: 0, scores: {}, boards: {}, reason: 'praise-daily' } as const;
    for (let round = 0; round < 7; round += 1) {
      // Two hundred at a time: more than that in a second are not traced.
      for (let i = 0; i < 250; i += 1) {
        const activity = { userId: i % 2 ? ada : '"ada"', action: 'praise', subject: `${round} ${i}` };
        trace.observeRefusal(activity, outcome, []);
      }
      expect((await trace.recent(1))[0]?.subject).toBe(`${round} 249`);
    }
    const all = await recent(app, `?limit=${maxTraced}`);
    expect(all).toHaveLength(maxTraced);
    expect(all.at(-1)?.subject).toBe('2 50');
    expect(await trace.erase(ada)).toBe(maxTraced / 2);
    const left = await recent(app, `?limit=${maxTraced}`);
    expect(new Set(left.map(({ userId }) => userId))).toEqual(new Set(['"ada"']));
    expect(left).toHaveLength(maxTraced / 2);
  });

  it('wait for a Redis that is away, and are not lost with it', async () => {
    const server = await redisOfTest();
    const app = await start({ ...only, redis: { url: server.url } });
    await app.record(event('praise', '1'), event('praise', '2'));
    await waitUntil(async () => (await recent(app)).length === 1);
    await server.stop();
    await waitUntil(async () => (await app.get('/activity/refusals', withKey)).status === 503);
    const outcome = { outcome: 'limited', points: 0, scores: {}, boards: {} } as const;
    app.nest.get(RefusalTrace).observeRefusal({ userId: 'bob', action: 'praise', subject: '1' }, outcome, []);
    await redisOfTest({ port: server.port });
    await waitUntil(async () => (await recent(app))[0]?.userId === 'bob');
  });
});
