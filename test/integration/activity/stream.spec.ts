import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { METRICS_REGISTRY, USER_DIRECTORY } from '@laurel/activity';
import type { OvertakenEvent, RankPage, StandingEvent } from '@laurel/activity/internals';
import type { HttpRequest } from '../../../libs/activity/src/http/request';
import { startRedis, type RedisServer } from '@laurel/servers';
import { ManualClock } from '../../support/clock';
import { closeEventStreams, EventStream } from '../../support/event-stream';
import { closeTestRedis, freshPrefix, testRedisUrl } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import type { ProblemBody } from './support/problem-body';
import { platforms, stopTinyApps, TinyApp, type TinyAppOptions } from './support/tiny-app';

afterEach(async () => {
  closeEventStreams();
  await stopTinyApps();
});
afterAll(closeTestRedis);

const morning = '2036-11-20T08:00:00.000Z';

async function start(given: TinyAppOptions = {}) {
  const clock = new ManualClock(morning);
  const app = await TinyApp.start({
    ...given,
    options: {
      clock,
      rules: [{ action: 'praise', points: 1, revocable: true }],
      streams: { everyMs: 100 },
      currentUser: (request) => String((request as HttpRequest).headers['x-user'] ?? '') || null,
      ...given.options,
    },
  });
  const url = await app.nest.getUrl();
  let subject = 0;
  return {
    app,
    clock,
    /** So many points for a user, a second later than the ones before. */
    give: async (userId: string, points: number) => {
      clock.advance(1_000);
      await app.record(
        ...Array.from({ length: points }, () => ({ userId, action: 'praise', subject: `${subject++}` })),
      );
    },
    listen: (path: string, headers: Record<string, string> = {}) => EventStream.open(`${url}/ranks/${path}`, headers),
  };
}

const places = ({ entries }: RankPage) => entries.map(({ userId, score }) => [userId, score]);

describe.each(platforms)('GET /ranks/:leaderboard/stream on %s', (platform) => {
  it('sends the page at once, with the id by which a poller would know it, and again when it changes', async () => {
    const { app, give, listen } = await start({ platform });
    await give('ada', 2);
    const stream = await listen('day/stream?limit=5');
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    const first = await stream.next<RankPage>('standings');
    expect(stream.retryMs).toBe(2_000);
    const polled = await app.get<RankPage>('/ranks/day?limit=5');
    expect(first.data).toEqual(polled.body);
    expect(polled.headers.get('etag')).toBe(`"${first.id}"`);

    await give('bob', 3);
    const second = await stream.next<RankPage>('standings', 1);
    expect(places(second.data)).toEqual([
      ['bob', 3],
      ['ada', 2],
    ]);
    expect(second.id).not.toBe(first.id);
    expect(stream.events).toHaveLength(2);
  });

  it('sends nothing again to a client that comes back with the last event', async () => {
    const { give, listen } = await start({ platform });
    await give('ada', 2);
    const stream = await listen('day/stream');
    const { id = '' } = await stream.next('standings');
    stream.close();

    const again = await listen('day/stream', { 'last-event-id': id });
    await give('bob', 1);
    const { data } = await again.next<RankPage>('standings');
    expect(data.total).toBe(2);

    const other = await listen('day/stream', { 'last-event-id': id });
    expect((await other.next<RankPage>('standings')).data.total).toBe(2);
  });

  it('refuses what a stream cannot tell, in problem documents', async () => {
    const { app } = await start({ platform, options: { streams: { everyMs: 100, maxPerAddress: 1 } } });
    const stream = (query: string) => app.get<ProblemBody>(`/ranks/day/stream${query}`);
    for (const query of ['?period=previous', '?offset=3', '?cursor=x', '?limit=0', '?ranking=best', '?partition=a']) {
      const { status, headers } = await stream(query);
      expect([query, status]).toEqual([query, 400]);
      expect(headers.get('content-type')).toContain('application/problem+json');
    }
    expect((await stream('?period=previous')).body.errors).toEqual([
      { path: 'period', message: 'must be current: a stream follows it; other periods are read by GET /ranks' },
    ]);
    expect((await app.get('/ranks/year/stream')).status).toBe(404);
  });

  it('answers HEAD with the head alone', async () => {
    const { app } = await start({ platform });
    const { status, headers } = await app.send('/ranks/day/stream', { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('lets in so many of an address, of a user and in all, and counts those it sends away', async () => {
    const streams = { everyMs: 100, maxPerAddress: 3, maxPerUser: 1, maxListeners: 10 };
    const { app, listen } = await start({ platform, options: { streams } });
    const first = await listen('day/stream', { 'x-user': 'ada' });
    await expect(listen('day/stream', { 'x-user': 'ada' })).rejects.toThrow('429 application/problem+json');
    await listen('day/stream');
    await listen('month/stream');
    const refused = await app.get<ProblemBody>('/ranks/day/stream');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.body.type).toBe('urn:laurel:problem:tooManyStreams');
    const metrics = () => app.nest.get<Registry>(METRICS_REGISTRY).metrics();
    expect(await metrics()).toContain('laurel_stream_listeners 3');
    expect(await metrics()).toContain('laurel_stream_refused_total{reason="tooMany"} 2');

    first.close();
    await waitUntil(async () => (await metrics()).includes('laurel_stream_listeners 2'));
    await listen('day/stream', { 'x-user': 'ada' });
  });

  it('gives back the seats of streams that wait behind another on their connection, when it closes', async () => {
    const streams = { everyMs: 100, maxPerAddress: 4 };
    const { app } = await start({ platform, options: { streams } });
    const metrics = () => app.nest.get<Registry>(METRICS_REGISTRY).metrics();
    const listening = (count: number) =>
      waitUntil(async () => (await metrics()).includes(`laurel_stream_listeners ${count}\n`));
    const { port } = new URL(await app.nest.getUrl());
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /ranks/day/stream HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    await listening(4);
    expect((await app.get('/ranks/day/stream')).status).toBe(429);
    socket.destroy();
    await listening(0);
  });

  it('answers 503 past the most that it serves', async () => {
    const { app, listen } = await start({ platform, options: { streams: { everyMs: 100, maxListeners: 1 } } });
    await listen('day/stream');
    const { status, headers } = await app.get('/ranks/day/stream');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('ends open streams when the app stops, which does not wait for them', async () => {
    const { app, listen } = await start({ platform });
    const stream = await listen('day/stream');
    await stream.next('standings');
    const startedMs = performance.now();
    await app.nest.close();
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    await waitUntil(() => stream.isEnded);
    expect(stream.events.at(-1)).toEqual({ event: 'closing', id: undefined, data: {} });
  });
});

describe('a stream', () => {
  it('goes on with the new period when the old one ends', async () => {
    const { clock, give, listen } = await start();
    await give('ada', 2);
    const stream = await listen('day/stream');
    await stream.next('standings');
    clock.set('2036-11-21T00:00:00.000Z');
    const { data } = await stream.next<RankPage>('standings', 1);
    expect(data).toMatchObject({ period: { key: '2036-11-21', state: 'open' }, total: 0, entries: [] });
    await give('bob', 1);
    expect((await stream.next<RankPage>('standings', 2)).data).toMatchObject({
      total: 1,
      entries: [{ userId: 'bob' }],
    });
  });

  it('tells signed-in users where they stand, and who passed them', async () => {
    const { give, listen } = await start();
    await give('ada', 2);
    await give('bob', 1);
    const stream = await listen('day/stream?limit=1', { 'x-user': 'ada' });
    expect((await stream.next<StandingEvent>('standing')).data).toEqual({
      leaderboard: 'day',
      period: '2036-11-20',
      total: 2,
      entry: { userId: 'ada', rank: 1, score: 2, reachedAt: '2036-11-20T08:00:01.000Z' },
    });

    await give('bob', 4);
    expect((await stream.next<OvertakenEvent>('overtaken')).data).toEqual({
      leaderboard: 'day',
      period: '2036-11-20',
      rank: 2,
      places: 1,
      by: { userId: 'bob', score: 5, user: null },
    });
    expect((await stream.next<StandingEvent>('standing', 1)).data.entry.rank).toBe(2);
  });

  it('does not call it overtaken if the user’s own points fell', async () => {
    const { app, give, listen } = await start();
    await give('ada', 3);
    await give('bob', 2);
    const stream = await listen('day/stream', { 'x-user': 'ada' });
    await stream.next('standing');
    await app.record(...['0', '1'].map((subject) => ({ userId: 'ada', action: 'praise', subject, revoke: true })));
    const { data } = await stream.next<StandingEvent>('standing', 1);
    expect(data.entry).toMatchObject({ rank: 2, score: 1 });
    await give('bob', 1);
    await stream.next('standings', 2);
    expect(stream.of('overtaken')).toEqual([]);
  });

  it('says nothing to who is not signed in but the page', async () => {
    const { give, listen } = await start();
    await give('ada', 2);
    const stream = await listen('day/stream');
    await give('bob', 4);
    await stream.next('standings', 1);
    expect(new Set(stream.events.map(({ event }) => event))).toEqual(new Set(['standings']));
  });

  it('sends a comment where there is nothing else to say, however seldom the board is read', async () => {
    const { listen } = await start({ options: { streams: { everyMs: 60_000, heartbeatMs: 200 } } });
    const stream = await listen('day/stream');
    await waitUntil(() => stream.comments.filter((comment) => comment === 'alive').length >= 2);
    expect(stream.of('standings')).toHaveLength(1);
  });

  it('tells names and titles once more when what was kept of them has passed', async () => {
    let name = 'Ada';
    const find = (userIds: readonly string[]) =>
      Promise.resolve(new Map(userIds.map((userId) => [userId, { name, avatarUrl: null }])));
    @Module({ providers: [{ provide: USER_DIRECTORY, useValue: { find } }], exports: [USER_DIRECTORY] })
    class DirectoryModule {}
    const { clock, give, listen } = await start({
      options: { streams: { everyMs: 100 }, cacheMs: 0, titles: { cacheMs: 5_000 } },
      extras: { imports: [DirectoryModule] },
    });
    await give('ada', 1);
    const stream = await listen('day/stream');
    expect((await stream.next<RankPage>('standings')).data.entries[0]?.user?.name).toBe('Ada');
    name = 'Augusta';
    clock.advance(5_000);
    expect((await stream.next<RankPage>('standings', 1)).data.entries[0]?.user?.name).toBe('Augusta');
  });

  it('takes users off it as they are excluded', async () => {
    const { app, give, listen } = await start();
    await give('ada', 2);
    await give('bob', 1);
    const stream = await listen('day/stream');
    await stream.next('standings');
    await app.send('/activity/exclusions/ada', {
      method: 'PUT',
      body: '{}',
      headers: { authorization: 'Bearer the-key-of-the-tests', 'content-type': 'application/json' },
    });
    expect(places((await stream.next<RankPage>('standings', 1)).data)).toEqual([['bob', 1]]);
  });

  it('serves the parts of a partitioned leaderboard each by itself', async () => {
    const leaderboards = [{ name: 'category', period: 'day', partition: 'category' }] as const;
    const { app, listen } = await start({ options: { leaderboards } });
    const java = await listen('category/stream?partition=java');
    const rust = await listen('category/stream?partition=rust');
    await app.record({ userId: 'ada', action: 'praise', subject: 'a', partitions: { category: 'java' } });
    expect((await java.next<RankPage>('standings', 1)).data).toMatchObject({ partition: 'java', total: 1 });
    expect(rust.of('standings')).toHaveLength(1);
  });
});

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
  beforeEach(() => (client = new HeldRedis(testRedisUrl())));
  afterEach(async () => {
    client.letGo();
    closeEventStreams();
    await stopTinyApps();
    await client.quit();
  });

  const startHeld = async () => {
    const made = await start({ options: { redis: { client }, streams: { everyMs: 100 }, settlement: false } });
    await made.give('ada', 2);
    await made.give('bob', 1);
    const seats = async () => {
      const registry = made.app.nest.get<Registry>(METRICS_REGISTRY);
      return Number(/^laurel_stream_listeners (\d+)$/m.exec(await registry.metrics())?.[1]);
    };
    return { ...made, seats };
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

describe('all streams of a board', () => {
  let server: RedisServer | undefined;
  let client: Redis | undefined;
  afterEach(async () => {
    await stopTinyApps();
    await client?.quit();
    await server?.stop();
    [server, client] = [undefined, undefined];
  });

  it('cost one read at a time, whatever page each of them shows, and none when the last has left', async () => {
    const everyMs = 100;
    server = await startRedis();
    client = new Redis(server.url);
    const redis = client;
    const { give, listen } = await start({
      options: { redis: { url: server.url }, prefix: freshPrefix(), streams: { everyMs }, settlement: false },
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
});

/** How many scripts a Redis was sent so far: every read of standings is one. */
async function scriptCalls(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/cmdstat_(?:evalsha|eval):calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

describe('while Redis is away, a stream', () => {
  let server: RedisServer | undefined;
  afterEach(async () => {
    await stopTinyApps();
    await server?.stop();
    server = undefined;
  });

  it('says so, is opened to nobody, and goes on when it is back', async () => {
    server = await startRedis();
    const { port, url } = server;
    const { app, give, listen } = await start({ options: { redis: { url }, prefix: freshPrefix() } });
    await give('ada', 2);
    const stream = await listen('day/stream', { 'x-user': 'ada' });
    await stream.next('standing');
    await server.stop();
    await stream.next('away');
    const refused = await app.get<ProblemBody>('/ranks/day/stream');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await app.get('/ranks/month/stream')).status).toBe(503);

    server = await startRedis({ port });
    const { data } = await stream.next<RankPage>('standings', 1);
    // This Redis kept nothing.
    expect(data.total).toBe(0);
    await give('bob', 1);
    expect((await stream.next<RankPage>('standings', 2)).data.total).toBe(1);
    expect(stream.of('away')).toHaveLength(1);
    expect((await app.get('/ranks/month')).status).toBe(200);
  });
});
