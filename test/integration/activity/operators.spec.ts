import { Adjustments, Exclusions, SettlementService } from '@laurel/activity';
import {
  type Adjusted,
  type AdjustmentsAnswer,
  type KeyRight,
  type LedgerPage,
  type SettlementAnswer,
} from '@laurel/activity/internals';
import { OperatedEvent, type Operation } from '@laurel/activity/admin';
import type { ReportedRings, Simulation } from '@laurel/reports';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { type AllOptions, dayMs, keysLike, ManualClock, type ProblemBody, testRedis } from './support';
import { oneTinyApp, TinyApp, withKey, dayBoard } from './support/tiny-app';

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const start = (options: Partial<AllOptions>) => TinyApp.start({ options });

describe('adjustments', () => {
  /** Ahead, so that nothing expires. Each test has a month of its own. */
  const clock = new ManualClock('2037-01-20T12:00:00Z');
  let noon: number;
  let ann = '';
  let people = 0;
  beforeEach(() => {
    clock.set(`${dateOf(clock.now() + 40 * dayMs)}T12:00:00Z`);
    noon = clock.now();
    ann = `ann ${(people += 1)}`;
  });
  const of = oneTinyApp({
    options: {
      clock,
      latenessMs: 2 * dayMs,
      rules: [
        { action: 'view', points: 1, revocable: false },
        { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 9 }] },
      ],
    },
  });
  const adjust = (change: object, headers = withKey, app = of()) =>
    app.post<Adjusted & ProblemBody>(
      '/activity/adjustments',
      { userId: ann, points: -50, reason: 'Points for spam', id: 'ticket-1', ...change },
      headers,
    );
  const view = (count: number, app = of()) =>
    app.record(...Array.from({ length: count }, (_, i) => ({ userId: ann, action: 'view', subject: `${i}` })));
  const history = async () =>
    (await of().get<{ days: { date: string; points: number }[] }>(`/activity/users/${ann}`, withKey)).body.days;
  const ledger = async (date: string, app = of()) =>
    (await app.get<LedgerPage>(`/activity/users/${ann}/ledger?date=${date}`, withKey)).body;

  it('adds points and takes them, once for each id, and the history tells why', async () => {
    const [first, today] = [dateOf(noon), dateOf(noon + dayMs)];
    await view(60);
    clock.advance(dayMs);
    await view(5);
    expect(await adjust({ points: 8, id: 'bonus', reason: 'Speaker at the meetup' })).toMatchObject({
      status: 200,
      body: {
        ...{ userId: ann, id: 'bonus', outcome: 'granted', points: 8, changes: { day: 8, month: 8 } },
        ...{ scores: { day: 13, month: 73 }, boards: { day: 'counted', month: 'counted' } },
      },
    });
    clock.advance(1_000);
    expect((await adjust({})).body).toMatchObject({
      outcome: 'revoked',
      points: -50,
      changes: { day: -50, month: -50 },
    });
    const again = await adjust({ points: -1, reason: 'another' });
    expect(again.body).toMatchObject({ outcome: 'duplicate', points: 0, changes: {} });
    expect(again.body.scores).toEqual({ day: 0, month: 23 });
    expect(await history()).toEqual([
      { date: first, points: 60, actions: { view: 60 } },
      {
        date: today,
        points: -37,
        actions: { view: 5 },
        adjustments: [
          { id: 'bonus', points: 8, reason: 'Speaker at the meetup', at: `${today}T12:00:00.000Z` },
          { id: 'ticket-1', points: -50, reason: 'Points for spam', at: `${today}T12:00:01.000Z` },
        ],
      },
    ]);
  });

  it('adjusts one day and one leaderboard alone where they are named', async () => {
    const [first, today] = [dateOf(noon), dateOf(noon + dayMs)];
    await view(3);
    clock.advance(dayMs);
    expect((await adjust({ points: 4, id: '1', date: first })).body.scores).toEqual({ day: 7, month: 7 });
    expect((await adjust({ points: 4, id: '2', leaderboard: 'month' })).body).toMatchObject({
      changes: { month: 4 },
      boards: { month: 'counted' },
    });
    expect((await history()).map(({ date, points }) => `${date} ${points}`)).toEqual([`${first} 7`, `${today} 4`]);
    expect((await ledger(today)).lines.map(({ boards }) => Object.keys(boards))).toEqual([['month']]);
    expect((await adjust({ points: 1, id: '3', date: dateOf(noon - 60 * dayMs) })).body).toMatchObject({
      outcome: 'closed',
    });
  });

  it('are refused by their path and with what is wrong, and need the key', async () => {
    await view(9);
    const refused = await adjust({ points: 0, date: '2037-02-30' });
    expect(refused).toMatchObject({
      status: 400,
      body: { type: 'urn:laurel:problem:invalidAdjustment', errors: [{ path: 'points' }, { path: 'date' }] },
    });
    const future = await adjust({ date: dateOf(noon + dayMs) });
    expect(future).toMatchObject({ status: 400, body: { errors: [{ path: 'date' }] } });
    expect(await of().post('/activity/adjustments', [], withKey)).toMatchObject({ status: 400 });
    expect(await of().post('/activity/adjustments', '"text"', withKey)).toMatchObject({ status: 400 });
    expect(await adjust({ leaderboard: '__proto__' })).toMatchObject({ status: 404 });
    expect(await of().post('/activity/adjustments', { userId: ann })).toMatchObject({ status: 401 });
    expect(await adjust({}, { authorization: 'Bearer other' })).toMatchObject({ status: 403 });
    expect((await history())[0]?.points).toBe(9);
    const service = of().nest.get(Adjustments);
    const taken = { userId: ann, points: -50, reason: 'Points for spam', id: 'ticket-1' };
    const unknown = service.adjust({ ...taken, leaderboard: 'nobody' });
    await expect(unknown).rejects.toMatchObject({ code: 'unknownLeaderboard' });
  });

  it('adjust one partition of a leaderboard, and only where one is named', async () => {
    const leaderboards = [dayBoard, { name: 'team', period: 'day', partition: 'team' }] as const;
    const app = await start({ clock, leaderboards });
    for (const where of [{ leaderboard: 'team' }, { leaderboard: 'day', partition: 'red' }, { partition: 'red' }])
      expect((await adjust(where, withKey, app)).body).toMatchObject({ status: 400, errors: [{ path: 'partition' }] });
    expect((await adjust({ points: 2 }, withKey, app)).body.boards).toEqual({ day: 'counted', team: 'noPartition' });
    const ofRed = { points: 5, id: 'red', leaderboard: 'team', partition: 'red' };
    expect((await adjust(ofRed, withKey, app)).body).toMatchObject({ changes: { 'team/red': 5 } });
    expect(await app.page('/ranks/team?partition=red')).toEqual([[1, ann, 5]]);
    expect(await app.differences()).toEqual([]);
  });

  it('are in the ledger with their reason, beside what was received from whom', async () => {
    await of().record({ userId: 'bob', action: 'praise', subject: 'article:7', ownerId: ann });
    clock.advance(1_000);
    await adjust({ points: -5 });
    expect(await ledger(dateOf(noon))).toMatchObject({
      points: 4,
      total: 2,
      lines: [
        { action: 'praise', subject: 'article:7', from: 'bob', points: 9, boards: { day: { points: 9 } } },
        {
          ...{ action: 'adjust', subject: 'ticket-1', reason: 'Points for spam', points: -5, version: null },
          boards: {
            day: { period: dateOf(noon), points: -5 },
            month: { period: dateOf(noon).slice(0, 7), points: -5 },
          },
        },
      ],
    });
  });

  it('of a day count on that day’s boards, and where it had not begun, on those of then', async () => {
    const [date, next] = ['2047-11-20', '2047-11-21'];
    const own = new ManualClock(`${date}T05:00:00Z`);
    const leaderboards = [
      dayBoard,
      { name: 'honolulu', period: 'day', timezone: 'Pacific/Honolulu' },
      { name: 'dear', period: 'month', points: { view: 10 } },
    ] as const;
    const app = await start({ clock: own, latenessMs: 2 * dayMs, leaderboards });
    const change = (given: object) => adjust(given, withKey, app);
    await view(3, app);
    expect(await change({ points: 4, id: '1', date })).toMatchObject({ status: 200, body: { outcome: 'granted' } });
    expect((await change({ points: 4, id: '0', date: next })).body.errors).toMatchObject([{ path: 'date' }]);
    own.advance(dayMs);
    await change({ points: 5, id: '2', date });
    await change({ points: 6, id: '3' });
    const effects = async (ofDay: string) =>
      (await ledger(ofDay, app)).lines.flatMap(({ action, boards }) => (action === 'adjust' ? [boards] : []));
    const on = (ofDay: string, honolulu: string, points: number) => ({
      day: { period: ofDay, points },
      honolulu: { period: honolulu, points },
      dear: { period: '2047-11', points },
    });
    expect(await effects(date)).toEqual([on(date, '2047-11-19', 4), on(date, date, 5)]);
    expect(await effects(next)).toEqual([on(next, date, 6)]);
    expect(await app.page('/ranks/honolulu?period=2047-11-19')).toEqual([[1, ann, 7]]);
    expect(await app.page(`/ranks/honolulu?period=${date}`)).toEqual([[1, ann, 11]]);
  });

  it('are made on the boards of every ledger, each by itself, and heal where one was left behind', async () => {
    const leaderboards = [
      dayBoard,
      { name: 'views', period: 'month', points: { view: 10 } },
      { name: 'apia', period: 'day', timezone: 'Pacific/Apia' },
    ] as const;
    const app = await start({ clock, leaderboards });
    const taken = { userId: ann, points: -25, reason: 'Points for spam', id: 'ticket-1' };
    const adjustments = app.nest.get(Adjustments);
    await view(4, app);
    const expected = { changes: { day: -25, views: -25, apia: -25 }, scores: { day: 0, views: 15, apia: 0 } };
    expect(await adjustments.adjust(taken)).toMatchObject({ outcome: 'revoked', points: -25, ...expected });
    const redis = testRedis();
    const [left = ''] = await keysLike(redis, `{${app.prefix}@views:*}:always:${ann}`);
    expect(await redis.hdel(left, 'adjust:ticket-1')).toBe(1);
    // As if the one for this ledger had failed: repeating takes it there, and nowhere else.
    expect(await adjustments.adjust(taken)).toMatchObject({ outcome: 'duplicate', changes: { views: -25 } });
    expect(await app.page('/ranks/views')).toEqual([]);
  });
});

describe('operators', () => {
  // Ahead of Redis' own clock, by which boards expire.
  const start = async () => {
    const clock = new ManualClock('2036-11-20T08:00:30.000Z');
    return { app: await TinyApp.start({ options: { clock, settlement: { everyMs: dayMs } } }), clock };
  };
  const praise = (subject: string) => ({ userId: 'ada', action: 'praise', subject });

  it('are told which periods run, which wait, and which was settled last', async () => {
    const { app, clock } = await start();
    const day = async () => {
      const { status, body } = await app.get<SettlementAnswer>('/activity/settlement', withKey);
      expect([status, body.isOn]).toEqual([200, true]);
      expect(body.leaderboards.map(({ leaderboard }) => leaderboard)).toEqual(['day', 'month']);
      return body.leaderboards[0];
    };
    await app.record(praise('1'));
    expect(await day()).toMatchObject({
      current: { key: '2036-11-20', state: 'open' },
      waiting: [],
      lastSettled: null,
    });

    clock.set('2036-11-21T00:30:00Z');
    const ended = {
      ...{ key: '2036-11-20', start: '2036-11-20T00:00:00.000Z', end: '2036-11-21T00:00:00.000Z' },
      ...{ state: 'closing', closesAt: '2036-11-21T01:00:00.000Z' },
    };
    expect(await day()).toMatchObject({ current: { key: '2036-11-21' }, waiting: [{ ...ended, isDue: false }] });
    clock.set('2036-11-21T01:00:00Z');
    expect(await day()).toMatchObject({ waiting: [{ ...ended, isDue: true }], lastSettled: null });
    await app.nest.get(SettlementService).settleDue();
    expect(await day()).toMatchObject({
      waiting: [],
      lastSettled: {
        ...{ key: '2036-11-20', state: 'settled', settledAt: '2036-11-21T01:00:00.000Z', total: 1 },
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it('are told what was adjusted, the latest first, each once', async () => {
    const { app, clock } = await start();
    await app.record(praise('1'));
    const adjust = (id: string, points: number) =>
      app.post('/activity/adjustments', { userId: 'ada', points, reason: `for ${id}`, id }, withKey);
    await adjust('a', -5);
    await adjust('a', -5);
    clock.advance(1_000);
    await adjust('b', 7);
    const { body } = await app.get<AdjustmentsAnswer>('/activity/adjustments', withKey);
    const told = (id: string, second: number, points: number, outcome: string) => ({
      ...{ userId: 'ada', at: `2036-11-20T08:00:${second}.000Z`, id, asked: points, points, reason: `for ${id}` },
      ...{ outcome, changes: { day: points, month: points } },
    });
    expect(body.adjustments).toEqual([told('b', 31, 7, 'granted'), told('a', 30, -5, 'revoked')]);
    const one = await app.get<AdjustmentsAnswer>('/activity/adjustments?limit=1', withKey);
    expect(one.body.adjustments).toHaveLength(1);
  });

  it('see how a period would have stood under other rules, which changes nothing, and put them in force', async () => {
    const { app } = await start();
    await app.record(praise('1'), praise('2'), { userId: 'bob', action: 'publish', subject: '3' });
    const simulate = (body: unknown, query = '', headers = withKey) =>
      app.post<Simulation>(`/activity/simulations${query}`, body, headers);
    const rules = [{ action: 'praise', points: 50, revocable: true, code: 'p' }];
    const { status, body } = await simulate({ rules }, '?leaderboard=month');
    expect(status).toBe(200);
    expect(body).toMatchObject({ leaderboard: 'month', period: '2036-11', users: 2, pointsNow: 14, pointsThen: 100 });
    expect(body).toMatchObject({
      top: [{ userId: 'ada', points: 100, rankNow: 2, pointsNow: 4 }],
      worthless: ['publish'],
    });
    expect((await app.page('/ranks/month'))[0]).toEqual([1, 'bob', 10]);

    for (const [given, query, expected] of [
      [{ rules: [{ action: 'praise' }] }, '', 400],
      [{ rules }, '?top=1001', 400],
      [{ rules }, '?leaderboard=none', 404],
      [{ rules }, '?period=2030-01-01', 410],
      ['{', '', 400],
    ] as const) {
      expect([query, (await simulate(given, query)).status]).toEqual([query, expected]);
    }
    expect((await app.post('/activity/simulations', { rules })).status).toBe(401);
    await app.post('/activity/rules', { rules }, withKey);
    const revalue = (from: string) => app.post(`/activity/revaluations?from=${from}`, {}, withKey);
    expect(await revalue('2036-11-01')).toMatchObject({ status: 200, body: { users: 2, changed: 2, points: 86 } });
    expect(await app.page('/ranks/month')).toEqual([[1, 'ada', 100]]);
    for (const day of ['november', '2037-01-01']) expect((await revalue(day)).status).toBe(400);
  });

  it('see who praise each other in a ring, those too who are kept off already', async () => {
    const { app } = await start();
    const ring = ['ada', 'bob', 'eve'];
    const praises = ring.flatMap((userId, i) =>
      ['1', '2'].map((n) => ({ userId, action: 'praise', subject: `${userId}-${n}`, ownerId: ring[(i + 1) % 3] })),
    );
    await app.record(...praises, { userId: 'ada', action: 'praise', subject: '3', ownerId: 'eve' });
    const rings = (query = '') => app.get<ReportedRings>(`/activity/rings${query}`, withKey);
    const expected = {
      ...{ period: '2036-11', action: 'praise', min: 2, from: '2036-11-01', since: '2036-11-01T00:00:00.000Z' },
      ...{ to: '2036-11-20', users: 3, edges: 3, total: 1, isPartial: false },
      rings: [{ users: ['ada', 'bob', 'eve'], counts: [2, 2, 2], least: 2 }],
    };
    expect(await rings('?leaderboard=month&min=2')).toMatchObject({ status: 200, body: { ...expected, excluded: [] } });
    expect((await rings()).body).toMatchObject({ period: '2036-11-20', rings: [] });

    const held = await app.post('/activity/reviews', { userId: 'bob', reason: 'A ring.' }, withKey);
    expect(held.status).toBe(200);
    expect((await rings('?period=2036-11&min=2')).body).toEqual({ ...expected, excluded: ['bob'] });

    for (const [query, status] of [
      ['?min=0', 400],
      ['?top=1001', 400],
      ['?action=dance', 400],
      ['?action=view', 400],
      ['?leaderboard=none', 404],
      ['?period=2036-13', 404],
      ['?period=2030-01', 410],
    ] as const) {
      expect([query, (await rings(query)).status]).toEqual([query, status]);
    }
  });

  it('ask for what there is', async () => {
    const { app } = await start();
    const asked = ['operations?limit=10001', 'operations?limit=0', 'adjustments?limit=1001', 'adjustments?cursor=1'];
    for (const path of asked) {
      expect([path, (await app.get(`/activity/${path}`, withKey)).status]).toEqual([path, 400]);
    }
  });
});

describe('API keys with names', () => {
  const keyed = (name: string) => ({ authorization: `Bearer ${name}-of-these-tests` });
  const keyOf = (name: string, ...may: readonly KeyRight[]) => {
    return { name, key: `${name}-of-these-tests`, ...(may.length > 0 && { may }) };
  };
  const apiKeys = [keyOf('reader', 'read'), keyOf('feeder', 'record'), keyOf('ada', 'read', 'operate'), keyOf('next')];
  const adjustment = { userId: 'ann', points: 5, reason: 'thanks', id: 'a1' };
  const listed = async (app: TinyApp) =>
    (await app.get<{ operations: Operation[] }>('/activity/operations?limit=10000', keyed('reader'))).body.operations;

  it('are valid side by side, and each does what it may and no more', async () => {
    const app = await start({ apiKeys });
    const events = { events: [{ userId: 'ann', action: 'view', subject: '1' }] };
    const statuses = async (headers: Record<string, string>) => {
      const own = { headers: { ...headers, 'content-type': 'application/json' } };
      const standing = await app.get<object>('/ranks/day/users/ann', headers);
      return [
        (await app.get('/activity/exclusions', headers)).status,
        (await app.get('/activity/users/ann', headers)).status,
        (await app.post('/activity/simulations', { rules: [] }, headers)).status === 403 ? 403 : 200,
        (await app.post('/activity/events', events, headers)).status,
        (await app.send('/activity/users/ann/opt-out', { method: 'PUT', ...own, body: '{}' })).status,
        (await app.post('/activity/adjustments', adjustment, headers)).status,
        'excluded' in standing.body,
      ];
    };
    expect(await statuses(withKey)).toEqual([200, 200, 200, 200, 200, 200, false]);
    expect(await statuses(keyed('reader'))).toEqual([200, 200, 200, 403, 403, 403, true]);
    expect(await statuses(keyed('feeder'))).toEqual([403, 403, 403, 200, 403, 403, false]);
    expect(await statuses(keyed('ada'))).toEqual([200, 200, 200, 403, 200, 200, true]);
    expect(await statuses(keyed('next'))).toEqual([200, 200, 200, 200, 200, 200, true]);
    expect(await statuses(keyed('gone'))).toEqual([403, 403, 403, 403, 403, 403, false]);
    expect((await app.post<ProblemBody>('/activity/adjustments', {}, keyed('reader'))).body.detail).toBe(
      'The API key may not operate: use one that may.',
    );
  });

  it.each(['fastify', 'express'] as const)(
    'are in one list of who did what to whom, and why, on %s',
    async (platform) => {
      const clock = new ManualClock('2037-01-20T12:00:00Z');
      const app = await TinyApp.start({ platform, options: { apiKeys, clock } });
      const heard: OperatedEvent[] = [];
      app.nest.get(EventEmitter2).on(OperatedEvent.eventName, (event: OperatedEvent) => void heard.push(event));
      const ada = keyed('ada');
      const did = async (method: string, path: string, body?: object) =>
        app.send<{ id: string }>(path, {
          method,
          headers: { ...ada, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
      await did('POST', '/activity/adjustments', adjustment);
      const { id } = (await did('POST', '/activity/reviews', { userId: 'bob', reason: 'a ring', by: 'eve' })).body;
      await did('POST', `/activity/reviews/${id}/release`, { note: 'friends' });
      await did('PUT', '/activity/exclusions/cid', { reason: 'staff', note: 'ours' });
      await did('POST', '/activity/deletions', { subject: 'article:7' });
      await did('POST', '/activity/rules?dryRun=true', { rules: [{ action: 'view', points: 2, revocable: false }] });
      await did('DELETE', '/activity/rules');
      // What is refused, what is read and what users do themselves is nobody's deed.
      expect((await did('PUT', '/activity/exclusions/cid', { reason: 'bored' })).status).toBe(400);
      expect((await app.post('/activity/adjustments', adjustment, keyed('feeder'))).status).toBe(403);
      await app.record({ userId: 'ann', action: 'view', subject: '1' });
      const common = { at: '2037-01-20T12:00:00.000Z', key: 'ada', by: null, userId: null, why: null };
      const expected = [
        { ...common, did: 'DELETE /activity/rules', about: null },
        { ...common, did: 'POST /activity/deletions', about: 'article:7' },
        { ...common, did: 'PUT /activity/exclusions/:userId', userId: 'cid', about: null, why: 'staff: ours' },
        { ...common, did: 'POST /activity/reviews/:id/release', userId: 'bob', about: id, why: 'friends' },
        { ...common, did: 'POST /activity/reviews', by: 'eve', userId: 'bob', about: id, why: 'a ring' },
        { ...common, did: 'POST /activity/adjustments', userId: 'ann', about: 'a1', why: 'thanks' },
      ];
      expect(await listed(app)).toEqual(expected);
      expect(heard.map(({ operation }) => operation)).toEqual(expected.toReversed());
      const { body: own } = await app.get<object>('/activity/users/bob/data', ada);
      expect(own).toMatchObject({ operations: [{ key: 'ada', why: 'friends' }, { by: 'eve' }] });
      // An erasure takes what names the user, and names nobody itself.
      const receipt = (await did('DELETE', '/activity/users/bob')).body.id;
      const [last, ...others] = await listed(app);
      expect(last).toEqual({ ...common, did: 'DELETE /activity/users/:userId', about: receipt });
      expect(others).toEqual(expected.filter(({ userId }) => userId !== 'bob'));
    },
  );
});

describe("counts in a user's answer", () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const start = async (options: Partial<AllOptions> = {}) => {
    clock.set('2036-11-20T08:00:00Z');
    const app = await TinyApp.start({
      options: {
        clock,
        retentionMs: { ledger: 31 * 86_400_000 },
        rules: [
          { action: 'view', points: 1, revocable: false },
          { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 0 }] },
        ],
        leaderboards: [dayBoard],
        ...options,
      },
    });
    const { service } = app;
    const countsOf = async (userId: string) => {
      const { body } = await app.get<{ counts?: unknown }>(`/activity/users/${userId}?counts=true`, withKey);
      return body.counts;
    };
    /** Does it at noon of a day. */
    const does = (action: string, date: string, count = 1) => {
      clock.set(`${date}T12:00:00Z`);
      const activities = Array.from({ length: count }, (_, i) => {
        return { userId: 'ann', action, subject: `${action} ${i}`, ownerId: 'bob' };
      });
      return service.record(activities);
    };
    return { app, service, countsOf, does };
  };

  const none = { actions: {}, received: {} };
  const [week, month] = ['2036-W47', '2036-11'];

  it('are of the week and the month that run, by action, and of what others did to what is the user’s', async () => {
    const { app, countsOf, does } = await start();
    await does('praise', '2036-10-31', 7);
    await does('praise', '2036-11-03', 3);
    await does('view', '2036-11-16', 4);
    await does('view', '2036-11-17', 2);
    await does('praise', '2036-11-20', 1);
    expect(await countsOf('ann')).toEqual({
      week: { period: week, actions: { view: 2, praise: 1 }, received: {} },
      month: { period: month, actions: { view: 6, praise: 4 }, received: {} },
      all: null,
    });
    expect(await countsOf('bob')).toEqual({
      week: { period: week, actions: {}, received: { praise: 1 } },
      month: { period: month, actions: {}, received: { praise: 4 } },
      all: null,
    });
    const [noneOfWeek, noneOfMonth] = [week, month].map((period) => ({ period, ...none }));
    expect(await countsOf('cho')).toEqual({ week: noneOfWeek, month: noneOfMonth, all: null });
    const { body } = await app.get<object>('/activity/users/ann', withKey);
    expect(body).not.toHaveProperty('counts');
    const bad = await app.get('/activity/users/ann?counts=1', withKey);
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'counts' }] } });
  });

  it('have a week that began in the month before', async () => {
    const { countsOf, does } = await start({ weekStart: 'sunday' });
    await does('praise', '2036-11-29', 4);
    await does('praise', '2036-11-30', 1);
    await does('praise', '2036-12-01', 2);
    expect(await countsOf('ann')).toMatchObject({
      week: { actions: { praise: 3 } },
      month: { period: '2036-12', actions: { praise: 2 } },
    });
  });

  it('are null of a month whose first ledgers are gone', async () => {
    const { countsOf, does } = await start({ retentionMs: { ledger: 7 * 86_400_000 } });
    await does('praise', '2036-11-20', 1);
    expect(await countsOf('ann')).toMatchObject({ week: { actions: { praise: 1 } }, month: null });
  });

  it('are of all time where a leaderboard keeps tallies of it, also of an excluded user', async () => {
    const { app, countsOf, does } = await start({
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['given:view'] },
        { name: 'all', period: 'all', tallies: ['given:praise', 'received:praise'] },
      ],
    });
    await does('praise', '2034-01-01', 5);
    await does('view', '2034-01-01', 9);
    await does('praise', '2036-11-20', 2);
    const all = { period: 'all', actions: { praise: 7 }, received: {} };
    expect(await countsOf('ann')).toMatchObject({ week: { actions: { praise: 2 } }, all });
    expect(await countsOf('bob')).toMatchObject({ all: { period: 'all', actions: {}, received: { praise: 7 } } });
    await app.nest.get(Exclusions).exclude('ann');
    expect(await countsOf('ann')).toMatchObject({ all });
    expect(await countsOf('cho')).toMatchObject({ all: { period: 'all', ...none } });
  });
});
