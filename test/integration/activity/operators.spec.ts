import { SettlementService } from '@laurel/activity';
import type { AdjustmentsAnswer, OutcomesAnswer, SettlementAnswer, RankPage } from '@laurel/activity/internals';
import type { ReportedRings, Simulation } from '@laurel/activity/tools';
import { ManualClock } from '../../support/clock';
import { closeTestRedis } from '../../support/redis';
import { platforms, stopTinyApps, TinyApp, withKey, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

async function start(given: TinyAppOptions = {}) {
  // Ahead of Redis' own clock, by which boards expire.
  const clock = new ManualClock('2036-11-20T08:00:30.000Z');
  const app = await TinyApp.start({ ...given, options: { clock, settlement: { everyMs: 86_400_000 } } });
  return { app, clock };
}

const praise = (subject: string) => ({ userId: 'ada', action: 'praise', subject });

describe.each(platforms)('operators on %s', (platform) => {
  it('are told which periods run, which wait, and which was settled last', async () => {
    const { app, clock } = await start({ platform });
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
      key: '2036-11-20',
      start: '2036-11-20T00:00:00.000Z',
      end: '2036-11-21T00:00:00.000Z',
      state: 'closing',
      closesAt: '2036-11-21T01:00:00.000Z',
    };
    expect(await day()).toMatchObject({ current: { key: '2036-11-21' }, waiting: [{ ...ended, isDue: false }] });
    clock.set('2036-11-21T01:00:00Z');
    expect(await day()).toMatchObject({ waiting: [{ ...ended, isDue: true }], lastSettled: null });
    await app.nest.get(SettlementService).settleDue();
    expect(await day()).toMatchObject({
      waiting: [],
      lastSettled: {
        key: '2036-11-20',
        state: 'settled',
        settledAt: '2036-11-21T01:00:00.000Z',
        total: 1,
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it('are told how many activities ended how in each of the last minutes', async () => {
    const { app, clock } = await start({ platform });
    await app.record(praise('1'), praise('2'), praise('1'));
    clock.advance(120_000);
    await app.record({ ...praise('1'), revoke: true });
    const { body } = await app.get<OutcomesAnswer>('/activity/outcomes?minutes=4', withKey);
    expect(body).toEqual({
      since: '2036-11-20T08:00:30.000Z',
      minutes: [
        { at: '2036-11-20T07:59:00.000Z', outcomes: {} },
        { at: '2036-11-20T08:00:00.000Z', outcomes: { granted: 2, duplicate: 1 } },
        { at: '2036-11-20T08:01:00.000Z', outcomes: {} },
        { at: '2036-11-20T08:02:00.000Z', outcomes: { revoked: 1 } },
      ],
    });
    clock.advance(62 * 60_000);
    await app.record(praise('3'));
    const later = await app.get<OutcomesAnswer>('/activity/outcomes', withKey);
    expect(later.body.minutes).toHaveLength(60);
    expect(later.body.minutes.filter(({ outcomes }) => Object.keys(outcomes).length > 0)).toEqual([
      { at: '2036-11-20T09:04:00.000Z', outcomes: { granted: 1 } },
    ]);
  });

  it('are told what was adjusted, the latest first, each once', async () => {
    const { app, clock } = await start({ platform });
    await app.record(praise('1'));
    const adjust = (id: string, points: number) =>
      app.post('/activity/adjustments', { userId: 'ada', points, reason: `for ${id}`, id }, withKey);
    await adjust('a', -5);
    await adjust('a', -5);
    clock.advance(1_000);
    await adjust('b', 7);
    const { body } = await app.get<AdjustmentsAnswer>('/activity/adjustments', withKey);
    const of = { userId: 'ada' };
    expect(body.adjustments).toEqual([
      {
        ...of,
        at: '2036-11-20T08:00:31.000Z',
        id: 'b',
        asked: 7,
        points: 7,
        reason: 'for b',
        outcome: 'granted',
        changes: { day: 7, month: 7 },
      },
      {
        ...of,
        at: '2036-11-20T08:00:30.000Z',
        id: 'a',
        asked: -5,
        points: -2,
        reason: 'for a',
        outcome: 'revoked',
        changes: { day: -2, month: -2 },
      },
    ]);
    expect((await app.get<AdjustmentsAnswer>('/activity/adjustments?limit=1', withKey)).body.adjustments).toHaveLength(
      1,
    );
  });

  it('see how a period would have stood under other rules, and change nothing by it', async () => {
    const { app } = await start({ platform });
    await app.record(praise('1'), praise('2'), { userId: 'bob', action: 'publish', subject: '3' });
    const simulate = (body: unknown, query = '', headers = withKey) =>
      app.post<Simulation>(`/activity/simulations${query}`, body, headers);
    const rules = [{ action: 'praise', points: 50, revocable: true }];
    const { status, body } = await simulate({ rules }, '?leaderboard=month');
    expect(status).toBe(200);
    expect(body).toMatchObject({ leaderboard: 'month', period: '2036-11', users: 2, pointsNow: 14, pointsThen: 100 });
    expect(body).toMatchObject({
      top: [{ userId: 'ada', points: 100, rankNow: 2, pointsNow: 4 }],
      worthless: ['publish'],
    });
    expect((await app.get<RankPage>('/ranks/month')).body.entries[0]).toMatchObject({ userId: 'bob', score: 10 });

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
  });

  it('see who praise each other in a ring, those too who are kept off already', async () => {
    const { app } = await start({ platform });
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

  it('bring the API key, and ask for what there is', async () => {
    const { app } = await start({ platform });
    for (const path of ['settlement', 'outcomes', 'adjustments', 'rings']) {
      expect([path, (await app.get(`/activity/${path}`)).status]).toEqual([path, 401]);
      expect((await app.get(`/activity/${path}`, { authorization: 'Bearer wrong' })).status).toBe(403);
    }
    for (const path of [
      'outcomes?minutes=61',
      'outcomes?minutes=0',
      'adjustments?limit=1001',
      'adjustments?cursor=1',
    ]) {
      expect([path, (await app.get(`/activity/${path}`, withKey)).status]).toEqual([path, 400]);
    }
  });
});
