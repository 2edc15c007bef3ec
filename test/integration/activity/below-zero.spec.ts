import {
  type ActivityHistory,
  type ActivityModuleOptions,
  ActivityService,
  Reviews,
  type Rule,
} from '@laurel/activity';
import { BoardAudits } from '@laurel/activity/tools';
import type { RankPage, RankStanding } from '@laurel/activity/internals';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

const today = '2037-11-20';
/** Ahead, so that nothing expires. */
const noon = Date.parse(`${today}T12:00:00Z`);
const hour = 3_600_000;
const day = 86_400_000;

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

const start = async (options: Partial<ActivityModuleOptions> & object = {}) => {
  const clock = new ManualClock(noon);
  const app = await TinyApp.start({
    options: { clock, rules, leaderboards, settlement: { everyMs: 20 }, shards: 4, ...options },
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

const answer = (userId: string, subject: string) => ({ userId, action: 'answer', subject });
const downvote = (userId: string, ownerId: string) => ({ userId, action: 'downvote', subject: 'answer:1', ownerId });
const spam = (userId: string, subject = 'post:1') => ({ userId, action: 'spam', subject });

/** ann 3, bob 0, cid -1, dan -10: eve and fay vote. */
const history = [
  ...[answer('ann', '1'), answer('ann', '2'), answer('bob', '1'), spam('dan')],
  ...[downvote('eve', 'ann'), downvote('eve', 'bob'), downvote('fay', 'bob'), downvote('eve', 'cid')],
];

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('rules below zero', () => {
  it('take points from who does it, or from the owner, once, and give them back when they are cancelled', async () => {
    const { service, page, differences } = await start();
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
    const { app, service, page, differences } = await start();
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
    expect(await differences()).toEqual([]);
  });

  it('are settled and archived as they stand', async () => {
    const { app, service, page, clock } = await start();
    await service.record(history);
    clock.set(Date.parse(`${today}T00:00:00Z`) + day + hour);
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

  it('leave no more room under a cap of points, and need none', async () => {
    const limits = [
      { type: 'daily', points: 4, name: 'all' },
      { type: 'daily', action: 'spam', max: 1, name: 'spam' },
    ] as const;
    const { service, page, differences } = await start({ limits });
    await service.record([answer('ann', '1'), answer('ann', '2'), spam('ann')]);
    expect(await service.record([answer('ann', '3'), spam('ann', 'post:2')])).toMatchObject([
      { outcome: 'limited', reason: 'all' },
      { outcome: 'limited', reason: 'spam' },
    ]);
    expect(await page('/ranks/deep')).toEqual([[1, 'ann', -6]]);
    expect(await differences()).toEqual([]);
  });

  it('are no gift: voiding a user keeps what was taken, and takes back what they took from others', async () => {
    const { app, service, page, differences } = await start();
    await service.record([answer('ann', '1'), spam('ann'), answer('bob', '1'), downvote('ann', 'bob')]);
    const reviews = app.nest.get(Reviews);
    const { id } = await reviews.hold({ userId: 'ann', reason: 'a farm', from: new Date(noon - hour).toISOString() });
    await reviews.void(id);
    expect(await page('/ranks/deep')).toEqual([
      [1, 'bob', 2],
      [2, 'ann', -10],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('are simulated', async () => {
    const { app, service } = await start();
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

  it.each([-1, 1, '0', undefined])('refuse another floor than 0 and null: %p', async (floor) => {
    const started = start({ leaderboards: [{ name: 'day', period: 'day', floor: floor as unknown as null }] });
    if (floor === undefined) await started;
    else await expect(started).rejects.toThrow(`leaderboards[0].floor is ${JSON.stringify(floor)}: use 0.`);
  });
});
