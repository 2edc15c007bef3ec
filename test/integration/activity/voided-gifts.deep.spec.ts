import { ActivityService, Erasures, Reviews, type Rule, REDIS_CLIENT } from '@laurel/activity';
import { type RankStanding, type Review } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import type { RedisClient } from '@laurel/leaderboard';
import { dayMs, freshPrefix, ManualClock, mentions, testRedis, TinyApp, type TinyAppOptions, withKey } from './support';
import { cutShort } from './support/cut-short';
import { mergeUsers } from './support/merge-users';
import { sampled } from '../../support/sampled';

/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] },
  { action: 'share', points: 0, revocable: true },
  { action: 'follow', points: 1, revocable: true, grants: [{ to: 'owner', points: 0 }] },
];
const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month', tallies: ['received:follow'] },
  { name: 'double', period: 'month', points: { praise: 7 } },
] as const;

const praise = { userId: 'pup', action: 'praise', subject: 'article:7', ownerId: 'bob' };

const start = async (options: TinyAppOptions['options'] = {}, extras: TinyAppOptions['extras'] = {}) => {
  const clock = new ManualClock(noon);
  const prefix = freshPrefix();
  const app = await TinyApp.start({
    options: { clock, prefix, rules, leaderboards, settlement: false, latenessMs: 3_600_000, ...options },
    extras,
  });
  const { nest } = app;
  const service = nest.get(ActivityService);
  const reviews = nest.get(Reviews);
  const score = async (userId: string, leaderboard = 'month', query = '') =>
    (await app.get<RankStanding>(`/ranks/${leaderboard}/users/${userId}${query}`, withKey)).body.entry.score;
  const hold = (from: number, userId = 'pup') =>
    reviews.hold({ userId, reason: 'a puppet', from: new Date(from).toISOString() });
  const differences = () => app.differences();
  return { app, clock, prefix, service, reviews, score, hold, differences };
};

describe('voiding a puppet', () => {
  it.each([1, 3])(
    'takes from owners what it gave since, on %i shards, and tells how much from whom',
    async (shards) => {
      const { app, clock, service, score, hold, differences } = await start({ shards });
      await service.record([{ subject: 'before' }, { userId: 'ann' }].map((one) => ({ ...praise, ...one })));
      clock.advance(1_000);
      const before = clock.now();
      await service.record([
        ...[praise, { ...praise, subject: 'article:8' }, { ...praise, subject: `article:${'9'.repeat(60)}` }],
        ...[
          { ...praise, action: 'share' },
          { ...praise, ownerId: 'cid', subject: 'article:10' },
          { userId: 'pup', action: 'follow', subject: 'user:dan' },
        ],
      ]);
      expect([await score('bob'), await score('cid'), await score('bob', 'double')]).toEqual([15, 3, 15]);
      const { id } = await hold(before);
      const voided = await app.post<Review>(`/activity/reviews/${id}/void`, {}, withKey);
      const losses = [
        { userId: 'bob', grants: 3, points: 9 },
        { userId: 'cid', grants: 1, points: 3 },
        { userId: 'dan', grants: 1, points: 0 },
      ];
      expect(voided).toMatchObject({
        status: 200,
        body: { voided: { grants: 6, points: 9, gifts: { grants: 5, points: 12, owners: 3, losses } } },
      });
      expect([await score('bob'), await score('cid'), await score('bob', 'double')]).toEqual([6, 0, 6]);
      expect(await service.receivedCounts('bob')).toEqual({ praise: 2 });
      expect(await service.receivedCounts('dan')).toEqual({});
      expect((await service.history('pup')).days[0]?.actions).toEqual({ praise: 1 });
      expect(await differences()).toEqual([]);
      // Asked for again, delivered again, and revoked afterwards.
      expect((await app.post<Review>(`/activity/reviews/${id}/void`, {}, withKey)).body).toEqual(voided.body);
      expect((await app.get<Review>(`/activity/reviews/${id}`, withKey)).body).toEqual(voided.body);
      const replayed = { ...praise, occurredAt: new Date(before) };
      await service.record(replayed);
      await service.revoke({ ...praise, subject: 'article:8' });
      expect([await score('bob'), await score('pup')]).toEqual([6, 2]);
      await app.nest.get(BoardAudits).rebuild();
      expect([await score('bob'), await score('pup')]).toEqual([6, 2]);
      expect(await differences()).toEqual([]);
    },
  );

  it('takes nobody off final standings for what gave no points', async () => {
    const { clock, service, reviews, score, hold } = await start();
    clock.set(noon - 2 * dayMs);
    await service.record(praise);
    clock.advance(1_000);
    const before = clock.now();
    await service.record({ ...praise, action: 'share' });
    clock.set(noon);
    const { voided } = await reviews.void((await hold(before)).id);
    expect(voided).toMatchObject({ grants: 1, points: 0, removedFrom: [] });
    expect(await score('pup', 'day', '?period=2037-11-18')).toBe(2);
  });

  it('leaves owners what it gave where that is wished, and goes on so when it is repeated, or owners merged', async () => {
    const { app, service, score, hold } = await start();
    await service.record(praise);
    const { id } = await hold(noon);
    const { body } = await app.post<Review>(`/activity/reviews/${id}/void`, { keepsGifts: true }, withKey);
    expect([body.keepsGifts, body.voided]).toEqual([true, { grants: 1, points: 2, removedFrom: [] }]);
    expect((await app.post<Review>(`/activity/reviews/${id}/void`, {}, withKey)).body).toEqual(body);
    expect([await score('bob'), await score('pup')]).toEqual([3, 0]);
    await mergeUsers(app, { from: 'bob', into: 'cat' });
    expect(await score('cat')).toBe(3);
    const bad = await app.post(`/activity/reviews/${(await hold(noon, 'ann')).id}/void`, { keepsGifts: 'no' }, withKey);
    expect(bad).toMatchObject({ status: 400 });
  });

  it('reaches gifts of earlier days, leaves final standings, and finds givers whose ids look like patterns', async () => {
    const { clock, service, reviews, score, hold, differences } = await start();
    const givers = ['*', 'pup*', 'p:u]p', 'x'.repeat(80), 'pup'];
    clock.set(noon - 2 * dayMs);
    await service.record(givers.map((userId) => ({ ...praise, userId })));
    clock.set(noon);
    for (const [i, userId] of givers.entries()) {
      const { id } = await hold(noon - 3 * dayMs, userId);
      expect(await reviews.void(id)).toMatchObject({ voided: { gifts: { grants: 1, points: 3, owners: 1 } } });
      expect(await score('bob')).toBe(3 * (givers.length - i - 1));
    }
    expect(await score('bob', 'day', '?period=2037-11-18')).toBe(15);
    expect(await differences()).toEqual([]);
  });

  it('names no owner who was erased, and says how much was taken all the same', async () => {
    const { app, prefix, service, reviews, hold } = await start();
    await service.record([{ ownerId: 'robert' }, { subject: 'article:8' }].map((one) => ({ ...praise, ...one })));
    const { id } = await reviews.void((await hold(noon)).id);
    await app.nest.get(Erasures).erase('robert');
    expect((await reviews.find(id)).voided?.gifts).toEqual({
      ...{ grants: 2, points: 6, owners: 2 },
      losses: [{ userId: 'bob', grants: 1, points: 3 }],
    });
    expect(await mentions(testRedis(), prefix, 'robert')).toEqual([]);
  });

  it('is finished and told by a repeat, wherever it was cut short', async () => {
    const { app, service, reviews, score, hold, differences } = await start({ shards: 2 });
    const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
    const gifts = { grants: 2, points: 6, owners: 2 };
    for (let trip = 1; ; trip += sampled({ sample: 3, full: 1 })) {
      const userId = `pup ${trip}`;
      await service.record(['bob', 'cid'].map((ownerId) => ({ ...praise, userId, ownerId, subject: ownerId })));
      const { id } = await hold(noon, userId);
      const wasCut = await cutShort(redis, trip, () => reviews.void(id));
      expect(await reviews.void(id)).toMatchObject({ state: 'voided', voided: { grants: 2, points: 4, gifts } });
      expect([await score('bob'), await score('cid'), await score(userId)]).toEqual([0, 0, 0]);
      if (!wasCut) {
        expect(trip).toBeGreaterThan(10);
        break;
      }
    }
    expect(await differences()).toEqual([]);
  });
});
