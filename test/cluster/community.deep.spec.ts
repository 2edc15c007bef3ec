import { SettlementService, type Outcome, type LeaderboardConfig } from '@laurel/activity';
import type { ErasureReceipt, RankPage, RankStanding } from '@laurel/activity/internals';
import { activityEnvironment } from '@laurel/settings';
import { StreamProducer } from '@laurel/ingest';
import { Period, systemClock } from '@laurel/leaderboard';
import { mentions } from '../support/mentions';
import { ownCluster } from '../support/own-servers';
import { untilErased } from '../support/until-erased';
import { apiKey, ask, freshPrefix, Person, TestCommunity, untilPoints, waitUntil } from '../community/support';
import { dayMs } from '../support/clock';

/** A hostile id, which must not reach another user's keys or slot. */
const hostile = '{lr:16-0}:*[a-z]?\\:\n💥"';

interface SentEvent {
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly ownerId?: string;
  readonly occurredAt?: string;
}

describe('the community on a Redis Cluster of six nodes', () => {
  const prefix = freshPrefix();
  const stream = `${freshPrefix()}:in`;
  /** The app's clock runs as the machine's does, ahead of it by so much. */
  let aheadMs = 0;
  const clock = { now: () => systemClock.now() + aheadMs };
  let community: TestCommunity;
  afterAll(() => community.stop());
  const cluster = ownCluster({ masters: 3, replicas: 1 });

  beforeAll(async () => {
    const nodes = cluster.servers.nodes.map(({ host, port }) => `${host}:${port}`).join(',');
    const { redis, leaderboards = [] } = activityEnvironment({ REDIS_CLUSTER_NODES: nodes });
    if (!redis) throw new Error('The environment names a Cluster.');
    const recent: LeaderboardConfig = { name: 'recent', rolling: { days: 7 } };
    community = await TestCommunity.start(
      {
        redis,
        prefix,
        clock,
        latenessMs: 2 * dayMs,
        leaderboards: [...leaderboards, recent],
        limits: [
          { type: 'sliding', action: 'collect', max: 5, windowMs: 60_000, per: 'action' },
          { type: 'daily', action: 'comment', max: 5 },
        ],
      },
      { ingestStream: stream, settlement: { everyMs: 60_000 } },
    );
  });

  const asked = <Body>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
    ask<Body>(community.app, method, url, { token: apiKey, body });
  const record = async (events: readonly SentEvent[]): Promise<readonly Outcome[]> => {
    const { status, body, text } = await asked<{ results: Outcome[] }>('POST', '/activity/events', { events });
    if (status !== 200) throw new Error(`Recording gave ${status}: ${text}`);
    return body.results;
  };
  const page = async (path: string) => (await asked<RankPage>('GET', path)).body;
  const standingOf = async (userId: string, board = 'day') =>
    (await asked<RankStanding>('GET', `/ranks/${board}/users/${encodeURIComponent(userId)}`)).body;
  const views = (userId: string, count: number, from = 0): SentEvent[] =>
    Array.from({ length: count }, (_, i) => ({ userId, action: 'view', subject: `page ${from + i}` }));

  /** User n views n + 1 pages. */
  const crowd = Array.from({ length: 40 }, (_, n) => `user ${n}`);

  it('records what people do and what services send, on all masters, and ranks all in one order', async () => {
    const { app } = community;
    const [ann, bob] = [await Person.register(app), await Person.register(app)];
    const article = await ann.writes();
    await bob.does('PUT', `/articles/${article}/praise`);
    await bob.comments(article);
    await untilPoints(app, ann, 10);
    await untilPoints(app, bob, 5);
    await record(crowd.flatMap((userId, n) => views(userId, n + 1)));
    const { total, entries, next } = await page('/ranks/day?limit=100');
    const expected = [
      ...crowd.map((userId, n) => [userId, n + 1] as const),
      [ann.id, 10] as const,
      [bob.id, 5] as const,
    ];
    expect([total, next]).toEqual([42, null]);
    expect(new Map(entries.map(({ userId, score }) => [userId, score]))).toEqual(new Map(expected));
    expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, i) => i + 1));
    expect(entries.map(({ score }) => score)).toEqual(expected.map(([, score]) => score).sort((a, b) => b - a));
    for (const board of ['week', 'month', 'all', 'recent']) {
      const others = (await page(`/ranks/${board}?limit=100`)).entries;
      expect(others.map(({ score }) => score)).toEqual(entries.map(({ score }) => score));
      expect(new Set(others.map(({ userId }) => userId))).toEqual(new Set(entries.map(({ userId }) => userId)));
    }
    const place = entries.findIndex(({ userId }) => userId === bob.id) + 1;
    expect((await standingOf(bob.id)).entry).toMatchObject({ rank: place, score: 5, user: { name: bob.name } });
    for (const node of cluster.client.nodes('master')) expect(await node.dbsize()).toBeGreaterThan(20);
  });

  it('gives titles from counts that lie on all shards', async () => {
    await record(crowd.slice(0, 9).map((userId) => ({ userId, action: 'praise', subject: 'a', ownerId: 'user 39' })));
    await record([{ userId: 'user 1', action: 'comment', subject: 'a' }]);
    const { entries } = await page('/ranks/day?limit=100&titles=true');
    const titled = new Map(entries.map(({ userId, title }) => [userId, title?.id]));
    expect(titled.get('user 39')).toBe('most-praised');
    expect(entries.every(({ title }) => title !== undefined)).toBe(true);
    expect((await standingOf('user 39')).entry.title).toMatchObject({ id: 'most-praised' });
  });

  it('waits for what services send on one connection, and records it', async () => {
    const aged = async () => {
      const lists = await Promise.all(cluster.client.nodes('master').map((node) => node.client('LIST')));
      const readers = String(lists)
        .split('\n')
        .filter((one) => one.includes(' cmd=xreadgroup '));
      return readers.some((one) => Number(/\bage=(\d+)/.exec(one)?.[1]) >= 3);
    };
    await waitUntil(aged, { what: 'an old connection that reads', everyMs: 100 });
    await new StreamProducer({ redis: cluster.client, stream }).send([
      { userId: 'hal', action: 'praise', subject: 'a' },
    ]);
    await waitUntil(async () => (await cluster.client.xlen(stream)) === 0);
    expect((await standingOf('hal')).entry.score).toBe(2);
  });

  it.each(['gus', hostile])('erases %j on every master, with all that names them', async (userId) => {
    const others = [`${userId}x`, userId.slice(1)];
    const sent = [userId, ...others].flatMap((one) => [
      ...views(one, 2),
      { userId: one, action: 'collect', subject: 'a' },
      { userId: one, action: 'comment', subject: 'a' },
    ]);
    await record([...sent, { userId, action: 'follow', subject: `user:${userId}x` }]);
    aheadMs += 11_000;
    await page('/ranks/recent');
    await asked('PUT', `/activity/exclusions/${encodeURIComponent(userId)}`, { reason: 'staff' });
    await asked('POST', '/activity/reviews', { userId, reason: 'unsure' });
    expect((await mentions(cluster.client, prefix, userId)).length).toBeGreaterThan(10);
    const erase = async () =>
      untilErased(await asked<ErasureReceipt>('DELETE', `/activity/users/${encodeURIComponent(userId)}`), (path) =>
        asked<ErasureReceipt>('GET', path),
      );
    expect((await erase()).body.erased).toMatchObject({ ledgers: 1, named: 1, exclusions: 2, reviews: 1 });
    // Another user's id begins with this one.
    const named = await mentions(cluster.client, prefix, userId);
    expect(named.filter((text) => !text.includes(`${userId}x`))).toEqual([]);
    for (const other of others) expect((await standingOf(other)).entry.score).toBe(7);
    expect(new Set(Object.values((await erase()).body.erased))).toEqual(new Set([0]));
  });

  it('settles a day as it stood, into the database, and refuses what comes after', async () => {
    const day = Period.of('day', new Date(clock.now()), 'UTC');
    const shown = async () =>
      (await page(`/ranks/day?period=${day.key}&limit=100`)).entries.map(({ userId, rank, score }) => [
        userId,
        rank,
        score,
      ]);
    const before = await shown();
    expect(before.length).toBeGreaterThan(40);
    aheadMs += 4 * dayMs;
    const done = await community.app.get(SettlementService).settleDue();
    expect(done?.failed).toEqual([]);
    expect(done?.settled).toContainEqual(
      expect.objectContaining({ leaderboard: 'day', period: day.key, total: before.length }),
    );
    expect((await page(`/ranks/day?period=${day.key}`)).period.state).toBe('settled');
    const [late] = await record(views('user 3', 1, 50).map((one) => ({ ...one, occurredAt: day.start.toISOString() })));
    expect(late).toMatchObject({ boards: { day: 'closed' } });
    expect(await shown()).toEqual(before);
  });
});
