import { Adjustments, type Rule } from '@laurel/activity';
import { Ledgers, type LedgerPage, type Adjusted, type RankPage } from '@laurel/activity/internals';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { hostileNames } from './support/hostile-names';
import type { ProblemBody } from './support/problem-body';
import { platforms, stopTinyApps, TinyApp, withKey, type TinyAppOptions } from './support/tiny-app';

const day = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');
const taken = { userId: 'ann', points: -50, reason: 'Points for spam', id: 'ticket-1' };

interface History {
  readonly days: readonly { readonly date: string; readonly points: number; readonly adjustments?: object[] }[];
}

const start = async (given: TinyAppOptions = {}) => {
  const clock = new ManualClock(noon);
  const app = await TinyApp.start({ ...given, options: { clock, ...given.options } });
  const adjust = (change: object, headers = withKey) =>
    app.post<Adjusted & ProblemBody>('/activity/adjustments', { ...taken, ...change }, headers);
  const view = (count: number, first = 0) =>
    app.record(
      ...Array.from({ length: count }, (_, i) => ({ userId: 'ann', action: 'view', subject: `${first + i}` })),
    );
  const history = async () => (await app.get<History>('/activity/users/ann', withKey)).body.days;
  return { clock, app, adjust, view, history };
};

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each(platforms)('POST /activity/adjustments on %s', (platform) => {
  it('adds points and takes them, once for each id, and the history tells why', async () => {
    const { clock, adjust, view, history } = await start({ platform });
    await view(60);
    clock.advance(day);
    await view(5);
    expect(await adjust({ points: 8, id: 'bonus', reason: 'Speaker at the meetup' })).toMatchObject({
      status: 200,
      body: {
        userId: 'ann',
        id: 'bonus',
        outcome: 'granted',
        points: 8,
        changes: { day: 8, month: 8 },
        scores: { day: 13, month: 73 },
        boards: { day: 'counted', month: 'counted' },
      },
    });
    clock.advance(1_000);
    const first = await adjust({});
    expect(first.body).toMatchObject({ outcome: 'revoked', points: -50, changes: { day: -13, month: -50 } });
    const again = await adjust({ points: -1, reason: 'another' });
    expect(again.body).toMatchObject({ outcome: 'duplicate', points: 0, changes: { day: -13, month: -50 } });
    expect(again.body.scores).toEqual({ day: 0, month: 23 });
    expect(await history()).toEqual([
      { date: '2037-11-20', points: 60, actions: { view: 60 } },
      {
        date: '2037-11-21',
        points: 0,
        actions: { view: 5 },
        adjustments: [
          {
            id: 'bonus',
            points: 8,
            changes: { day: 8, month: 8 },
            reason: 'Speaker at the meetup',
            at: '2037-11-21T12:00:00.000Z',
          },
          {
            id: 'ticket-1',
            points: -50,
            changes: { day: -13, month: -50 },
            reason: 'Points for spam',
            at: '2037-11-21T12:00:01.000Z',
          },
        ],
      },
    ]);
  });

  it('adjusts one day and one leaderboard alone where they are named', async () => {
    const { clock, adjust, view, history } = await start({ platform, options: { latenessMs: day } });
    await view(3);
    clock.advance(day);
    expect((await adjust({ points: 4, id: '1', date: '2037-11-20' })).body.scores).toEqual({ day: 7, month: 7 });
    expect((await adjust({ points: 4, id: '2', leaderboard: 'month' })).body).toMatchObject({
      changes: { month: 4 },
      boards: { month: 'counted' },
    });
    expect((await history()).map(({ date, points }) => [date, points])).toEqual([
      ['2037-11-20', 7],
      ['2037-11-21', 0],
    ]);
    expect((await adjust({ points: 1, id: '3', date: '2037-09-01' })).body).toMatchObject({ outcome: 'closed' });
  });

  it.each([
    ['no user', { userId: undefined }, 'userId'],
    ['an empty user id', { userId: '' }, 'userId'],
    ['a user id of 129 bytes', { userId: 'x'.repeat(129) }, 'userId'],
    ['no points', { points: undefined }, 'points'],
    ['0 points', { points: 0 }, 'points'],
    ['half a point', { points: 0.5 }, 'points'],
    ['points as text', { points: '5' }, 'points'],
    ['too many points', { points: 1_000_001 }, 'points'],
    ['too many points to take', { points: -1_000_001 }, 'points'],
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '' }, 'reason'],
    ['a reason of 513 bytes', { reason: 'r'.repeat(513) }, 'reason'],
    ['half a surrogate pair in a reason', { reason: '\ud83d' }, 'reason'],
    ['no id', { id: undefined }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id of 57 bytes', { id: 'x'.repeat(57) }, 'id'],
    ['an id that is a number', { id: 7 }, 'id'],
    ['a day that is none', { date: '2037-02-30' }, 'date'],
    ['a day to come', { date: '2037-11-22' }, 'date'],
    ['a leaderboard that is none', { leaderboard: 7 }, 'leaderboard'],
    ['a misspelt field', { point: 5 }, 'point'],
  ])('refuses %s by its path, and does nothing', async (_, change, path) => {
    const { adjust, view, history } = await start({ platform });
    await view(9);
    const refused = await adjust(change);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ type: 'urn:laurel:problem:invalidAdjustment', errors: [{ path }] });
    expect((await history())[0]?.points).toBe(9);
  });

  it('refuses what is no object, an unknown leaderboard and a partitioned one', async () => {
    const leaderboards = [
      { name: 'day', period: 'day' },
      { name: 'team', period: 'day', partition: 'team' },
    ] as const;
    const { app, adjust } = await start({ platform, options: { leaderboards } });
    expect(await app.post('/activity/adjustments', [], withKey)).toMatchObject({ status: 400 });
    expect(await app.post('/activity/adjustments', '"text"', withKey)).toMatchObject({ status: 400 });
    expect(await adjust({ leaderboard: '__proto__' })).toMatchObject({ status: 404 });
    expect(await adjust({ leaderboard: 'team' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'leaderboard' }] },
    });
    expect((await adjust({ points: 2 })).body).toMatchObject({ boards: { day: 'counted', team: 'noPartition' } });
  });

  it('asks for the key', async () => {
    const { app, adjust } = await start({ platform });
    expect(await app.post('/activity/adjustments', taken)).toMatchObject({ status: 401 });
    expect(await adjust({}, { authorization: 'Bearer other' })).toMatchObject({ status: 403 });
  });

  it('keeps apart users, ids and reasons made of separators, controls and emoji', async () => {
    const { app } = await start({ platform });
    const fitting = hostileNames.filter((name) => Buffer.byteLength(name) <= 56);
    expect(fitting.length).toBeGreaterThan(5);
    for (const userId of fitting) {
      for (const [i, id] of fitting.entries()) {
        const body = { userId, id, points: 1, reason: id };
        expect(await app.post('/activity/adjustments', body, withKey)).toMatchObject({
          body: { outcome: 'granted', scores: { day: i + 1 } },
        });
      }
      const { body } = await app.get<{ days: { adjustments: { id: string; reason: string }[] }[] }>(
        `/activity/users/${encodeURIComponent(userId)}`,
        withKey,
      );
      const told = body.days[0]?.adjustments ?? [];
      expect(told.map(({ id }) => id).sort()).toEqual([...fitting].sort());
      expect(told.every(({ id, reason }) => id === reason)).toBe(true);
    }
  });
});

describe('GET /activity/users/:userId/ledger', () => {
  it('tells adjustments with their reason, and what was received from whom', async () => {
    const rules = [
      { action: 'praise', points: 2, revocable: true, code: 'p', grants: [{ to: 'owner', points: 9 }] },
    ] as const satisfies readonly Rule[];
    const { app, clock, adjust } = await start({ options: { rules } });
    await app.record({ userId: 'bob', action: 'praise', subject: 'article:7', ownerId: 'ann' });
    clock.advance(1_000);
    await adjust({ points: -5 });
    const { body } = await app.get<object>('/activity/users/ann/ledger', withKey);
    expect(body).toMatchObject({
      points: 4,
      total: 2,
      lines: [
        { action: 'praise', subject: 'article:7', from: 'bob', points: 9, boards: { day: { points: 9 } } },
        {
          action: 'adjust',
          subject: 'ticket-1',
          reason: 'Points for spam',
          points: -5,
          version: null,
          boards: { day: { period: '2037-11-20', points: -5 }, month: { period: '2037-11', points: -5 } },
        },
      ],
    });
  });
});

describe('an adjustment of a day', () => {
  it('is told where it counts: on that day’s boards, and where it had not begun, on those of then', async () => {
    const { app, clock, adjust, view } = await start({
      options: {
        latenessMs: 2 * day,
        leaderboards: [
          { name: 'day', period: 'day' },
          { name: 'honolulu', period: 'day', timezone: 'Pacific/Honolulu' },
          { name: 'dear', period: 'month', points: { view: 10 } },
        ],
      },
    });
    clock.set('2037-11-20T05:00:00Z');
    await view(3);
    const date = '2037-11-20';
    expect(await adjust({ points: 4, id: '1', date })).toMatchObject({ status: 200, body: { outcome: 'granted' } });
    expect((await adjust({ points: 4, id: '0', date: '2037-11-21' })).body.errors).toMatchObject([{ path: 'date' }]);
    clock.advance(day);
    await adjust({ points: 5, id: '2', date });
    await adjust({ points: 6, id: '3' });
    const effects = async (of: string) => {
      const { lines } = (await app.get<LedgerPage>(`/activity/users/ann/ledger?date=${of}`, withKey)).body;
      return lines.flatMap(({ action, boards }) => (action === 'adjust' ? [boards] : []));
    };
    const on = (ofDay: string, honolulu: string, points: number) => ({
      day: { period: ofDay, points },
      honolulu: { period: honolulu, points },
      dear: { period: '2037-11', points },
    });
    expect(await effects(date)).toEqual([on(date, '2037-11-19', 4), on(date, date, 5)]);
    expect(await effects('2037-11-21')).toEqual([on('2037-11-21', date, 6)]);
    const total = async (key: string) => (await app.get<RankPage>(`/ranks/honolulu?period=${key}`)).body.entries[0];
    expect(await total('2037-11-19')).toMatchObject({ score: 7 });
    expect(await total(date)).toMatchObject({ score: 11 });
  });

  it('gives back on the boards of the day whose points it had taken', async () => {
    const { app, clock, adjust, view } = await start({ options: { latenessMs: 2 * day } });
    await app.record({ userId: 'ann', action: 'praise', subject: 'a' });
    await adjust({ points: -2 });
    clock.advance(day);
    await view(1);
    await app.record({ userId: 'ann', action: 'praise', subject: 'a', revoke: true });
    const { body } = await app.get<LedgerPage>('/activity/users/ann/ledger?date=2037-11-20', withKey);
    const given = body.lines.find(({ action, subject }) => action === 'adjust' && subject === null);
    expect(given?.boards['day']).toEqual({ period: '2037-11-20', points: 2 });
  });
});

describe('Adjustments.adjust', () => {
  it('adjusts the boards of every ledger, each by what is there, and heals where one was left behind', async () => {
    const prefix = freshPrefix();
    const { app, view } = await start({
      options: {
        prefix,
        leaderboards: [
          { name: 'day', period: 'day' },
          { name: 'views', period: 'month', points: { view: 10 } },
          { name: 'apia', period: 'day', timezone: 'Pacific/Apia' },
        ],
      },
    });
    await view(4);
    const expected = { changes: { day: -4, views: -25, apia: -4 }, scores: { day: 0, views: 15, apia: 0 } };
    expect(await app.nest.get(Adjustments).adjust({ ...taken, points: -25 })).toMatchObject({
      outcome: 'revoked',
      points: -4,
      ...expected,
    });
    const redis = testRedis();
    const [left = ''] = await redis.keys(`{${prefix}@views:*}:adjusted:ann`);
    await redis.del(left);
    // As if the one for this ledger had failed: repeating takes there what is left of it, and nowhere else.
    expect(await app.nest.get(Adjustments).adjust({ ...taken, points: -25 })).toMatchObject({
      outcome: 'duplicate',
      changes: { day: -4, views: -15, apia: -4 },
    });
    const { ledger } = app.nest.get(Ledgers).boards('views');
    expect(await ledger.board('views', ledger.periods.of('views')).score('ann')).toBe(null);
  });

  it('is refused by code and path', async () => {
    const { app } = await start();
    await expect(app.nest.get(Adjustments).adjust({ ...taken, points: 0, id: '' })).rejects.toMatchObject({
      code: 'invalidAdjustment',
      faults: [{ path: 'points' }, { path: 'id' }],
    });
    await expect(app.nest.get(Adjustments).adjust({ ...taken, leaderboard: 'nobody' })).rejects.toMatchObject({
      code: 'unknownLeaderboard',
    });
  });
});
