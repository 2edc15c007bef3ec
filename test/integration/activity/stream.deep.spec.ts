import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { RankPage } from '@laurel/activity/internals';
import type { EventStream } from '../../support/event-stream';
import { redisOfTest } from '../../support/own-servers';
import { afterThisTest, testRedisUrl, waitUntil } from '../../support';
import type { ProblemBody } from './support/problem-body';
import { scriptCalls, startStreaming } from './support/streaming';

/** A client whose scripts, reads of standings among them, wait at a barrier while it is down. */
class HeldRedis extends Redis {
  private held: (() => void)[] | null = null;

  /** Scripts that wait. */
  get waiting(): number {
    return this.held?.length ?? 0;
  }

  hold(): void {
    this.held ??= [];
  }

  letGo(): void {
    const { held } = this;
    this.held = null;
    for (const send of held ?? []) send();
  }

  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    if (this.held === null || !command.name.startsWith('eval')) return super.sendCommand(command, ...rest);
    this.held.push(() => void super.sendCommand(command, ...rest));
    return command.promise;
  }
}

describe('streams of different lengths', () => {
  let client: HeldRedis;
  beforeEach(() => {
    client = new HeldRedis(testRedisUrl());
    afterThisTest(() => client.quit());
  });
  afterEach(() => client.letGo());

  const startHeld = async () => {
    const made = await startStreaming({ options: { redis: { client }, streams: { everyMs: 100 }, settlement: false } });
    await made.give('ada', 2);
    await made.give('bob', 1);
    return { ...made, seats: () => made.app.metric('laurel_stream_listeners') };
  };
  const first = (stream: EventStream) => stream.next<RankPage>('standings');

  it('are all served where they are opened at once on a board that nobody listened to', async () => {
    const { listen, seats } = await startHeld();
    client.hold();
    const opening = [10, 50, 11].map((limit) => listen(`day/stream?limit=${limit}`));
    await waitUntil(async () => (await seats()) === 3 && client.waiting > 0);
    client.letGo();
    for (const stream of await Promise.all(opening)) expect((await first(stream)).data.total).toBe(2);
  });

  it('are served and disturb nobody where a longer one is opened while the board is read for a shorter one', async () => {
    const { give, listen, seats } = await startHeld();
    const short = await listen('day/stream?limit=10');
    await first(short);
    client.hold();
    await waitUntil(() => client.waiting > 0);
    const opening = listen('day/stream?limit=50');
    await waitUntil(async () => (await seats()) === 2);
    client.letGo();
    const long = await opening;
    await first(long);
    await give('cho', 5);
    for (const stream of [short, long]) {
      expect((await stream.next<RankPage>('standings', 1)).data.total).toBe(3);
      expect(stream.of('away')).toEqual([]);
    }
  });

  it('are all told of a change that is read for a shorter one while a longer one is opened', async () => {
    const { give, listen, seats } = await startHeld();
    const short = await listen('day/stream?limit=10');
    await first(short);
    await give('cho', 5);
    client.hold();
    await waitUntil(() => client.waiting > 0);
    const opening = ['50', '50&ranking=dense'].map((query) => listen(`day/stream?limit=${query}`));
    await waitUntil(async () => (await seats()) === 3);
    client.letGo();
    for (const stream of [short, ...(await Promise.all(opening))]) {
      await waitUntil(() => stream.of<RankPage>('standings').at(-1)?.data.total === 3);
      expect(stream.of('away')).toEqual([]);
    }
  });
});

it('all streams of a board cost one read at a time, whatever page each of them shows, and none when the last has left', async () => {
  const everyMs = 100;
  const server = await redisOfTest();
  const redis = new Redis(server.url);
  afterThisTest(() => redis.quit());
  const { give, listen } = await startStreaming({
    options: { redis: { url: server.url }, streams: { everyMs }, settlement: false },
  });
  await give('ada', 2);
  await give('bob', 1);
  const streams = [
    await listen('day/stream?limit=1'),
    await listen('day/stream?limit=50'),
    await listen('day/stream?ranking=dense'),
    await listen('day/stream?ranking=competition&titles=true'),
    await listen('day/stream', { 'x-user': 'bob' }),
  ];
  await Promise.all(streams.map((stream) => stream.next('standings')));

  // In this order: no read is counted before the time that it took is.
  const [fromMs, before] = [performance.now(), await scriptCalls(redis)];
  await waitUntil(async () => (await scriptCalls(redis)) - before >= 10, { what: 'ten reads' });
  const reads = (await scriptCalls(redis)) - before;
  expect(reads).toBeLessThanOrEqual((performance.now() - fromMs) / everyMs + 1);

  for (const stream of streams) stream.close();
  const left = async () => {
    const calls = await scriptCalls(redis);
    // Not a wait for something to happen: the time over which nothing may be read.
    await delay(4 * everyMs);
    return (await scriptCalls(redis)) === calls;
  };
  await waitUntil(left, { what: 'the end of the reading' });
});

it('while Redis is away, a stream says so, is opened to nobody, and goes on when it is back', async () => {
  const server = await redisOfTest();
  const { port, url } = server;
  const { app, give, listen } = await startStreaming({ options: { redis: { url } } });
  await give('ada', 2);
  const stream = await listen('day/stream', { 'x-user': 'ada' });
  await stream.next('standing');
  await server.stop();
  await stream.next('away');
  const refused = await app.get<ProblemBody>('/ranks/day/stream');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await app.get('/ranks/month/stream')).status).toBe(503);

  await redisOfTest({ port });
  const { data } = await stream.next<RankPage>('standings', 1);
  // This Redis kept nothing.
  expect(data.total).toBe(0);
  await give('bob', 1);
  expect((await stream.next<RankPage>('standings', 2)).data.total).toBe(1);
  expect(stream.of('away')).toHaveLength(1);
  expect((await app.get('/ranks/month')).status).toBe(200);
});
