import {
  Adjustments,
  ActivityService,
  Erasures,
  Exclusions,
  Reviews,
  type UserDirectory,
  USER_DIRECTORY,
} from '@laurel/activity';
import { REDIS_CLIENT, type RankPage } from '@laurel/activity/internals';
import type { RedisClient } from '@laurel/leaderboard';
import { Module } from '@nestjs/common';
import { ledgerField } from '../../support/gifts';
import { withBetween } from '../../support/between-trips';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { eraseUser } from './support/erase-user';
import { stopTinyApps, TinyApp, withKey, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const noonMs = Date.parse('2036-11-20T12:00:00Z');
const at = new Date(noonMs);

const start = async (shards = 1, extras: TinyAppOptions['extras'] = {}) => {
  const clock = new ManualClock(noonMs);
  const prefix = freshPrefix();
  const app = await TinyApp.start({
    extras,
    options: {
      clock,
      prefix,
      shards,
      limits: [
        { type: 'sliding', action: 'view', max: 2, windowMs: dayMs, per: 'action' },
        { type: 'sliding', action: 'follow', max: 2, windowMs: dayMs, per: 'subject' },
      ],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['received:praise'] },
        { name: 'recent', rolling: { days: 7 } },
      ],
    },
  });
  const erase = (userId: string) => eraseUser(app, userId);
  return { app, clock, prefix, erase };
};

/** All that may come of a user, or name them. */
const eventsAbout = (userId: string) => [
  { userId, action: 'view', subject: '/a', occurredAt: at },
  { userId, action: 'praise', subject: 'article:1', ownerId: 'bob', occurredAt: at },
  { userId, action: 'praise', subject: 'article:1', ownerId: 'bob', revoke: true, occurredAt: at },
  { userId, action: 'follow', subject: 'user:bob', occurredAt: at },
  { userId: 'cho', action: 'follow', subject: `user:${userId}`, occurredAt: at },
  { userId: 'cho', action: 'follow', subject: `user:${userId}`, revoke: true, occurredAt: at },
];

describe.each([1, 8])('a user who was erased and comes again, on %d shards', (shards) => {
  it('is refused, with the reason, whatever names them; nothing is kept', async () => {
    const { app, clock, prefix, erase } = await start(shards);
    await app.record({ userId: 'bob', action: 'view', subject: '/a', occurredAt: at });
    await erase('zoe');
    const { results } = (await app.record(...eventsAbout('zoe'))).body;
    for (const result of results) expect(result).toMatchObject({ outcome: 'rejected', points: 0, reason: 'erased' });
    // What others do to what was theirs is their own: they get their points, and the erased nothing.
    const praise = { userId: 'cho', action: 'praise', subject: 'article:2', ownerId: 'zoe', occurredAt: at };
    expect((await app.record(praise)).body.results[0]).toMatchObject({ outcome: 'granted', points: 2 });
    const adjustment = { userId: 'zoe', points: 5, reason: 'thanks', id: 'a' };
    expect((await app.post('/activity/adjustments', adjustment, withKey)).body).toMatchObject({
      outcome: 'rejected',
      reason: 'erased',
    });
    const gone = { status: 410, body: { type: 'urn:laurel:problem:erased' } };
    const put = { method: 'PUT', headers: { ...withKey, 'content-type': 'application/json' }, body: '{}' };
    expect(await app.send('/activity/exclusions/zoe', put)).toMatchObject(gone);
    expect(await app.post('/activity/reviews', { userId: 'zoe', reason: 'odd' }, withKey)).toMatchObject(gone);
    clock.advance(1_000);
    expect((await app.get<{ refusals: unknown[] }>('/activity/refusals', withKey)).body.refusals).toEqual([]);
    await app.get('/ranks/recent');
    expect((await app.get<RankPage>('/ranks/day')).body.entries.map(({ userId }) => userId).sort()).toEqual([
      'bob',
      'cho',
    ]);
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
  });

  it('is named no more by what others did to them, which stays theirs', async () => {
    const { app, prefix, erase } = await start(shards);
    const long = `zoe${'e'.repeat(60)}`;
    const follow = (userId: string) => ({ userId: 'cho', action: 'follow', subject: `user:${userId}`, occurredAt: at });
    const praise = { userId: 'cho', action: 'praise', subject: 'user:zoe', ownerId: 'bob', occurredAt: at };
    await app.record(follow('zoe'), follow(long), follow('zoey'), praise);
    const points = async () => (await app.get<{ entry: unknown }>('/ranks/day/users/cho')).body;
    const before = await points();
    const digest = ledgerField('f', `user:${long}`);
    const shown = async () => [
      ...(await mentions(testRedis(), prefix, 'zoe')),
      ...(await mentions(testRedis(), prefix, digest)),
    ];
    expect((await shown()).length).toBeGreaterThan(5);
    await erase('zoe');
    await erase(long);
    expect((await shown()).filter((text) => !text.includes('zoey'))).toEqual([]);
    expect(await points()).toEqual(before);
    expect((await app.record(follow('zoey'))).body.results[0]).toMatchObject({ outcome: 'duplicate' });
  });

  it('counts again when an operator lets them in', async () => {
    const { app, prefix, erase } = await start(shards);
    await erase('zoe');
    const readmit = async () => (await app.send('/activity/erasures/zoe', { method: 'DELETE', headers: withKey })).body;
    expect(await readmit()).toEqual({ userId: 'zoe', readmitted: true });
    expect(await readmit()).toEqual({ userId: 'zoe', readmitted: false });
    const { results } = (await app.record(...eventsAbout('zoe'))).body;
    expect(results.map(({ outcome }) => outcome)).not.toContain('rejected');
    // The control: what finds nothing above finds them here.
    expect((await mentions(testRedis(), prefix, 'zoe')).length).toBeGreaterThan(3);
  });
});

describe('an erasure in the middle of', () => {
  type Work = (app: TinyApp) => Promise<unknown>;
  const works: [string, Work][] = [
    ['an exclusion', (app) => app.nest.get(Exclusions).exclude('zoe', { note: 'odd' })],
    ['a review', (app) => app.nest.get(Reviews).hold({ userId: 'zoe', reason: 'odd' })],
    [
      'an adjustment',
      (app) => app.nest.get(Adjustments).adjust({ userId: 'zoe', points: 5, reason: 'thanks', id: 'a' }),
    ],
    ['recording, owners’ grants included', (app) => app.nest.get(ActivityService).apply(eventsAbout('zoe'))],
    [
      'recording what a limit refuses',
      async (app) => {
        const activities = app.nest.get(ActivityService);
        await activities.record(['/a', '/b', '/c'].map((subject) => ({ userId: 'zoe', action: 'view', subject })));
        await app.get('/activity/refusals', withKey);
      },
    ],
  ];

  it.each(works)('%s leaves nothing of the user, whichever step it meets', async (_, work) => {
    let isOver = false;
    for (let trip = 1; !isOver; trip += 1) {
      const { app, prefix } = await start();
      isOver = true;
      const erase = async () => {
        isOver = false;
        await app.nest.get(Erasures).erase('zoe');
      };
      const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
      await withBetween(redis, { trip, work: erase }, () => work(app)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'erased' });
      });
      const left = await mentions(testRedis(), prefix, 'zoe');
      if (isOver) expect(left.length).toBeGreaterThan(0);
      else expect([trip, left]).toEqual([trip, []]);
      await stopTinyApps();
    }
  });
});

it('a user who was erased is not kept off by the directory either, and recording goes on', async () => {
  const directory: UserDirectory = {
    find: () => Promise.resolve(new Map()),
    isExcluded: (userIds) =>
      Promise.resolve(new Map(userIds.flatMap((userId) => (userId === 'zoe' ? [[userId, 'banned'] as const] : [])))),
  };
  @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
  class Directory {}
  const { app, prefix, erase } = await start(1, { imports: [Directory] });
  await erase('zoe');
  const { results } = (await app.record(...eventsAbout('zoe'), { userId: 'bob', action: 'view', subject: '/b' })).body;
  expect(results.map(({ outcome }) => outcome)).toEqual([...eventsAbout('zoe').map(() => 'rejected'), 'granted']);
  expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
});
