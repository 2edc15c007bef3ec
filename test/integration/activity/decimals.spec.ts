import {
  type ActivityModuleOptions,
  ActivityService,
  type LeaderboardSettledEvent,
  type LimitConfig,
  Reviews,
  type Rule,
} from '@laurel/activity';
import { BoardAudits, StandingsWalk, Takeovers } from '@laurel/activity/tools';
import type { RankPage, RankStanding } from '@laurel/activity/internals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { rulesBodySchema } from '../../../libs/activity/src/rules/rules-body';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { announceSeed, drawer, shuffled } from '../../support/seed';
import { waitUntil } from '../../support/wait-until';
import type { ProblemBody } from './support/problem-body';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

const today = '2037-11-20';
/** Ahead, so that nothing expires. */
const noon = Date.parse(`${today}T12:00:00Z`);
const hour = 3_600_000;

const rules: readonly Rule[] = [
  { action: 'read', points: 0.1, revocable: true, grants: [{ to: 'owner', points: 0.05 }] },
  { action: 'answer', points: 0.2, revocable: true },
  { action: 'downvote', points: -0.75, revocable: true },
];
const limits: readonly LimitConfig[] = [{ type: 'daily', points: 0.45, name: 'cap' }];

const leaderboards = [
  { name: 'day', period: 'day', floor: null },
  { name: 'own', period: 'day', points: { answer: 1.25 } },
  { name: 'week', rolling: { days: 7, refreshMs: 100 }, floor: null },
] as const;

const start = async (options: Partial<ActivityModuleOptions> & object = {}) => {
  const clock = new ManualClock(noon);
  const app = await TinyApp.start({
    options: { clock, rules, leaderboards, decimals: 2, cacheMs: 0, settlement: { everyMs: 20 }, ...options },
  });
  const service = app.nest.get(ActivityService);
  const page = async (path: string) => {
    const { body } = await app.get<RankPage>(path);
    return body.entries?.map(({ rank, userId, score }) => [rank, userId, score]);
  };
  const differences = async () => {
    const found: unknown[] = [];
    await app.nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return found;
  };
  return { app, clock, service, page, differences };
};

const read = (userId: string, subject: string) => ({ userId, action: 'read', subject });
const answer = (userId: string, subject: string) => ({ userId, action: 'answer', subject });
const downvote = (userId: string) => ({ userId, action: 'downvote', subject: 'post:1' });

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('points with decimals', () => {
  it('add up exactly, in outcomes, ranks, histories and ledgers, and leave as they came', async () => {
    const { app, service, page, differences } = await start();
    expect(await service.record([read('ann', '1'), answer('ann', '1')])).toMatchObject([
      { points: 0.1, scores: { day: 0.1 } },
      { points: 0.2, scores: { day: 0.3, own: 1.35 } },
    ]);
    expect(await service.record(read('bob', '1'))).toMatchObject({ scores: { day: 0.1 } });
    expect(await service.record(downvote('cid'))).toMatchObject({ points: -0.75, scores: { day: -0.75 } });
    const all = [
      [1, 'ann', 0.3],
      [2, 'bob', 0.1],
      [3, 'cid', -0.75],
    ];
    expect(await page('/ranks/day')).toEqual(all);
    await waitUntil(async () => JSON.stringify(await page('/ranks/week')) === JSON.stringify(all));
    expect(await page('/ranks/own')).toEqual([
      [1, 'ann', 1.35],
      [2, 'bob', 0.1],
    ]);
    expect((await app.get<RankStanding>('/ranks/day/users/bob')).body).toMatchObject({
      entry: { score: 0.1 },
      ahead: { userId: 'ann', score: 0.3, gap: 0.2 },
    });
    expect((await app.get<object>('/activity/users/ann?versions=true', withKey)).body).toMatchObject({
      days: [{ points: 0.3, versions: { 1: 0.3 } }],
    });
    expect((await app.get<object>('/activity/users/ann/ledger', withKey)).body).toMatchObject({
      points: 0.3,
      lines: [
        { action: 'answer', points: 0.2, boards: { day: { points: 0.2 }, own: { points: 1.25 } } },
        { action: 'read', points: 0.1, boards: { day: { points: 0.1 }, own: { points: 0.1 } } },
      ],
    });
    expect(await service.revoke(read('ann', '1'))).toMatchObject({ points: -0.1, scores: { day: 0.2, own: 1.25 } });
    expect(await differences()).toEqual([]);
  });

  it('stop at a leaderboard’s maxPoints, which has decimals too', async () => {
    const { service, page, differences } = await start({
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'full', period: 'day', maxPoints: 0.25 },
      ],
    });
    await service.record([answer('ann', '1'), read('ann', '1')]);
    expect(await page('/ranks/day')).toEqual([[1, 'ann', 0.3]]);
    expect(await page('/ranks/full')).toEqual([[1, 'ann', 0.25]]);
    expect(await differences()).toEqual([]);
  });

  it('are given to owners, and announced', async () => {
    const { app, service } = await start();
    const heard: unknown[] = [];
    app.nest.get(EventEmitter2).on('activity.recorded', ({ outcome }: { outcome: object }) => heard.push(outcome));
    const outcome = await service.record({ ...read('ann', '1'), ownerId: 'bob' });
    expect(outcome).toMatchObject({ points: 0.1, owner: { userId: 'bob', points: 0.05, scores: { day: 0.05 } } });
    await waitUntil(() => heard.length === 1);
    expect(heard).toEqual([outcome]);
  });

  it('bound pages of standings, and are refused there with more decimals', async () => {
    const { app, service, page } = await start();
    await service.record([read('ann', '1'), answer('bob', '1'), answer('cid', '1'), read('cid', '1')]);
    expect(await page('/ranks/day?minScore=0.11&maxScore=0.29')).toEqual([[2, 'bob', 0.2]]);
    expect(await page('/ranks/day?maxScore=0.2')).toHaveLength(2);
    expect((await app.get<ProblemBody>('/ranks/day?minScore=0.125')).body).toMatchObject({ status: 400 });
    const whole = await start({
      decimals: 0,
      rules: [{ action: 'read', points: 1, revocable: true }],
      leaderboards: undefined,
    });
    expect((await whole.app.get<ProblemBody>('/ranks/day?minScore=0.5')).body).toMatchObject({
      status: 400,
      errors: [{ path: 'minScore', message: expect.stringMatching(/^must be a whole number from /) as unknown }],
    });
  });

  it('are capped by limits of points, which quotas tell', async () => {
    const { app, service, differences } = await start({ limits, leaderboards: [{ name: 'day', period: 'day' }] });
    const quota = async () => (await app.get<object>('/activity/users/ann/quota', withKey)).body;
    await service.record([answer('ann', '1'), read('ann', '1')]);
    expect(await quota()).toMatchObject({ limits: [{ limit: 'cap', of: 'points', max: 0.45, used: 0.3, left: 0.15 }] });
    expect(await service.record([answer('ann', '2'), read('ann', '2')])).toMatchObject([
      { points: 0.15, scores: { day: 0.45 } },
      { outcome: 'limited', reason: 'cap' },
    ]);
    expect(await quota()).toMatchObject({ limits: [{ max: 0.45, used: 0.45, left: 0 }] });
    expect(await differences()).toEqual([]);
  });

  it('are adjusted, once an id, and refused with more decimals than points have', async () => {
    const { app, differences } = await start();
    const adjust = (points: number, id = 'a') =>
      app.post<object>('/activity/adjustments', { userId: 'ann', points, reason: 'thanks', id }, withKey);
    const applied = { points: 0.07, changes: { day: 0.07, own: 0.07 }, scores: { day: 0.07 } };
    expect((await adjust(0.07)).body).toMatchObject({ outcome: 'granted', ...applied });
    expect((await adjust(0.07)).body).toMatchObject({ outcome: 'duplicate', changes: applied.changes });
    expect((await adjust(0.125, 'b')).body).toMatchObject({
      errors: [{ path: 'points', message: 'must be a number from -10000 to 10000 with at most 2 decimals, not 0' }],
    });
    expect((await app.get<object>('/activity/adjustments', withKey)).body).toMatchObject({
      adjustments: [{ asked: 0.07, points: 0.07, changes: applied.changes }],
    });
    expect((await app.get<object>('/activity/users/ann', withKey)).body).toMatchObject({
      days: [{ points: 0.07, adjustments: [{ points: 0.07, changes: { day: 0.07 } }] }],
    });
    expect(await differences()).toEqual([]);
  });

  it('are voided, simulated, exported and taken over', async () => {
    const { app, service } = await start();
    await service.record([{ ...read('ann', '1'), ownerId: 'bob' }, answer('ann', '1'), answer('cid', '1')]);
    const simulated = rules.map((rule) => (rule.action === 'answer' ? { ...rule, points: 2.5 } : rule));
    const path = `/activity/simulations?leaderboard=day&period=${today}`;
    expect((await app.post<object>(path, { rules: simulated }, withKey)).body).toMatchObject({
      ...{ pointsNow: 0.55, pointsThen: 5.15 },
      top: [
        { userId: 'ann', points: 2.6, pointsNow: 0.3 },
        { userId: 'cid', points: 2.5 },
        { userId: 'bob', points: 0.05 },
      ],
    });
    const exported: unknown[] = [];
    for await (const { entries } of app.nest.get(StandingsWalk).pages({ leaderboard: 'day', period: today })) {
      exported.push(...entries.map(({ member, score }) => [member, score]));
    }
    expect(exported).toEqual([
      ['ann', 0.3],
      ['cid', 0.2],
      ['bob', 0.05],
    ]);
    const where = { leaderboard: 'day', period: today, source: ['old'], reason: 'moved' };
    const takeover = app.nest.get(Takeovers).ofScores(where);
    expect(await takeover.take(await takeover.changes([{ userId: 'dan', score: 9.55 }]))).toMatchObject([
      { points: 9.55 },
    ]);
    expect(await takeover.changes([{ userId: 'dan', score: 9.55 }])).toEqual([]);
    expect(await takeover.take(await takeover.changes([{ userId: 'dan', score: 9.6 }]))).toMatchObject([
      { points: 0.05 },
    ]);
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a farm', from: new Date(noon - hour).toISOString() });
    expect((await reviews.void(id)).voided).toMatchObject({
      ...{ grants: 2, points: 0.3 },
      gifts: { grants: 1, points: 0.05, losses: [{ userId: 'bob', points: 0.05 }] },
    });
  });

  it('take back what a deleted subject earned', async () => {
    const { app, service } = await start();
    await service.record([read('ann', 'post:1'), answer('bob', 'post:1')]);
    const sent = await app.send<{ id: string }>('/activity/subjects/post%3A1', { method: 'DELETE', headers: withKey });
    await waitUntil(async () => {
      const { body } = await app.get<{ state: string }>(`/activity/deletion-receipts/${sent.body.id}`, withKey);
      return body.state === 'done';
    });
    const { body } = await app.get<object>(`/activity/deletion-receipts/${sent.body.id}`, withKey);
    expect(body).toMatchObject({ taken: { grants: 2, points: 0.3 } });
  });

  it('are settled in whole units, and announced, read and listed as points', async () => {
    const { app, service, page, clock } = await start();
    const settled: LeaderboardSettledEvent[] = [];
    app.nest.get(EventEmitter2).on('leaderboard.settled', (event: LeaderboardSettledEvent) => settled.push(event));
    await service.record([answer('ann', '1'), read('ann', '1'), read('bob', '1')]);
    clock.set(Date.parse(`${today}T00:00:00Z`) + 26 * hour);
    await waitUntil(() => settled.some(({ leaderboard }) => leaderboard === 'day'));
    const { winners } = settled.find(({ leaderboard }) => leaderboard === 'day') as LeaderboardSettledEvent;
    expect(winners).toMatchObject([
      { userId: 'ann', score: 0.3 },
      { userId: 'bob', score: 0.1 },
    ]);
    expect(await page(`/ranks/day?period=${today}&minScore=0.2`)).toEqual([[1, 'ann', 0.3]]);
    expect((await app.get<object>('/ranks/day/users/ann/history')).body).toMatchObject({ entries: [{ score: 0.3 }] });
    expect((await app.get<object>('/ranks/day/users/ann/points')).body).toMatchObject({ periods: [{ points: 0.3 }] });
  });

  it('tell what verify finds, in points', async () => {
    const { service, app, differences } = await start();
    const redis = testRedis();
    await service.record(answer('ann', '1'));
    const { prefix } = app.nest.get(BoardAudits)['ledgers'].main.settings;
    const [board = ''] = (await redis.keys(`*${prefix}*board:day:*`)).filter(
      (key) => key.includes(today.replace(/-/g, '')) || key.includes(today),
    );
    expect(await redis.zrem(board, 'ann')).toBe(1);
    expect(await differences()).toMatchObject([{ fault: 'points', board: 'day', expected: 0.2, found: null }]);
  });

  it('are numbers in the OpenAPI document', () => {
    expect(rulesBodySchema.properties.rules.items.properties.points).toMatchObject({
      type: 'number',
      multipleOf: 0.01,
    });
  });
});

describe('the option decimals', () => {
  it.each([
    [0, 0.5, 'rules[0].points is 0.5: use a whole number from -1000000 to 1000000.'],
    [1, 0.25, 'rules[0].points is 0.25: use a number from -100000 to 100000 with at most 1 decimal.'],
    [2, 10_000.01, 'rules[0].points is 10000.01: use a number from -10000 to 10000 with at most 2 decimals.'],
    [3, 1, 'decimals is 3: use a whole number from 0 to 2.'],
  ])('is %p: a rule of %p points is refused', async (decimals, points, message) => {
    const bad = [{ action: 'read', points, revocable: true }];
    await expect(start({ decimals, rules: bad, leaderboards: [{ name: 'day', period: 'day' }] })).rejects.toThrow(
      message,
    );
  });

  it('holds for limits and for rules that change', async () => {
    await expect(start({ limits: [{ type: 'daily', points: 0.125 }] })).rejects.toThrow(
      'limits[0].points is 0.125: use a number from 0.01 to 10000000 with at most 2 decimals.',
    );
    const { app, service } = await start();
    const put = (points: number) =>
      app.post<ProblemBody>('/activity/rules', { rules: [{ ...rules[0], points }, rules[1], rules[2]] }, withKey);
    expect((await put(0.125)).body).toMatchObject({ status: 400 });
    expect((await put(0.15)).status).toBeLessThan(300);
    expect(await service.record(read('ann', '1'))).toMatchObject({ points: 0.15 });
  });

  it('cannot change once an app has begun', async () => {
    const prefix = freshPrefix();
    await (await start({ prefix })).service.record(read('ann', '1'));
    const one = [{ action: 'read', points: 1, revocable: true }];
    const refused = start({ prefix, decimals: 1, rules: one, leaderboards: undefined });
    await expect(refused).rejects.toThrow(/points with decimals 2, but decimals 1 is configured: configure decimals 2/);
  });

  it('stores nothing where points have none', async () => {
    const prefix = freshPrefix();
    await start({
      prefix,
      decimals: 0,
      rules: [{ action: 'read', points: 1, revocable: true }],
      leaderboards: undefined,
    });
    expect(await testRedis().hget(`{${prefix}}:layout`, 'about')).not.toContain('decimals');
  });
});

describe('points with two decimals, at random', () => {
  beforeAll(announceSeed);

  it('are the hundredth of an app whose whole points are a hundred times as many, in every answer', async () => {
    const draw = drawer();
    const times = (factor: number) => (points: number) => Math.round(points * factor);
    const hundred = times(100);
    const whole = rules.map(({ points, grants, ...rule }) => ({
      ...{ ...rule, points: hundred(points) },
      ...(grants && { grants: grants.map((grant) => ({ ...grant, points: hundred(grant.points) })) }),
    }));
    const caps = [{ type: 'daily', points: 0.95, name: 'cap' }] as const;
    const parts = await start({ limits: caps });
    const wholes = await start({
      ...{ decimals: 0, rules: whole, limits: [{ ...caps[0], points: 95 }] },
      leaderboards: leaderboards.map((one) => ('points' in one ? { ...one, points: { answer: 125 } } : one)),
    });
    const users = ['ann', 'bob', 'cid', 'dan'];
    const acts = Array.from({ length: 60 }, (_, i) => ({
      userId: users[draw(4)] as string,
      action: (['read', 'answer', 'downvote'] as const)[draw(3)] as string,
      subject: `post:${draw(4)}`,
      ownerId: users[draw(4)] as string,
      occurredAt: new Date(noon - 60_000 + draw(60) * 1_000),
      sequence: i,
      revoke: draw(4) === 0,
    }));
    const adjustments = Array.from({ length: 8 }, (_, i) => ({
      userId: users[draw(4)] as string,
      units: draw(300) - 150 || 1,
      id: `a${i}`,
    }));
    const all = [...acts, ...acts.slice(0, 15), ...adjustments];
    for (const one of shuffled(all)) {
      if ('units' in one) {
        const { userId, units, id } = one;
        const adjust = async ({ app }: typeof parts, points: number) =>
          (await app.post<Adjusted>('/activity/adjustments', { userId, points, reason: 'r', id }, withKey)).body;
        const [inParts, inWhole] = [await adjust(parts, units / 100), await adjust(wholes, units)];
        expect(hundredfold(inParts)).toEqual(inWhole);
      } else {
        const { revoke, ...activity } = one;
        const act = ({ service }: typeof parts) => (revoke ? service.revoke(activity) : service.record(activity));
        expect(hundredfold(await act(parts))).toEqual(await act(wholes));
      }
    }
    const answers = [
      ...['/ranks/day?limit=9', '/ranks/own?ranking=dense', '/ranks/day?ranking=competition&minScore=-5&maxScore=5'],
      ...users.flatMap((user) => [
        ...[`/ranks/day/users/${user}`, `/activity/users/${user}?versions=true`, `/activity/users/${user}/ledger`],
        ...[`/activity/users/${user}/quota`, `/ranks/day/users/${user}/around`],
      ]),
    ];
    for (const path of answers) {
      const [inParts, inWhole] = [
        await parts.app.get<object>(path, withKey),
        await wholes.app.get<object>(path.replace('=5', '=500').replace('=-5', '=-500'), withKey),
      ];
      expect([path, hundredfold(inParts.body)]).toEqual([path, inWhole.body]);
    }
    expect(await parts.differences()).toEqual([]);
    expect(await wholes.differences()).toEqual([]);
  });
});

type Adjusted = object;

const ofPoints = new Set(['points', 'score', 'gap', 'asked']);
const ofManyPoints = new Set(['scores', 'changes', 'versions']);
const ofQuota = new Set(['max', 'used', 'left']);

/** An answer with all that is points a hundred times as much; every number must be a whole one then, to the bit. */
function hundredfold(given: unknown, isPoints = false): unknown {
  if (typeof given === 'number') return isPoints ? exactly(given) : given;
  if (Array.isArray(given)) return given.map((one) => hundredfold(one, isPoints));
  if (typeof given !== 'object' || given === null || given instanceof Date) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [
      name,
      hundredfold(one, isPoints || ofPoints.has(name) || ofManyPoints.has(name) || ofQuota.has(name)),
    ]),
  );
}

/** By its digits: what prints as 0.30000000000000004 is refused. */
function exactly(points: number): number {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(points)) ?? [];
  if (whole === '') throw new Error(`${points} has more than two decimals.`);
  return Number(`${sign}${whole}${part.padEnd(2, '0')}`) + 0;
}
