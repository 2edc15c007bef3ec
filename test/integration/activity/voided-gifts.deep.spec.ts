import { ActivityService, Erasures, Reviews, type Rule, REDIS_CLIENT } from '@laurel/activity';
import { Ledgers, type RankStanding, type Review } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import type { RedisClient } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { announceSeed, drawer } from '../../support/seed';
import { stopTinyApps, TinyApp, type TinyAppOptions, withKey } from './support/tiny-app';

const day = 86_400_000;
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
  const differences = async () => {
    const found: unknown[] = [];
    const { gaps } = await nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return [...found, ...gaps];
  };
  return { app, clock, prefix, service, reviews, score, hold, differences };
};

beforeAll(announceSeed);
afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('voiding a puppet', () => {
  it.each([1, 3])(
    'takes from owners what it gave since, on %i shards, and tells how much from whom',
    async (shards) => {
      const { app, clock, service, score, hold, differences } = await start({ shards });
      await service.record([
        { ...praise, subject: 'before' },
        { ...praise, userId: 'ann' },
      ]);
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
    clock.set(noon - 2 * day);
    await service.record(praise);
    clock.advance(1_000);
    const before = clock.now();
    await service.record({ ...praise, action: 'share' });
    clock.set(noon);
    const { voided } = await reviews.void((await hold(before)).id);
    expect(voided).toMatchObject({ grants: 1, points: 0, removedFrom: [] });
    expect(await score('pup', 'day', '?period=2037-11-18')).toBe(2);
  });

  it('leaves owners what it gave where that is wished, and goes on so when it is repeated', async () => {
    const { app, service, score, hold } = await start();
    await service.record(praise);
    const { id } = await hold(noon);
    const asked = { keepsGifts: true };
    const { body } = await app.post<Review>(`/activity/reviews/${id}/void`, asked, withKey);
    expect(body).toMatchObject({ keepsGifts: true, voided: { grants: 1, points: 2, removedFrom: [] } });
    expect(body.voided).not.toHaveProperty('gifts');
    expect((await app.post<Review>(`/activity/reviews/${id}/void`, {}, withKey)).body).toEqual(body);
    expect([await score('bob'), await score('pup')]).toEqual([3, 0]);
    const other = await hold(noon, 'ann');
    const bad = await app.post(`/activity/reviews/${other.id}/void`, { keepsGifts: 'no' }, withKey);
    expect(bad).toMatchObject({ status: 400 });
  });

  it('reaches gifts of earlier days, leaves final standings, and finds givers whose ids look like patterns', async () => {
    const { clock, service, reviews, score, hold, differences } = await start();
    const givers = ['*', 'pup*', 'p:u]p', 'x'.repeat(80), 'pup'];
    clock.set(noon - 2 * day);
    await service.record(givers.map((userId) => ({ ...praise, userId })));
    clock.set(noon);
    for (const [i, userId] of givers.entries()) {
      const { id } = await hold(noon - 3 * day, userId);
      expect(await reviews.void(id)).toMatchObject({ voided: { gifts: { grants: 1, points: 3, owners: 1 } } });
      expect(await score('bob')).toBe(3 * (givers.length - i - 1));
    }
    expect(await score('bob', 'day', '?period=2037-11-18')).toBe(15);
    expect(await differences()).toEqual([]);
  });

  it('names no owner who was erased, and says how much was taken all the same', async () => {
    const { app, prefix, service, reviews, hold } = await start();
    await service.record([
      { ...praise, ownerId: 'robert' },
      { ...praise, subject: 'article:8' },
    ]);
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
    for (let trip = 1; ; trip += 1) {
      const userId = `pup ${trip}`;
      await service.record(['bob', 'cid'].map((ownerId) => ({ ...praise, userId, ownerId, subject: ownerId })));
      const { id } = await hold(noon, userId);
      let wasCut = false;
      const work = (): never => {
        wasCut = true;
        throw new Error('cut');
      };
      await withBetween(redis, { trip, work }, () => reviews.void(id)).catch(() => undefined);
      expect(await reviews.void(id)).toMatchObject({ state: 'voided', voided: { grants: 2, points: 4, gifts } });
      expect([await score('bob'), await score('cid'), await score(userId)]).toEqual([0, 0, 0]);
      if (!wasCut) {
        expect(trip).toBeGreaterThan(10);
        break;
      }
    }
    expect(await differences()).toEqual([]);
  });

  it.each([1, 3])('equals a model over random histories, on %i shards', async (shards) => {
    const draw = drawer();
    const { app, clock, service, reviews, score, differences } = await start({ shards });
    const users = ['ann', 'bob', 'cid', 'pup', 'rat'];
    const said: { userId: string; ownerId: string; subject: string; action: string; occurredAt: Date }[] = [];
    /** By giver, owner, subject and day: the points that stand for the giver. */
    const stands = new Map<string, { userId: string; ownerId: string; atMs: number; isTaken?: true }>();
    const pick = <T>(items: readonly T[]): T => items[draw(items.length)] as T;
    for (let step = 0; step < 300; step += 1) {
      clock.advance(1 + draw(3_600_000));
      const kind = draw(20);
      if (kind < 12 || said.length === 0) {
        const ownerId = pick(users);
        const userId = pick(users.filter((one) => one !== ownerId));
        const subject = `article:${users.indexOf(ownerId)}${draw(3)}`;
        const one = { ...praise, userId, ownerId, subject, occurredAt: new Date(clock.now()) };
        said.push(one);
        await service.record(one);
        const date = one.occurredAt.toISOString().slice(0, 10);
        const id = [userId, subject, date].join();
        stands.set(id, { userId, ownerId, atMs: clock.now() });
      } else if (kind < 15) {
        await service.record(pick(said));
      } else if (kind < 17) {
        const { userId, ownerId, subject } = pick(said);
        await service.revoke({ userId, ownerId, action: 'praise', subject });
        for (const id of stands.keys()) if (id.startsWith(`${userId},${subject},`)) stands.delete(id);
      } else {
        const userId = pick(['pup', 'rat']);
        const fromMs = clock.now() - draw(3 * day);
        const { id } = await reviews.hold({ userId, reason: 'x', from: new Date(fromMs).toISOString() });
        const before = [...stands].filter(([, one]) => one.atMs >= fromMs && one.userId === userId);
        const given = before.filter(([, one]) => !one.isTaken);
        const received = [...stands].filter(([, one]) => one.atMs >= fromMs && one.ownerId === userId);
        const { voided } = await reviews.void(id);
        expect(voided?.gifts).toMatchObject({ grants: given.length, points: 3 * given.length });
        for (const [key] of before) stands.delete(key);
        // What the user received is theirs no more; who gave it keeps their own.
        for (const [, one] of received) one.isTaken = true;
      }
    }
    const expected = (userId: string) =>
      [...stands.values()].reduce(
        (sum, one) => sum + (one.userId === userId ? 2 : 0) + (one.ownerId === userId && !one.isTaken ? 3 : 0),
        0,
      );
    const scores = await Promise.all(users.map(async (userId) => [userId, await score(userId)]));
    expect(scores).toEqual(users.map((userId) => [userId, expected(userId)]));
    expect(await differences()).toEqual([]);
    await app.nest.get(BoardAudits).rebuild();
    expect(await Promise.all(users.map(async (userId) => [userId, await score(userId)]))).toEqual(scores);
    expect(app.nest.get(Ledgers).main.shards).toBe(shards);
  });
});
