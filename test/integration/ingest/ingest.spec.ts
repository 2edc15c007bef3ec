import {
  AccountModule,
  ActivityModule,
  type ActivityModuleOptions,
  ActivityService,
  defaultRules,
  Erasures,
  ModerationModule,
  ProblemFilter,
  RankService,
} from '@laurel/activity';
import {
  IngestModule,
  DeadLetters,
  type DeadLetter,
  recordPattern,
  StreamFullError,
  StreamProducer,
  StreamServer,
} from '@laurel/ingest';
import { UserData } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import type { INestApplication } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ClientProxyFactory, Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { firstValueFrom } from 'rxjs';
import { redisOfTest } from '../../support/own-servers';
import { patient } from '../../support/patient';
import { drawer, shuffled } from '../../support/seed';
import { afterThisTest, freshPrefix, ManualClock, testRedis, testRedisUrl, waitUntil } from '../../support';

async function startApp(
  prefix: string,
  options: MicroserviceOptions,
  given: { redisUrl?: string; stream?: string } & Partial<ActivityModuleOptions> = {},
): Promise<INestApplication> {
  const { redisUrl = testRedisUrl(), stream = 'none', ...own } = given;
  const activity = ActivityModule.forRoot({
    imports: [EventEmitterModule.forRoot()],
    redis: { url: redisUrl },
    prefix,
    shards: 4,
    cacheMs: 0,
    ...patient,
    ...own,
  });
  const account = AccountModule.forRoot();
  const ref = await Test.createTestingModule({
    imports: [activity, account, IngestModule.register({ imports: [activity], stream }), ModerationModule.forRoot()],
    providers: [ProblemFilter],
  }).compile();
  const app = ref.createNestApplication();
  app.useLogger(false);
  app.connectMicroservice<MicroserviceOptions>(options);
  await app.startAllMicroservices();
  await app.init();
  afterThisTest(() => app.close());
  return app;
}

const scoresOf = async (app: INestApplication) => {
  const { entries } = await app.get(RankService).standings('day', { limit: 100 });
  return Object.fromEntries(entries.map(({ userId, score }) => [userId, score]));
};
const praise = (userId: string, subject: string) => ({ userId, action: 'praise', subject });

it('activities by a broker records what a transport of Nest brings, answers with outcomes and tells faults by their path', async () => {
  const prefix = freshPrefix();
  const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;
  const app = await startApp(prefix, tcp);
  const [microservice] = (
    app as unknown as { getMicroservices(): { unwrap(): { address(): { port: number } } }[] }
  ).getMicroservices();
  const port = microservice?.unwrap().address().port ?? 0;
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
  const send = (body: unknown) => firstValueFrom(client.send<unknown>(recordPattern, body));
  const occurredAt = new Date(systemClock.now()).toISOString();
  const events = [{ ...praise('ann', 'a'), occurredAt }];
  expect(await send({ events })).toMatchObject({ results: [{ outcome: 'granted', points: 2 }] });
  expect(await send({ events })).toMatchObject({ results: [{ outcome: 'duplicate', points: 0 }] });
  await expect(send({ events: [praise('ann', 'b')] })).rejects.toMatchObject({
    code: 'invalidActivity',
    isRetryable: false,
    errors: [{ path: 'events.0.occurredAt', message: 'is missing: a message may come twice' }],
  });
  await expect(send({ events: [{ ...praise('ann', 'b'), occurredAt, points: 9 }] })).rejects.toMatchObject({
    errors: [{ path: 'events.0.points', message: 'is not a known property' }],
  });
  expect(await scoresOf(app)).toEqual({ ann: 2 });
  client.close();
});

describe('StreamServer', () => {
  let prefix: string;
  let stream: string;
  let producer: StreamProducer;
  beforeEach(() => {
    [prefix, stream] = [freshPrefix(), `${freshPrefix()}:in`];
    producer = new StreamProducer({ redis: testRedis(), stream });
  });
  const start = (options: { redeliverAfterMs?: number; maxInFlight?: number } = {}) => {
    const strategy = new StreamServer({ redis: testRedis(), stream, redeliverAfterMs: 200, pauseMs: 20, ...options });
    return startApp(prefix, { strategy }, { stream }).then((app) => ({ app, strategy }));
  };
  const isDone = () => waitUntil(async () => (await testRedis().xlen(stream)) === 0);

  it('records each event once, however often it was sent and by how many instances it is taken', async () => {
    const draw = drawer();
    const occurredAt = new Date(systemClock.now()).toISOString();
    const events = Array.from({ length: 600 }, (_, i) => ({
      ...praise(`user-${draw(30)}`, `article:${i}`),
      occurredAt,
    }));
    const expected: Record<string, number> = {};
    for (const { userId } of events) expected[userId] = (expected[userId] ?? 0) + 2;
    const [first] = await Promise.all([start(), start(), start()]);
    for (const event of shuffled([...events, ...events])) await producer.send([event]);
    await isDone();
    expect(await scoresOf(first.app)).toEqual(expected);
  });

  it('takes over what an instance took and did not acknowledge, however much it is', async () => {
    const redis = testRedis();
    await redis.xgroup('CREATE', stream, 'laurel', '0', 'MKSTREAM');
    for (let i = 0; i < 200; i++) await producer.send([praise('ann', `a:${i}`)]);
    // One that died an hour ago with most messages: five of them it had recorded.
    await redis.xreadgroup('GROUP', 'laurel', 'dead', 'COUNT', 190, 'STREAMS', stream, '>');
    const taken = await redis.xrange(stream, '-', '+', 'COUNT', 190);
    await redis.xclaim(stream, 'laurel', 'dead', 0, ...taken.map(([id]) => id), 'IDLE', 3_600_000, 'JUSTID');
    const { app } = await start({ redeliverAfterMs: 3_600_000 });
    const sentAt = taken.map(([id]) => new Date(Number(id.split('-')[0])));
    const recorded = sentAt.slice(0, 5).map((occurredAt, i) => ({ ...praise('ann', `a:${i}`), occurredAt }));
    await app.get(ActivityService).record(recorded);
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 400 });
  });

  it('takes the events of a message, and messages of one millisecond, in the order in which they were sent', async () => {
    const made = (userId: string, revoke?: boolean) => ({ ...praise(userId, 'a'), ...(revoke && { revoke }) });
    await producer.send([made('ann'), made('ann', true), made('ann')]);
    const ms = systemClock.now() + 1_000;
    for (const [i, revoke] of [false, true, false].entries()) {
      const data = JSON.stringify({ events: [made('ben', revoke)] });
      await testRedis().xadd(stream, `${ms}-${i}`, 'pattern', recordPattern, 'data', data);
    }
    const { app } = await start();
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 2, ben: 2 });
  });

  it('leaves in the stream what this host takes to lie in the future, and records it in the end', async () => {
    const clock = new ManualClock(systemClock.now() - 600_000);
    const strategy = new StreamServer({ redis: testRedis(), stream, redeliverAfterMs: 100, pauseMs: 20 });
    const app = await startApp(prefix, { strategy }, { clock });
    const tried = jest.spyOn(app.get(ActivityService), 'apply');
    await producer.send([praise('ann', 'a')]);
    await waitUntil(() => tried.mock.calls.length > 1);
    clock.advance(600_000);
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 2 });
  });

  it('lays aside what fails at each delivery, goes on, and records it of its own day when it is put back', async () => {
    const redis = testRedis();
    let isBroken = true;
    const strategy = new StreamServer({ redis, stream, redeliverAfterMs: 50, pauseMs: 10, maxDeliveries: 3 });
    const app = await startApp(prefix, { strategy });
    const service = app.get(ActivityService);
    const apply = service.apply.bind(service);
    const record = jest.spyOn(service, 'apply').mockImplementation((changes, at) => {
      if (isBroken && changes.some(({ subject }) => subject === 'poison')) throw new TypeError('a fault of the tests');
      return apply(changes, at);
    });
    const id = await producer.send([praise('ann', 'poison')]);
    await producer.send([praise('bob', 'a')]);
    await isDone();
    expect(await scoresOf(app)).toEqual({ bob: 2 });

    const failed = new DeadLetters({ redis, stream, kind: 'failed' });
    const [message, ...others] = await failed.list();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      id,
      code: 'failed',
      fields: ['pattern', recordPattern, 'data', expect.any(String)],
    });
    await failed.putBack([message as DeadLetter]);
    await waitUntil(async () => (await failed.count()) === 1);
    isBroken = false;
    await failed.putBack(await failed.list());
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 2, bob: 2 });
    expect(await failed.count()).toBe(0);
    // Put back twice, it still says when it was sent first.
    expect(record.mock.lastCall?.[0]).toMatchObject([{ occurredAt: new Date(Number(id.split('-')[0])) }]);
  });

  it('puts what can never be recorded aside with the reason, and goes on', async () => {
    const redis = testRedis();
    const add = (...fields: string[]) => redis.xadd(stream, '*', ...fields);
    await add('pattern', recordPattern, 'data', '{"events": 5}');
    await add('pattern', recordPattern, 'data', '{"events"');
    await add('pattern', 'activity.forget', 'data', '{}');
    await add('something', 'else');
    await producer.send([praise('ann', 'a')]);
    const { app } = await start();
    await isDone();
    const refused = await redis.xrange(`${stream}:refused`, '-', '+');
    expect(refused.map(([, [, , , code, , reason]]) => [code, reason])).toEqual(
      expect.arrayContaining([
        ['invalidActivity', 'events must be array'],
        ['invalidActivity', 'Its "data" is no JSON.'],
        ['invalidActivity', 'No handler has its pattern.'],
        ['invalidActivity', 'It needs the fields "pattern" and "data".'],
      ]),
    );
    expect(refused).toHaveLength(4);
    expect(await scoresOf(app)).toEqual({ ann: 2 });
  });

  it('names no erased user in dead letters, and keeps the events of others', async () => {
    const redis = testRedis();
    const of = (...events: object[]) => ['pattern', recordPattern, 'data', JSON.stringify({ events })];
    const about = [
      praise('zoe', 'a'),
      { ...praise('ann', 'a'), ownerId: 'zoe' },
      praise('ann', 'user:zoe'),
      { user_id: 'zoe' },
    ];
    const aside = [...about.map((event) => of(event)), of(praise('zoe', 'a'), praise('zoey', 'b')), ['data', '{"zoe']];
    for (const kind of ['refused', 'failed']) {
      for (const fields of [...aside, of(praise('ann', 'c'))]) {
        await redis.xadd(`${stream}:${kind}`, '*', 'id', '1-1', 'code', 'failed', 'reason', 'why', ...fields);
      }
    }
    const { app } = await start();
    let text = '';
    for await (const piece of app.get(UserData).json('zoe', true)) text += piece;
    const why = { id: '1-1', code: 'failed', reason: 'why' };
    const told = [...about, praise('zoe', 'a'), null].map((event) => ({ ...why, event }));
    expect(JSON.parse(text)).toMatchObject({ deadLetters: [...told, ...told] });
    expect((await app.get(Erasures).erase('zoe')).erased).toMatchObject({ deadLetters: 12 });
    for (const kind of ['refused', 'failed'] as const) {
      const left = await new DeadLetters({ redis, stream, kind }).list();
      expect(left).toMatchObject([
        { id: '1-1', reason: 'why', fields: of(praise('ann', 'c')) },
        { id: '1-1', reason: 'why', fields: of(praise('zoey', 'b')) },
      ]);
    }
    expect((await app.get(Erasures).erase('zoe')).erased).toMatchObject({ deadLetters: 0 });
  });

  it('leaves an action that it has no rule for to an instance of another version, and goes on with the rest', async () => {
    const { app } = await start({ redeliverAfterMs: 60_000 });
    await producer.send([{ userId: 'ann', action: 'answer', subject: 'question:7' }]);
    await producer.send([praise('ben', 'a')]);
    await waitUntil(async () => (await scoresOf(app)).ben === 2);
    expect(await testRedis().xlen(stream)).toBe(1);
    const rules = [...defaultRules, { action: 'answer', points: 5, revocable: true }];
    const strategy = new StreamServer({ redis: testRedis(), stream, redeliverAfterMs: 200, pauseMs: 20 });
    const other = await startApp(prefix, { strategy }, { rules });
    await isDone();
    expect(await scoresOf(other)).toEqual({ ann: 5, ben: 2 });
    expect(await testRedis().exists(`${stream}:refused`)).toBe(0);
  });

  it('refuses an action that no version has a rule for, after it was delivered seven times', async () => {
    await producer.send([{ userId: 'ann', action: 'answer', subject: 'q' }]);
    await start();
    await isDone();
    const refused = await testRedis().xrange(`${stream}:refused`, '-', '+');
    expect(JSON.stringify(refused)).toContain('unknownAction');
    expect(refused).toHaveLength(1);
  });

  it('leaves in the stream what cannot be recorded now, takes no more meanwhile, and records it in the end', async () => {
    const boards = await redisOfTest();
    const strategy = new StreamServer({
      redis: testRedis(),
      stream,
      redeliverAfterMs: 200,
      pauseMs: 20,
      maxInFlight: 4,
    });
    const app = await startApp(prefix, { strategy }, { redisUrl: boards.url, recordTimeoutMs: 500 });
    await boards.stop();
    for (let i = 0; i < 30; i++) await producer.send([praise('ann', `a:${i}`)]);
    await waitUntil(() => Promise.resolve(strategy.pending === 4));
    const pending = (await testRedis().xpending(stream, 'laurel')) as [number];
    expect(pending[0]).toBeLessThanOrEqual(8);
    expect(await testRedis().xlen(stream)).toBe(30);
    await redisOfTest({ port: boards.port });
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 60 });
  });

  it('does not acknowledge what it cannot delete: it comes again, and nothing is left in the end', async () => {
    const user = freshPrefix();
    const admin = testRedis();
    await admin.acl('SETUSER', user, 'on', '>secret', '~*', '&*', '+@all', '-xdel');
    afterThisTest(() => admin.acl('DELUSER', user));
    const redis = new Redis(testRedisUrl(), { username: user, password: 'secret' });
    afterThisTest(() => redis.quit());
    const registry = new Registry();
    const strategy = new StreamServer({ redis, stream, redeliverAfterMs: 200, pauseMs: 20, registry });
    const app = await startApp(prefix, { strategy });
    await producer.send([praise('ann', 'a')]);
    await waitUntil(async () => /^laurel_ingest_failures_total [1-9]/m.test(await registry.metrics()));
    expect(((await admin.xpending(stream, 'laurel')) as [number])[0]).toBe(1);
    await admin.acl('SETUSER', user, '+xdel');
    await isDone();
    expect(await scoresOf(app)).toEqual({ ann: 2 });
    await strategy.close();
  });

  it('adds up what waits in the streams of servers that share a registry, until each is closed', async () => {
    const [registry, redis] = [new Registry(), testRedis()];
    const waiting = async () => /^laurel_ingest_waiting (\d+)$/m.exec(await registry.metrics())?.[1];
    const servers: StreamServer[] = [];
    for (const messages of [1, 2]) {
      const own = `${stream}-${messages}`;
      const producer = new StreamProducer({ redis, stream: own });
      for (let i = 0; i < messages; i++) await producer.send([praise('ann', `${i}`)]);
      servers.push(new StreamServer({ redis, stream: own, registry }));
    }
    expect(await waiting()).toBe('3');
    await servers[0]?.close();
    expect(await waiting()).toBe('2');
    await servers[1]?.close();
    expect(await waiting()).toBeUndefined();
  });

  it('refuses to take more than may wait', async () => {
    const producer = new StreamProducer({ redis: testRedis(), stream, maxWaiting: 2 });
    await producer.send([praise('ann', 'a')]);
    await producer.send([praise('ann', 'b')]);
    await expect(producer.send([praise('ann', 'c')])).rejects.toThrow(StreamFullError);
  });
});
