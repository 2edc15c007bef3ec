import { type ActivityHistory, type LeaderboardSettledEvent, Reviews, type Rule } from '@laurel/activity';
import type { RankStanding } from '@laurel/activity/internals';
import { StandingsWalk } from '@laurel/reports';
// Private: takeovers are the commands' own, and no command is run in an app's process.
import { Takeovers } from '../../../apps/cli/src/takeover/takeovers';
import { ModuleRef } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { dayMs, hourMs, ManualClock } from '../../support/clock';
import { drawer, shuffled } from '../../support/seed';
import { type AllOptions, freshPrefix, keysLike, type ProblemBody, testRedis, waitUntil } from './support';
import { oneTinyApp, TinyApp, withKey } from './support/tiny-app';

/** Ahead, so that nothing expires. Each test has a month of its own, in which nobody has points. */
const clock = new ManualClock('2037-01-20T12:00:00Z');
let noon: number;
let today: string;
beforeEach(() => {
  const next = new Date(clock.now() + 40 * dayMs).toISOString();
  today = next.slice(0, 10);
  clock.set(`${today}T12:00:00Z`);
  noon = clock.now();
});
const toolsOf = (app: TinyApp) => ({
  ...{ app, service: app.service, page: app.page.bind(app), differences: app.differences.bind(app) },
});
const answer = (userId: string, subject: string) => ({ userId, action: 'answer', subject });

describe('rules below zero', () => {
  const rules: readonly Rule[] = [
    { action: 'answer', points: 2, revocable: true },
    { action: 'downvote', points: 0, revocable: true, grants: [{ to: 'owner', points: -1 }] },
    { action: 'spam', points: -10, revocable: true },
  ];

  const leaderboards = [
    { name: 'day', period: 'day' },
    { name: 'deep', period: 'day', floor: null },
    { name: 'week', rolling: { days: 7, refreshMs: 100 }, floor: null },
  ] as const;
  const options = { clock, rules, leaderboards, settlement: { everyMs: 20 }, shards: 4 };
  const of = oneTinyApp({ options });
  const start = async (given: Partial<AllOptions>) =>
    toolsOf(await TinyApp.start({ options: { ...options, ...given } }));
  const downvote = (userId: string, ownerId: string) => {
    return { userId, action: 'downvote', subject: `of ${ownerId}`, ownerId };
  };
  const spam = (userId: string, subject = 'post:1') => ({ userId, action: 'spam', subject });

  /** ann 3, bob 0, cid -1, dan -10: eve and fay vote. */
  const history = [
    ...[answer('ann', '1'), answer('ann', '2'), answer('bob', '1'), spam('dan')],
    ...[downvote('eve', 'ann'), downvote('eve', 'bob'), downvote('fay', 'bob'), downvote('eve', 'cid')],
  ];

  it('take points from who does it, or from the owner, once, and give them back when they are cancelled', async () => {
    const { service, page, differences } = toolsOf(of());
    await service.record([answer('ann', '1'), answer('ann', '2')]);
    const voted = await service.record([downvote('eve', 'ann'), downvote('eve', 'ann'), downvote('fay', 'ann')]);
    expect(voted).toMatchObject([
      { outcome: 'granted', points: 0, owner: { userId: 'ann', outcome: 'granted', points: -1, scores: { day: 3 } } },
      { outcome: 'duplicate', owner: { outcome: 'duplicate', points: 0 } },
      { outcome: 'granted', owner: { points: -1, scores: { day: 2, deep: 2 } } },
    ]);
    expect(await service.record(spam('ann'))).toMatchObject({ points: -10, scores: { day: 0, deep: -8 } });
    expect(await page('/ranks/day')).toEqual([]);
    expect(await page('/ranks/deep')).toEqual([[1, 'ann', -8]]);
    expect(await service.revoke([spam('ann'), downvote('eve', 'ann')])).toMatchObject([
      { outcome: 'revoked', points: 10, scores: { day: 2, deep: 2 } },
      { outcome: 'revoked', owner: { outcome: 'revoked', points: 1, scores: { day: 3 } } },
    ]);
    expect(await page('/ranks/day')).toEqual([[1, 'ann', 3]]);
    expect(await differences()).toEqual([]);
  });

  it('show below zero where a leaderboard has no floor, ranked, bounded and around, and nowhere else', async () => {
    const { app, service, page, differences } = toolsOf(of());
    await service.record(history);
    const all = [
      [1, 'ann', 3],
      [2, 'bob', 0],
      [3, 'cid', -1],
      [4, 'dan', -10],
    ];
    expect(await page('/ranks/day')).toEqual([[1, 'ann', 3]]);
    expect(await page('/ranks/deep')).toEqual(all);
    await waitUntil(async () => JSON.stringify(await page('/ranks/week')) === JSON.stringify(all));
    expect(await page('/ranks/deep?maxScore=0&minScore=-5')).toEqual(all.slice(1, 3));
    expect(await page('/ranks/deep?maxScore=-1')).toEqual(all.slice(2));
    expect(await page('/ranks/deep?offset=1&limit=2')).toEqual(all.slice(1, 3));
    expect(await page('/ranks/deep/users/cid/around?radius=1')).toEqual(all.slice(1));
    const { body } = await app.get<RankStanding>('/ranks/deep/users/dan');
    expect(body).toMatchObject({ entry: { rank: 4, score: -10 }, ahead: { userId: 'cid', score: -1, gap: 9 } });
    expect(await app.get('/ranks/day/users/dan')).toMatchObject({ body: { entry: { rank: null, score: 0 } } });
    const own = await app.get<ActivityHistory>('/activity/users/dan', withKey);
    expect(own.body.days).toMatchObject([{ date: today, points: -10, actions: { spam: 1 } }]);
    expect(await app.get('/activity/users/dan/ledger', withKey)).toMatchObject({ body: { points: -10, total: 1 } });
    expect(await differences()).toEqual([]);
  });

  it('are settled and archived as they stand', async () => {
    const { app, service, page } = toolsOf(of());
    await service.record(history);
    clock.set(Date.parse(`${today}T00:00:00Z`) + dayMs + hourMs);
    await waitUntil(async () => {
      const { body } = await app.get<{ period: { state: string } }>(`/ranks/deep?period=${today}`);
      return body.period.state === 'settled';
    });
    expect(await page(`/ranks/deep?period=${today}&maxScore=-1`)).toEqual([
      [3, 'cid', -1],
      [4, 'dan', -10],
    ]);
    expect(await page(`/ranks/day?period=${today}`)).toEqual([[1, 'ann', 3]]);
  });

  it('are no gift: voiding a user keeps what was taken, and takes back what they took from others', async () => {
    const { app, service, page, differences } = toolsOf(of());
    await service.record([answer('ann', '1'), spam('ann'), answer('bob', '1'), downvote('ann', 'bob')]);
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a farm', from: new Date(noon - hourMs).toISOString() });
    await reviews.void(id);
    expect(await page('/ranks/deep')).toEqual([
      [1, 'bob', 2],
      [2, 'ann', -10],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('are simulated', async () => {
    const { app, service } = toolsOf(of());
    await service.record(history);
    const other = rules.map((rule) => (rule.action === 'spam' ? { ...rule, points: -1 } : rule));
    const path = `/activity/simulations?leaderboard=deep&period=${today}&top=9`;
    expect((await app.post(path, { rules: other }, withKey)).body).toMatchObject({ pointsNow: -8, pointsThen: 1 });
  });

  it('may change their leaderboard’s floor with a restart', async () => {
    const prefix = freshPrefix();
    const before = await start({ prefix });
    await before.service.record(history);
    const shown = leaderboards.map((one) => (one.name === 'day' ? { ...one, floor: null } : one));
    const after = await start({ prefix, leaderboards: shown });
    expect(await after.page('/ranks/day')).toHaveLength(4);
  });
});

describe('points with decimals', () => {
  const rules: readonly Rule[] = [
    { action: 'read', points: 0.1, revocable: true, grants: [{ to: 'owner', points: 0.05 }] },
    { action: 'answer', points: 0.2, revocable: true },
    { action: 'downvote', points: -0.75, revocable: true },
  ];

  const leaderboards = [
    { name: 'day', period: 'day', floor: null },
    { name: 'own', period: 'day', points: { answer: 1.25 } },
    { name: 'full', period: 'day', maxPoints: 0.25 },
    { name: 'week', rolling: { days: 7, refreshMs: 100 }, floor: null },
  ] as const;
  const options = { clock, rules, leaderboards, decimals: 2, settlement: { everyMs: 20 } };
  const of = oneTinyApp({ options });
  const start = async (given: Partial<AllOptions>) =>
    toolsOf(await TinyApp.start({ options: { ...options, ...given } }));
  const read = (userId: string, subject: string) => ({ userId, action: 'read', subject });
  /** What an app without decimals may have. */
  const whole = { rules: [{ action: 'read', points: 1, revocable: true }], leaderboards: undefined };

  it('are the hundredth of an app whose whole points are a hundred times as many, in every answer', async () => {
    const draw = drawer();
    const hundred = (points: number) => Math.round(points * 100);
    const inHundreds = rules.map(({ points, grants, ...rule }) => ({
      ...{ ...rule, points: hundred(points) },
      ...(grants && { grants: grants.map((grant) => ({ ...grant, points: hundred(grant.points) })) }),
    }));
    const caps = [{ type: 'daily', points: 0.95, name: 'cap' }] as const;
    const { app: parts } = await start({ limits: caps, settlement: false });
    const { app: wholes } = await start({
      ...{ decimals: 0, rules: inHundreds, limits: [{ ...caps[0], points: 95 }], settlement: false },
      leaderboards: leaderboards.map((one) => ({
        ...one,
        ...('points' in one && { points: { answer: 125 } }),
        ...('maxPoints' in one && { maxPoints: 25 }),
      })),
    });
    const users = ['ann', 'bob', 'cid', 'dan'];
    const acts = Array.from({ length: 40 }, (_, i) => ({
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
        const adjust = async (app: TinyApp, points: number) =>
          (await app.post<object>('/activity/adjustments', { userId, points, reason: 'r', id }, withKey)).body;
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
        await parts.get<object>(path, withKey),
        await wholes.get<object>(path.replace('=5', '=500').replace('=-5', '=-500'), withKey),
      ];
      expect([path, hundredfold(inParts.body)]).toEqual([path, inWhole.body]);
    }
    const week = await wholes.page('/ranks/week');
    await waitUntil(
      async () =>
        JSON.stringify(hundredfold(await parts.page('/ranks/week'), true)) ===
        JSON.stringify(week.map(([rank, ...line]) => [100 * rank, ...line])),
    );
    expect(await parts.differences()).toEqual([]);
    expect(await wholes.differences()).toEqual([]);
  });

  it('are given to owners, and announced', async () => {
    const { app, service } = toolsOf(of());
    const heard: unknown[] = [];
    app.nest.get(EventEmitter2).on('activity.recorded', ({ outcome }: { outcome: object }) => heard.push(outcome));
    const outcome = await service.record({ ...read('ann', '1'), ownerId: 'bob' });
    expect(outcome).toMatchObject({ points: 0.1, owner: { userId: 'bob', points: 0.05, scores: { day: 0.05 } } });
    await waitUntil(() => heard.length === 1);
    expect(heard).toEqual([outcome]);
  });

  it('bound pages of standings, and are refused there with more decimals', async () => {
    const { app, service, page } = toolsOf(of());
    await service.record([read('ann', '1'), answer('bob', '1'), answer('cid', '1'), read('cid', '1')]);
    expect(await page('/ranks/day?minScore=0.11&maxScore=0.29')).toEqual([[2, 'bob', 0.2]]);
    expect(await page('/ranks/day?maxScore=0.2')).toHaveLength(2);
    expect((await app.get<ProblemBody>('/ranks/day?minScore=0.125')).body).toMatchObject({ status: 400 });
    const { app: ofWhole } = await start({ ...whole, decimals: 0 });
    expect((await ofWhole.get<ProblemBody>('/ranks/day?minScore=0.5')).body).toMatchObject({
      status: 400,
      errors: [{ path: 'minScore', message: expect.stringMatching(/^must be a whole number from /) as unknown }],
    });
  });

  it('are adjusted, listed so, and refused with more decimals than points have', async () => {
    const { app } = toolsOf(of());
    const adjust = (points: number, id = 'a') =>
      app.post<object>('/activity/adjustments', { userId: 'ann', points, reason: 'thanks', id }, withKey);
    await adjust(0.07);
    expect((await adjust(0.125, 'b')).body).toMatchObject({
      errors: [{ path: 'points', message: 'must be a number from -10000 to 10000 with at most 2 decimals, not 0' }],
    });
    expect((await app.get<object>('/activity/adjustments', withKey)).body).toMatchObject({
      adjustments: [{ asked: 0.07, points: 0.07, changes: { day: 0.07, own: 0.07 } }],
    });
  });

  it('are voided, simulated, exported and taken over', async () => {
    const { app, service } = toolsOf(of());
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
    const exported: string[] = [];
    for await (const { entries } of app.nest.get(StandingsWalk).pages({ leaderboard: 'day', period: today })) {
      exported.push(...entries.map(({ member, score }) => `${member} ${score}`));
    }
    expect(exported).toEqual(['ann 0.3', 'cid 0.2', 'bob 0.05']);
    const where = { leaderboard: 'day', period: today, source: ['old'], reason: 'moved' };
    const takeover = (await app.nest.get(ModuleRef).create(Takeovers)).ofScores(where);
    expect(await takeover.take(await takeover.changes([{ userId: 'dan', score: 9.55 }]))).toMatchObject([
      { points: 9.55 },
    ]);
    expect(await takeover.changes([{ userId: 'dan', score: 9.55 }])).toEqual([]);
    expect(await takeover.take(await takeover.changes([{ userId: 'dan', score: 9.6 }]))).toMatchObject([
      { points: 0.05 },
    ]);
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a farm', from: new Date(noon - hourMs).toISOString() });
    expect((await reviews.void(id)).voided).toMatchObject({
      ...{ grants: 2, points: 0.3 },
      gifts: { grants: 1, points: 0.05, losses: [{ userId: 'bob', points: 0.05 }] },
    });
  });

  it('are settled in whole units, and announced, read and listed as points', async () => {
    const { app, service, page } = toolsOf(of());
    const settled: LeaderboardSettledEvent[] = [];
    app.nest.get(EventEmitter2).on('leaderboard.settled', (event: LeaderboardSettledEvent) => settled.push(event));
    await service.record([answer('ann', '1'), read('ann', '1'), read('bob', '1')]);
    clock.set(Date.parse(`${today}T00:00:00Z`) + 26 * hourMs);
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
    const { service, app, differences } = toolsOf(of());
    await service.record(answer('ann', '1'));
    const redis = testRedis();
    const [board = ''] = await keysLike(redis, `{${app.prefix}:*}:board:day:${today}`);
    expect(await redis.zrem(board, 'ann')).toBe(1);
    expect(await differences()).toMatchObject([{ fault: 'points', board: 'day', expected: 0.2, found: null }]);
  });

  it('hold for rules that change', async () => {
    const { app, service } = await start({});
    const put = (points: number) =>
      app.post<ProblemBody>('/activity/rules', { rules: [{ ...rules[0], points }, rules[1], rules[2]] }, withKey);
    expect((await put(0.125)).body).toMatchObject({ status: 400 });
    expect((await put(0.15)).status).toBeLessThan(300);
    expect(await service.record(read('ann', '1'))).toMatchObject({ points: 0.15 });
  });

  it('cannot get more or fewer of them once an app has begun', async () => {
    const prefix = freshPrefix();
    await (await start({ prefix })).service.record(read('ann', '1'));
    const refused = start({ ...whole, prefix, decimals: 1 });
    await expect(refused).rejects.toThrow(/points with decimals 2, but decimals 1 is configured: configure decimals 2/);
  });

  it('store nothing of them where they have none', async () => {
    const prefix = freshPrefix();
    await start({ ...whole, prefix, decimals: 0 });
    expect(await testRedis().hget(`{${prefix}}:layout`, 'about')).not.toContain('decimals');
  });
});

it('a leaderboard with maxPoints is named when it is full, and refuses nobody their points on others', async () => {
  const app = await TinyApp.start({
    options: {
      clock,
      rules: [{ action: 'answer', points: 8, revocable: true, grants: [{ to: 'owner', points: 5 }] }],
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'all', period: 'all', maxPoints: 10 },
        { name: 'week', rolling: { days: 7, refreshMs: 100 }, maxPoints: 12 },
      ],
      shards: 3,
    },
  });
  const { service, page, differences } = toolsOf(app);
  await service.record([answer('ann', '1'), { ...answer('bob', '1'), ownerId: 'cid' }]);
  expect(await service.record(answer('ann', '2'))).toMatchObject({
    ...{ outcome: 'granted', points: 8, scores: { day: 16, all: 10, week: 12 } },
    boards: { day: 'counted', all: 'full', week: 'full' },
  });
  await service.record({ ...answer('dan', '2'), ownerId: 'ann' });
  const all = [
    [1, 'ann', 10],
    [2, 'bob', 8],
    [3, 'dan', 8],
    [4, 'cid', 5],
  ];
  expect((await page('/ranks/all'))[0]).toEqual(all[0]);
  expect((await page('/ranks/day'))[0]).toEqual([1, 'ann', 21]);
  await waitUntil(async () => (await page('/ranks/week'))[0]?.[2] === 12);
  expect(await page('/ranks/all?minScore=10')).toEqual([all[0]]);
  const { body } = await app.get<RankStanding>('/ranks/all/users/ann');
  expect(body).toMatchObject({ entry: { rank: 1, score: 10 } });
  expect(await app.metric('laurel_refused_activities_total{leaderboard="all",reason="full"}')).toBe(1);
  expect(await differences()).toEqual([]);
  expect(await service.revoke([answer('ann', '2'), answer('ann', '1')])).toMatchObject([
    { outcome: 'revoked', scores: { day: 13, all: 10 }, boards: { all: 'full' } },
    { outcome: 'revoked', scores: { day: 5, all: 5 }, boards: { all: 'counted' } },
  ]);
});

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
