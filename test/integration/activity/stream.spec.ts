import type { ServerResponse } from 'node:http';
import http2 from 'node:http2';
import { connect } from 'node:net';
import type { OvertakenEvent, RankPage, StandingEvent } from '@laurel/activity/internals';
import type { EventStream } from '../../support/event-stream';
import { oneStreaming, startStreaming } from './support/streaming';
import { directoryOf, platforms, type ProblemBody, waitUntil, withKey } from './support';

const places = ({ entries }: RankPage) => entries.map(({ userId, score }) => `${userId} ${score}`);

describe.each(platforms)('GET /ranks/:leaderboard/stream on %s', (platform) => {
  const shared = oneStreaming({ platform });

  it('sends the page at once, with the id by which a poller would know it, and again when it changes', async () => {
    const { app, give, listen } = shared();
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
    expect(places(second.data)).toEqual(['bob 3', 'ada 2']);
    expect(second.id).not.toBe(first.id);
    expect(stream.events).toHaveLength(2);
  });

  it('sends nothing again to a client that comes back with the last event', async () => {
    const { give, listen } = shared();
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
    const { app } = shared();
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
    const { app } = shared();
    const { status, headers } = await app.send('/ranks/day/stream', { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('lets in so many of an address, of a user and in all, and counts those it sends away', async () => {
    const streams = { everyMs: 100, maxPerAddress: 3, maxPerUser: 1, maxListeners: 10 };
    const { app, listen } = await startStreaming({ platform, options: { streams } });
    const first = await listen('day/stream', { 'x-user': 'ada' });
    await expect(listen('day/stream', { 'x-user': 'ada' })).rejects.toThrow('429 application/problem+json');
    await listen('day/stream');
    await listen('month/stream');
    const refused = await app.get<ProblemBody>('/ranks/day/stream');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.body.type).toBe('urn:laurel:problem:tooManyStreams');
    expect(await app.metric('laurel_stream_listeners')).toBe(3);
    expect(await app.metric('laurel_stream_refused_total{reason="tooMany"}')).toBe(2);

    first.close();
    await waitUntil(async () => (await app.metric('laurel_stream_listeners')) === 2);
    await listen('day/stream', { 'x-user': 'ada' });
  });

  it('gives back the seats of streams that wait behind another on their connection, when it closes', async () => {
    const streams = { everyMs: 100, maxPerAddress: 4 };
    const { app } = await startStreaming({ platform, options: { streams } });
    const listening = (count: number) => waitUntil(async () => (await app.metric('laurel_stream_listeners')) === count);
    const { port } = new URL(await app.nest.getUrl());
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /ranks/day/stream HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    await listening(4);
    expect((await app.get('/ranks/day/stream')).status).toBe(429);
    socket.destroy();
    await listening(0);
  });

  it('answers 503 past the most that it serves', async () => {
    const { app, listen } = await startStreaming({ platform, options: { streams: { everyMs: 100, maxListeners: 1 } } });
    await listen('day/stream');
    const { status, headers } = await app.get('/ranks/day/stream');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('ends open streams when the app stops, and sends new ones away so that an EventSource comes again', async () => {
    const came: EventStream[] = [];
    const late = { provide: 'late', useValue: { beforeApplicationShutdown: async () => came.push(await ask()) } };
    // Its hook comes last.
    const imports = [{ module: class Late {}, global: true, providers: [late] }];
    const { listen, app } = await startStreaming({ platform, imports });
    const ask = () => listen('day/stream');
    const stream = await listen('day/stream');
    await stream.next('standings');
    await app.nest.close();
    for (const one of [stream, ...came]) {
      await waitUntil(() => one.isEnded);
      expect(one.events.at(-1)).toEqual({ event: 'closing', id: undefined, data: {} });
      expect(one.retryMs).toBe(2_000);
    }
    expect(came[0]?.events).toHaveLength(1);
  });

  it('leaves the seat of a stream that was answered by another while its board was read', async () => {
    const answer = (_: unknown, response: ServerResponse, next: () => void) => void (response.end('late'), next());
    const { app } = await startStreaming({ platform, configure: (nest) => nest.use('/ranks/day/stream', answer) });
    expect((await app.get('/ranks/day/stream')).body).toBe('late');
    await waitUntil(async () => (await app.metric('laurel_stream_listeners')) === 0);
  });
});

it('streams over HTTP/2', async () => {
  const { app } = await startStreaming({ platform: 'http2' });
  const session = http2.connect(await app.nest.getUrl());
  const stream = session.request({ ':path': '/ranks/day/stream' });
  let text = '';
  stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await waitUntil(() => text.includes('"total":0'));
  await app.service.record({ userId: 'ada', action: 'praise', subject: 'an article' });
  await waitUntil(() => text.includes('"total":1'));
  const stopped = app.nest.close();
  await waitUntil(() => stream.closed);
  expect(text).toContain('event: closing');
  session.destroy();
  await stopped;
});

describe('a stream', () => {
  const shared = oneStreaming();

  it('goes on with the new period when the old one ends', async () => {
    const { clock, give, listen } = shared();
    await give('ada', 2);
    const stream = await listen('day/stream');
    await stream.next('standings');
    clock.set(Math.ceil(clock.now() / 86_400_000) * 86_400_000);
    const { data } = await stream.next<RankPage>('standings', 1);
    const key = new Date(clock.now()).toISOString().slice(0, 10);
    expect(data).toMatchObject({ period: { key, state: 'open' }, total: 0, entries: [] });
    await give('bob', 1);
    expect((await stream.next<RankPage>('standings', 2)).data).toMatchObject({
      total: 1,
      entries: [{ userId: 'bob' }],
    });
  });

  it('tells signed-in users where they stand, and who passed them', async () => {
    const { clock, give, listen } = shared();
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    await give('ada', 2);
    await give('bob', 1);
    const stream = await listen('day/stream?limit=1', { 'x-user': 'ada' });
    expect((await stream.next<StandingEvent>('standing')).data).toEqual({
      leaderboard: 'day',
      period: today,
      total: 2,
      entry: { userId: 'ada', rank: 1, score: 2, reachedAt: `${today}T08:00:01.000Z` },
    });

    await give('bob', 4);
    expect((await stream.next<OvertakenEvent>('overtaken')).data).toEqual({
      leaderboard: 'day',
      period: today,
      rank: 2,
      places: 1,
      by: { userId: 'bob', score: 5, user: null },
    });
    expect((await stream.next<StandingEvent>('standing', 1)).data.entry.rank).toBe(2);
  });

  it('does not call it overtaken if the user’s own points fell', async () => {
    const { app, give, listen } = shared();
    const praises = await give('ada', 3);
    await give('bob', 2);
    const stream = await listen('day/stream', { 'x-user': 'ada' });
    await stream.next('standing');
    await app.record(...praises.slice(1).map((praise) => ({ ...praise, revoke: true })));
    const { data } = await stream.next<StandingEvent>('standing', 1);
    expect(data.entry).toMatchObject({ rank: 2, score: 1 });
    await give('bob', 1);
    await stream.next('standings', 2);
    expect(stream.of('overtaken')).toEqual([]);
  });

  it('tells names and titles once more when what was kept of them has passed', async () => {
    let name = 'Ada';
    const find = (userIds: readonly string[]) =>
      Promise.resolve(new Map(userIds.map((userId) => [userId, { name, avatarUrl: null }])));
    const { clock, give, listen } = await startStreaming({
      options: { streams: { everyMs: 100 }, cacheMs: 0, titles: { cacheMs: 5_000 } },
      extras: { imports: [directoryOf({ find })] },
    });
    await give('ada', 1);
    const stream = await listen('day/stream');
    expect((await stream.next<RankPage>('standings')).data.entries[0]?.user?.name).toBe('Ada');
    name = 'Augusta';
    clock.advance(5_000);
    expect((await stream.next<RankPage>('standings', 1)).data.entries[0]?.user?.name).toBe('Augusta');
  });

  it('takes users off it as they are excluded', async () => {
    const { app, give, listen } = shared();
    await give('eve', 2);
    await give('bob', 1);
    const stream = await listen('day/stream');
    await stream.next('standings');
    await app.send('/activity/exclusions/eve', { method: 'PUT', headers: withKey });
    expect(places((await stream.next<RankPage>('standings', 1)).data)).toEqual(['bob 1']);
  });

  it('serves the parts of a partitioned leaderboard each by itself', async () => {
    const leaderboards = [{ name: 'category', period: 'day', partition: 'category' }] as const;
    const { app, listen } = await startStreaming({ options: { leaderboards } });
    const java = await listen('category/stream?partition=java');
    const rust = await listen('category/stream?partition=rust');
    await app.record({ userId: 'ada', action: 'praise', subject: 'a', partitions: { category: 'java' } });
    expect((await java.next<RankPage>('standings', 1)).data).toMatchObject({ partition: 'java', total: 1 });
    expect(rust.of('standings')).toHaveLength(1);
  });
});
