import {
  ActivityModule,
  Adjustments,
  Erasures,
  Exclusions,
  ModerationModule,
  Reviews,
  REDIS_CLIENT,
} from '@laurel/activity';
import type { ErasureReceipt } from '@laurel/activity/internals';
import { Merges, SubjectDeletions } from '@laurel/activity/moderation';
import { Resharding, type RedisClient } from '@laurel/leaderboard';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { withBetween } from '../../support/between-trips';
import { ownRedis } from '../../support/own-servers';
import { sampled } from '../../support/sampled';
import { drawer } from '../../support/seed';
import { cutShort } from './support/cut-short';
import { deleteSubject, deletionOptions, done, monthScores } from './support/deletions';
import { directoryOf, eraseUser, freshPrefix, keysLike, ManualClock, mentions, waitUntil } from './support';
import { eventsAbout, startWithLimits } from './support/erasing';
import { addOthers, recordDays, startListed } from './support/listed';
import { startMerging } from './support/merge-users';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

/** What an erasure or a deletion leaves is looked for in every key of its Redis. */
const own = ownRedis();
/** Of the round trips of what meets another or is cut short, each how manyth is met. */
const stride = sampled({ sample: 2, full: 1 });

describe('an erasure that is asked for', () => {
  /** An app whose directory erases as it is told to. */
  const start = async (
    erase: (userId: string) => Promise<Record<string, number>>,
    { prefix = freshPrefix(), timeoutMs = 60_000 } = {},
  ) => {
    const app = await TinyApp.start({
      options: { redis: { url: own.servers.url }, prefix, observers: { timeoutMs } },
      extras: { imports: [directoryOf({ erase })] },
    });
    const ask = (userId: string) => app.delete<ErasureReceipt>(`/activity/users/${userId}`);
    const receiptOf = async (id: string) =>
      (await app.get<ErasureReceipt>(`/activity/erasure-receipts/${id}`, withKey)).body;
    const untilDone = (id: string) => waitUntil(async () => (await receiptOf(id)).state === 'done');
    return { app, prefix, ask, receiptOf, untilDone };
  };

  it('is gone on with by another instance where one died, before those that came later', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const dying = await start(() => ended.then(() => ({})));
    const { prefix } = dying;
    await dying.app.record({ userId: 'zoe', action: 'view', subject: '/a' });
    const { body } = await dying.ask('zoe');
    await waitUntil(async () => (await dying.receiptOf(body.id)).state === 'running');
    const begun: string[] = [];
    const other = await start((userId) => Promise.resolve({ begun: begun.push(userId) }), { prefix });
    // As Redis does when nobody renews it.
    await own.client.del(`{${prefix}}:jobs:erasures:lease`);
    await other.untilDone((await other.ask('yan')).body.id);
    expect(begun).toEqual(['zoe', 'yan']);
    expect(await other.receiptOf(body.id)).toMatchObject({ state: 'done', userId: null, erased: { ledgers: 1 } });
    end();
    // The one that was thought dead comes to its end as well.
    await dying.app.nest.close();
    expect(await other.receiptOf(body.id)).toMatchObject({ state: 'done', userId: null, erased: { ledgers: 1 } });
    expect(await mentions(own.client, prefix, 'zoe')).toEqual([]);
  });

  it('is put off where the directory hangs, and keeps no other waiting, on no instance', async () => {
    const erase = (userId: string) =>
      userId === 'bad' ? new Promise<never>(() => undefined) : Promise.resolve({ articles: 1 });
    const one = await start(erase, { timeoutMs: 300 });
    const two = await start(erase, { prefix: one.prefix, timeoutMs: 300 });
    expect((await one.ask('bad')).body).toMatchObject({ state: 'waiting', fault: 'timeout:directory' });
    for (const { body } of [await one.ask('bob'), await two.ask('cid')]) await one.untilDone(body.id);
  });

  it('is done everywhere, whatever the instance lacks that was asked', async () => {
    const worker = await TinyApp.start({ options: { redis: { url: own.servers.url } } });
    const { prefix } = worker;
    await worker.record({ userId: 'zoe', action: 'view', subject: '/a' });
    const imports = [directoryOf({ erase: () => Promise.resolve({ articles: 2 }) })];
    const activity = ActivityModule.forRoot({ redis: { url: own.servers.url }, prefix, imports });
    class Api {}
    const api = await NestFactory.createApplicationContext(
      { module: Api, imports: [EventEmitterModule.forRoot(), activity, ModerationModule.forRoot()] },
      { logger: false },
    );
    const { id } = await api.get(Erasures).ask('zoe');
    const receiptOf = () => worker.nest.get(Erasures).find(id);
    await waitUntil(async () => (await receiptOf()).state === 'done');
    expect((await receiptOf()).erased).toMatchObject({ articles: 2, ledgers: 1, archived: 0, refusals: 0 });
    await api.close();
  });
});

const merge = async (app: TinyApp, from: string, into: string) => {
  const { id } = await app.nest.get(Merges).merge({ from, into });
  await waitUntil(async () => (await app.nest.get(Merges).find(id)).state === 'done');
};

type Work = (app: TinyApp, userId: string) => Promise<unknown>;
const works: [string, Work][] = [
  ['an exclusion', (app, userId) => app.nest.get(Exclusions).exclude(userId, { note: 'odd' })],
  ['a review', (app, userId) => app.nest.get(Reviews).hold({ userId, reason: 'odd' })],
  ['an adjustment', ({ nest }, userId) => nest.get(Adjustments).adjust({ userId, points: 5, reason: 'odd', id: 'a' })],
  ['recording, owners’ grants included', (app, userId) => app.service.apply(eventsAbout(userId))],
  [
    'a merge into them',
    async (app, userId) => {
      const from = userId.replace('zoe', 'yan');
      await app.service.apply([...eventsAbout(from), { userId, action: 'view', subject: '/a' }]);
      await merge(app, from, userId);
    },
  ],
  [
    'a merge of somebody who names them',
    async (app, userId) => {
      const [from, praise] = [userId.replace('zoe', 'yan'), { action: 'praise', subject: 'article:1' }];
      await app.service.apply([
        { ...praise, userId: from, ownerId: userId },
        { userId: from, action: 'follow', subject: `user:${userId}` },
        { ...praise, userId, ownerId: from },
      ]);
      await merge(app, from, 'ann');
    },
  ],
  [
    'recording what a limit refuses',
    async (app, userId) => {
      await app.service.record(['/a', '/b', '/c'].map((subject) => ({ userId, action: 'view', subject })));
      await app.get('/activity/refusals', withKey);
    },
  ],
];

it.each(works)(
  'an erasure in the middle of %s leaves nothing of the user, whichever step it meets',
  async (name, work) => {
    const { app } = await startWithLimits(own.servers.url);
    const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
    let isOver = false;
    for (let trip = 1; !isOver; trip += name.includes('merge') ? 3 * stride : stride) {
      const userId = `zoe ${trip}.`;
      isOver = true;
      const turns = async () => Number(await own.client.get(`{${app.prefix}}:jobs:erasures:lease:token`));
      let erasing: Promise<unknown> | undefined;
      const erase = async () => {
        isOver = false;
        const [before, erasures] = [await turns(), app.nest.get(Erasures)];
        let isDone = false;
        erasing = erasures.erase(userId).finally(() => (isDone = true));
        // While a merge runs, it asks for its turn again and again.
        await waitUntil(async () => isDone || (await turns()) > before + 1);
      };
      await withBetween(redis, { trip, work: erase }, () => work(app, userId)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'erased' });
      });
      await erasing;
      const left = await mentions(own.client, app.prefix, userId);
      if (isOver) expect(left.length).toBeGreaterThan(0);
      else expect([trip, left]).toEqual([trip, []]);
    }
  },
);

it('an erasure that was cut short is finished by a repeat, and what counts once for ever stays', async () => {
  const app = await TinyApp.start({ options: { redis: { url: own.servers.url } } });
  const [redis, erasures] = [app.nest.get<RedisClient>(REDIS_CLIENT), app.nest.get(Erasures)];
  for (let trip = 1, wasCut = true; wasCut; trip += 2 * stride) {
    const userId = `zoe ${trip}.`;
    await app.service.record({ userId: 'cho', action: 'follow', subject: `user:${userId}` });
    wasCut = await cutShort(redis, trip, () => erasures.erase(userId));
    await erasures.erase(userId);
    expect([trip, await app.differences()]).toEqual([trip, []]);
  }
});

it('a merge that was cut short is finished by a repeat, and gives nothing twice', async () => {
  const app = await startMerging(own.servers.url, new ManualClock('2036-11-20T12:00:00Z'));
  for (let trip = 1, wasCut = true; wasCut; trip += 4 * stride) {
    const [from, into] = [`zoe ${trip}.`, `ann ${trip}.`];
    await app.service.record({ userId: 'cho', action: 'praise', subject: `user:${from}`, ownerId: from });
    wasCut = await cutShort(app.nest.get(REDIS_CLIENT), trip, () => app.nest.get(Merges).merge({ from, into }));
    await merge(app, from, into).catch((error: unknown) => expect(error).toMatchObject({ code: 'erased' }));
    expect([trip, await app.score(into, 'month')]).toEqual([trip, 5]);
  }
  expect(await app.differences()).toEqual([]);
});

it('a user who was erased is not kept off by the directory either, and recording goes on', async () => {
  const isExcluded = (userIds: readonly string[]) =>
    Promise.resolve(new Map(userIds.flatMap((userId) => (userId === 'zoe' ? [[userId, 'banned'] as const] : []))));
  const extras = { imports: [directoryOf({ isExcluded })] };
  const { app } = await startWithLimits(own.servers.url, { extras });
  await eraseUser(app, 'zoe');
  const { results } = (await app.record(...eventsAbout('zoe'), { userId: 'bob', action: 'view', subject: '/b' })).body;
  expect(results.map(({ outcome }) => outcome)).toEqual([...eventsAbout('zoe').map(() => 'rejected'), 'granted']);
  expect(await mentions(own.client, app.prefix, 'zoe')).toEqual([]);
});

describe('an erasure by the lists of what names a user', () => {
  const crowded = ownRedis();

  it('sends no more commands with 300,000 user-days of others than with none, and few for each day in memory', async () => {
    const counts: number[] = [];
    const days = 10;
    for (const others of [0, 300_000]) {
      const started = await startListed(crowded.servers.url);
      await recordDays(started, days);
      const { prefix, ledgers, erasures, sentBy } = started;
      await addOthers(crowded.client, prefix, ledgers.main.settings.tags[0] as string, others);
      const sent = await sentBy(() => erasures.erase('zoe'));
      expect(sent.filter((name) => name === 'scan')).toEqual([]);
      expect(await keysLike(crowded.client, `{${prefix}:*zoe*`)).toEqual([]);
      counts.push(sent.length);
      await stopTinyApps();
    }
    // Now and then one is sent by time: whether members were moved, whether anybody was erased meanwhile.
    expect(Math.abs((counts[1] as number) - (counts[0] as number))).toBeLessThan(50);
    // No day is listed: two months of them are looked for.
    expect(counts[0]).toBeLessThanOrEqual(200 + 8 * 62);
  });

  const layouts = [{ shards: 1 }, { shards: 3 }, { shards: 2, moved: 3 }];
  it.each(layouts)('finds all that names the user, of %j', async ({ shards, moved = 0 }) => {
    const started = await startListed(own.servers.url, shards);
    await recordDays(started, 3);
    const { prefix, erasures, ledgers, sentBy } = started;
    if (moved > 0) {
      await new Resharding(own.client, { prefix, shards: moved, graceMs: 10 }).run();
      await Promise.all(ledgers.all.map((ledger) => ledger.syncShards()));
    }
    expect((await mentions(own.client, prefix, 'zoe')).length).toBeGreaterThan(20);
    expect(await sentBy(() => erasures.erase('zoe'))).not.toContain('scan');
    expect(await mentions(own.client, prefix, 'zoe')).toEqual([]);
    // Those whose lists named the user, and the other who did the same, are found as well.
    const others = ['yan', 'bob', 'eva', 'cho', 'dan'];
    for (const userId of others) await erasures.erase(userId);
    for (const userId of others) expect(await mentions(own.client, prefix, userId)).toEqual([]);
    expect(await keysLike(own.client, `{${prefix}:*}:naming:*`)).toEqual([]);
  });

  it('finds, and counts, what names the user among all that an owner received, however many gave', async () => {
    const { prefix, service, erasures, sentBy } = await startListed(own.servers.url);
    const users = [...Array.from({ length: 3_000 }, (_, i) => `u${i}`), 'zoe'];
    for (let from = 0; from < users.length; from += 500) {
      const praise = { action: 'praise', subject: 'article:1', ownerId: 'star' };
      await service.record(users.slice(from, from + 500).map((userId) => ({ userId, ...praise })));
    }
    const days = { from: '2036-11-20', to: '2036-11-20' };
    const counted = async () => (await service.receivedCounts('star', days)).praise;
    // What a crowded day has in pages is added up already.
    const reads = await sentBy(async () => expect(await counted()).toBe(users.length));
    expect(reads.length).toBeLessThan(10);
    const sent = await sentBy(() => erasures.erase('zoe'));
    // An HSCAN for each of the days and of the owner's pages that may be there.
    expect(sent.length).toBeLessThan(500);
    expect(await mentions(own.client, prefix, 'zoe')).toEqual([]);
    expect(await counted()).toBe(users.length);
  });
});

it('deleting a subject is finished by another try, wherever one failed', async () => {
  const clock = new ManualClock('2037-11-20T12:00:00Z');
  const options = { ...deletionOptions, redis: { url: own.servers.url }, clock, shards: 2 };
  const app = await TinyApp.start({ options });
  const { prefix, service } = app;
  const scores = (userIds: readonly string[]) => monthScores(app, userIds);
  const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
  const deletions = app.nest.get(SubjectDeletions);
  const draw = drawer();
  for (let trip = 1; ; trip += stride + draw(3 * stride)) {
    const subject = `article:${trip}`;
    await service.record(['ann', 'cid', 'dan'].map((userId) => done(userId, 'praise', subject, 'bob')));
    const wasCut = await cutShort(redis, trip, async (isCut) => {
      await deletions.delete(subject).catch(() => undefined);
      // It may take longer than its call.
      await waitUntil(async () => isCut() || (await own.client.zcard(`{${prefix}}:jobs:deletions:queue`)) === 0);
    });
    // As Redis does when nobody renews it: giving it back may have failed too.
    await own.client.del(`{${prefix}}:jobs:deletions:lease`);
    const { taken } = await deleteSubject(app, subject);
    expect(await scores(['ann', 'bob', 'cid', 'dan'])).toEqual([0, 0, 0, 0]);
    if (!wasCut) {
      // By the first call alone.
      expect([trip > 10, taken.grants]).toEqual([true, 0]);
      break;
    }
  }
  expect(await app.differences()).toEqual([]);
});
