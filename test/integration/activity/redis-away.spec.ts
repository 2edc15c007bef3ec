import { Controller, Get, Logger, UseInterceptors } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Redis } from 'ioredis';
import {
  ActivityHealth,
  ActivityService,
  PraiseEvent,
  type Rule,
  ScoreVisit,
  VisitInterceptor,
} from '@laurel/activity';
import { redisOfTest } from '../../support/own-servers';
import { temporaryFolder } from '../../support/temporary-folder';
import { afterThisTest, freshPrefix, platforms, type ProblemBody, TinyApp, waitUntil, withKey } from './support';

const praise = { userId: 'ada', action: 'praise', subject: 'article:7' };

@ScoreVisit()
@UseInterceptors(VisitInterceptor)
@Controller('page')
class Page {
  @Get()
  page(): string {
    return 'page';
  }
}

describe.each(platforms)('an app on %s', (platform) => {
  const start = (url: string, recordTimeoutMs = 1_000) =>
    TinyApp.start({
      platform,
      controllers: [Page],
      options: {
        redis: { url },
        prefix: freshPrefix(),
        commandTimeoutMs: 900,
        recordTimeoutMs,
        currentUser: () => 'ada',
      },
    });

  it('starts and serves without Redis, and needs no restart when Redis comes', async () => {
    const server = await redisOfTest();
    await server.stop();
    const app = await start(server.url);
    expect(await app.get('/page')).toMatchObject({ status: 200, body: 'page' });
    expect(await app.nest.get(ActivityHealth).check('redis')).toMatchObject({ redis: { status: 'down' } });
    const ranks = await app.get<ProblemBody>('/ranks/day');
    expect(ranks).toMatchObject({ status: 503, body: { type: 'urn:laurel:problem:unavailable', status: 503 } });
    expect(ranks.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await app.post('/activity/events', { events: [praise] }, withKey)).toMatchObject({ status: 503 });

    await redisOfTest({ port: server.port });
    const health = app.nest.get(ActivityHealth);
    await waitUntil(async () => (await health.check('redis')).redis.status === 'up', { what: 'readiness' });
    expect((await app.record(praise)).body.results).toMatchObject([{ outcome: 'granted' }]);
    expect(await app.get('/ranks/day')).toMatchObject({
      status: 200,
      body: { total: 1, entries: [{ userId: 'ada' }] },
    });
  });

  it('outlives a Redis that goes away while it runs: pages answer, ranks are refused, recording waits', async () => {
    const server = await redisOfTest();
    const app = await start(server.url, 10_000);
    await app.record(praise);
    expect(await app.get('/ranks/day')).toMatchObject({ status: 200 });
    await server.stop();
    await waitUntil(async () => (await app.get('/ranks/day')).status === 503);
    expect(await app.get('/page')).toMatchObject({ status: 200, body: 'page' });
    expect(await app.metric('laurel_redis_up')).toBe(0);

    const waiting = app.nest.get(ActivityService).record({ ...praise, subject: 'article:8' });
    await redisOfTest({ port: server.port });
    expect(await waiting).toMatchObject({ outcome: 'granted', points: 2 });
    await waitUntil(async () => (await app.get('/ranks/day')).status === 200);
    expect(await app.metric('laurel_redis_up')).toBe(1);
  });

  it('gives up a Redis that hangs while it hangs, and finds it again', async () => {
    const hanging = await redisOfTest();
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const app = await start(hanging.url);
    await app.record(praise);
    hanging.pause();
    afterThisTest(() => hanging.resume());
    // Without a deadline no answer would come before Redis goes on.
    expect(await app.get('/ranks/day')).toMatchObject({ status: 503 });
    // The connection that hung is dropped.
    await waitUntil(async () => (await app.metric('laurel_redis_up')) === 0);
    expect(warned.mock.calls.flat()).toContainEqual(expect.stringContaining('Redis answers later than 900 ms'));
    expect(await app.post('/activity/events', { events: [praise] }, withKey)).toMatchObject({ status: 503 });
    hanging.resume();
    await waitUntil(async () => (await app.get('/ranks/day')).status === 200);
  });
});

const dataDir = temporaryFolder();

it('a shard count other than the one of the data that shows later fails every call, and readiness', async () => {
  const prefix = freshPrefix();
  const server = await redisOfTest({ dataDir });
  const redis = { url: server.url };
  const first = await TinyApp.start({ options: { redis, prefix, shards: 4 } });
  await first.nest.close();
  await server.stop();

  const app = await TinyApp.start({ options: { redis, prefix, shards: 8, commandTimeoutMs: 900 } });
  await redisOfTest({ dataDir, port: server.port });
  const health = app.nest.get(ActivityHealth);
  await waitUntil(async () => JSON.stringify(await health.check('redis')).includes('reshard'));
  expect(await app.get('/ranks/day')).toMatchObject({ status: 503 });
  await expect(app.nest.get(ActivityService).record(praise)).rejects.toMatchObject({ code: 'shardCountMismatch' });
});

describe('a client of the app', () => {
  it('is used as it is, and stays open when the module closes', async () => {
    const client = new Redis((await redisOfTest()).url);
    afterThisTest(() => client.disconnect());
    const app = await TinyApp.start({ options: { redis: { client }, prefix: freshPrefix() } });
    expect((await app.record(praise)).body.results).toMatchObject([{ outcome: 'granted' }]);
    await app.nest.close();
    expect(await client.ping()).toBe('PONG');
  });

  it('does not keep readers waiting in its own queue while Redis is away', async () => {
    const server = await redisOfTest();
    const client = new Redis(server.url, { maxRetriesPerRequest: null });
    afterThisTest(() => client.disconnect());
    client.on('error', () => undefined);
    const app = await TinyApp.start({ options: { redis: { client }, prefix: freshPrefix(), recordTimeoutMs: 500 } });
    await server.stop();
    await waitUntil(async () => (await app.get('/ranks/day')).status === 503);
    expect(await app.post('/activity/events', { events: [praise] }, withKey)).toMatchObject({ status: 503 });
  });
});

describe('the shutdown', () => {
  it('flushes what is pending', async () => {
    const { url } = await redisOfTest();
    const prefix = freshPrefix();
    const app = await TinyApp.start({ options: { redis: { url }, prefix } });
    const service = app.nest.get(ActivityService);
    const pending = Array.from({ length: 300 }, (_, i) => service.record({ ...praise, userId: `user ${i}` }));
    await app.nest.close();
    expect((await Promise.all(pending)).every(({ outcome }) => outcome === 'granted')).toBe(true);
    await expect(service.record(praise)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('brings emitted events to their end: what they give to owners, too', async () => {
    const { url } = await redisOfTest();
    const rules: readonly Rule[] = [
      { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 3 }] },
    ];
    const options = { redis: { url }, prefix: freshPrefix(), rules };
    const app = await TinyApp.start({ options });
    const emitter = app.nest.get(EventEmitter2);
    for (let n = 0; n < 300; n += 1) {
      emitter.emit('activity.praise', new PraiseEvent({ userId: `user ${n}`, subject: 'article:7', ownerId: 'bob' }));
    }
    await app.nest.close();
    const { body } = await (await TinyApp.start({ options })).get<{ entry: { score: number } }>('/ranks/day/users/bob');
    expect(body.entry.score).toBe(900);
  });
});
