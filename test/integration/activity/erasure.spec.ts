import { ActivityService, Exclusions, SettlementService, USER_DIRECTORY, type UserDirectory } from '@laurel/activity';
import { giverToken, Ledgers, type LedgerPage, type RankPage } from '@laurel/activity/internals';
import { Module } from '@nestjs/common';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { eraseUser } from './support/erase-user';
import { stopTinyApps, TinyApp, withKey, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const noonMs = Date.parse('2036-11-20T12:00:00Z');

/** A user nobody would call so, who must not reach another's keys. */
const hostile = '{lr:1-0}:*[a-z]?\\:\n\0💥"';

const start = async (shards: number, extras: TinyAppOptions['extras'] = {}, prefix = freshPrefix()) => {
  const clock = new ManualClock(noonMs - 3 * dayMs);
  const app = await TinyApp.start({
    extras,
    options: {
      clock,
      prefix,
      shards,
      retentionMs: { ledger: null },
      firstDays: true,
      limits: [{ type: 'sliding', action: 'view', max: 100, windowMs: dayMs, per: 'subject' }],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['given:view', 'received:praise'] },
        { name: 'month', period: 'month' },
        { name: 'recent', rolling: { days: 7 } },
        { name: 'team', period: 'month', partition: 'team' },
        { name: 'views', period: 'month', points: { view: 3 } },
      ],
    },
  });
  const record = (userIds: readonly string[]) =>
    app.record(
      ...userIds.flatMap((userId) =>
        ['a', 'b'].map((subject) => ({
          userId,
          action: 'view',
          subject,
          occurredAt: new Date(clock.now()),
          partitions: { team: `team ${userId.length}` },
        })),
      ),
    );
  const erase = (userId: string) => eraseUser(app, userId);
  return { app, clock, prefix, record, erase };
};

describe.each([1, 8])('erasing a user on %d shards', (shards) => {
  it.each(['zoe', hostile])('leaves no trace of %j, and all others as they were', async (userId) => {
    const { app, clock, prefix, record, erase } = await start(shards);
    const others = ['bob', 'cho', `${userId}x`, userId.slice(1), '*'];
    // Owners' grants from the user and from others, standing and revoked on a later day.
    const given = (ms: number) =>
      [userId, `${userId}x`].flatMap((giver, i) => [
        { userId: giver, action: 'praise', subject: 'a', ownerId: 'bob', occurredAt: new Date(ms) },
        { userId: giver, action: 'follow', subject: 'user:bob', occurredAt: new Date(ms + i) },
        { userId: giver, action: 'praise', subject: 'b', ownerId: 'cho', occurredAt: new Date(ms) },
        { userId: giver, action: 'praise', subject: 'b', ownerId: 'cho', occurredAt: new Date(ms + 1), revoke: true },
      ]);
    const received = async () => {
      const pages = await Promise.all(
        [0, 1, 2].map((ago) => {
          const date = new Date(noonMs - (3 - ago) * dayMs).toISOString().slice(0, 10);
          return app.get<LedgerPage>(`/activity/users/bob/ledger?date=${date}`, withKey);
        }),
      );
      const lines = pages.flatMap(({ body }) => body.lines);
      const counts = await app.nest.get(ActivityService).receivedCounts('bob');
      const tally = await app.nest.get(ActivityService).receivedCounts('cho');
      const kept = { counts, tally, lines: lines.map(({ from: _, ...line }) => JSON.stringify(line)).sort() };
      return { kept, givers: lines.flatMap(({ from }) => from ?? []) };
    };
    for (let days = 0; days < 3; days++, clock.advance(dayMs)) {
      await record([userId, ...others]);
      await app.record({ userId, action: 'praise', subject: 'p', occurredAt: new Date(clock.now()) });
      await app.record({ userId, action: 'praise', subject: 'p', revoke: true, occurredAt: new Date(clock.now() + 1) });
      await app.record(...given(clock.now()));
    }
    const { kept } = await received();
    const adjustment = { userId, points: 2, reason: 'thanks', id: 'a1' };
    expect((await app.post('/activity/adjustments', adjustment, withKey)).status).toBe(200);
    await app.nest.get(SettlementService).settleDue(undefined, { announces: false });
    await app.nest.get(SettlementService).settleDue();
    await app.get('/ranks/recent');
    await app.nest.get(Exclusions).exclude(userId, { reason: 'optedOut' });
    await app.post('/activity/reviews', { userId, reason: 'unsure' }, withKey);
    const redis = testRedis();
    expect((await mentions(redis, prefix, userId)).length).toBeGreaterThan(10);

    const { status, body } = await erase(userId);
    expect([status, body.state]).toEqual([202, 'done']);
    expect(body.erased).toMatchObject({ ledgers: 8, limits: 4, named: 14, exclusions: 2, reviews: 1 });
    for (const kind of ['boards', 'rolling', 'lists', 'archived']) expect(body.erased[kind]).toBeGreaterThan(0);

    expect(await mentions(redis, prefix, userId)).toEqual([]);
    const after = await received();
    expect(after.kept).toEqual(kept);
    expect(after.givers.filter((giver) => giver === giverToken(userId))).toEqual([]);
    expect(new Set(after.givers).size).toBe(2);
    for (const path of ['/ranks/day?period=previous', '/ranks/month', '/ranks/views', '/ranks/recent']) {
      const page = await app.get<RankPage>(path);
      expect(page.body.entries.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(page.body.entries.map((entry) => entry.userId))).toEqual(new Set(others));
    }
    const again = await erase(userId);
    expect(new Set(Object.values(again.body.erased))).toEqual(new Set([0]));
  });
});

describe('erasing a user', () => {
  it('needs the key, and a user', async () => {
    const { app, erase } = await start(1);
    expect((await app.send('/activity/users/ann', { method: 'DELETE' })).status).toBe(401);
    expect((await erase('x'.repeat(129))).status).toBe(400);
    expect((await erase('nobody')).body.erased).toMatchObject({ boards: 0, ledgers: 0, archived: 0 });
  });

  it('leaves what another app has under a prefix that begins with its own', async () => {
    const { prefix, record, erase } = await start(1);
    const other = await start(1, {}, `${prefix}:x`);
    await record(['ann']);
    await other.record(['ann']);
    await other.app.record({ userId: 'ann', action: 'follow', subject: 'user:bob' });
    const before = await mentions(testRedis(), other.prefix, 'ann');
    expect((await erase('ann')).body.erased).toMatchObject({ ledgers: 2, limits: 4, named: 0 });
    expect(await mentions(testRedis(), other.prefix, 'ann')).toEqual(before);
    expect(before.some((text) => text.includes(':window:'))).toBe(true);
  });

  it('goes on where it was cut short', async () => {
    const { app, prefix, record, erase } = await start(1);
    await record(['ann', 'bob']);
    const ledgers = app.nest.get(Ledgers);
    const redis = testRedis();
    // What a process does that dies after the boards of the first ledger.
    const { keys: boards } = ledgers.main.periods.boardPeriod('day', ledgers.main.periods.of('day'), null);
    await redis.zrem(boards[0] as string, 'ann');
    const { body } = await erase('ann');
    expect(body.erased).toMatchObject({ boards: 5, ledgers: 2 });
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
  });

  it('asks the app’s directory to erase the user first, and counts what it removed', async () => {
    const asked: string[] = [];
    const directory: UserDirectory = {
      find: () => Promise.resolve(new Map()),
      erase: (userId) => Promise.resolve({ articles: asked.push(userId) }),
    };
    @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
    class Directory {}
    const { erase } = await start(1, { imports: [Directory] });
    expect((await erase('ann')).body.erased).toMatchObject({ articles: 1, boards: 0 });
    expect(asked).toEqual(['ann']);
  });

  it('waits for a window that is being built: it is built without the user', async () => {
    const { app, prefix, record, erase } = await start(1);
    await record(['ann', 'bob']);
    const reading = Promise.all(Array.from({ length: 4 }, () => app.get('/ranks/recent')));
    await erase('ann');
    await reading;
    expect((await app.get<RankPage>('/ranks/recent')).body.entries.map(({ userId }) => userId)).toEqual(['bob']);
    expect(await mentions(testRedis(), prefix, 'ann')).toEqual([]);
  });
});
