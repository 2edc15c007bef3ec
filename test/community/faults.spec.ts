import { type RedisServer, startRedis } from '@laurel/servers';
import { waitUntil } from '../support/wait-until';
import { TestCommunity } from './support/community';
import { ask, Person } from './support/person';
import { untilPoints } from './support/points';

describe('the community while Redis or the database is away', () => {
  let redis: RedisServer;
  let community: TestCommunity;
  let person: Person;
  let article: string;

  beforeAll(async () => {
    redis = await startRedis();
    community = await TestCommunity.start({ redis: { url: redis.url }, recordTimeoutMs: 10_000 });
    person = await Person.register(community.app);
    article = await person.writes();
    await untilPoints(community.app, person, 10);
  });
  afterAll(async () => {
    await community.stop();
    await redis.stop();
  });

  it('serves everything but ranks, says so, and goes on when Redis is back', async () => {
    await redis.stop();
    const { app } = community;
    await waitUntil(async () => (await ask(app, 'GET', '/health/ready')).status === 503);
    const ready = await ask(app, 'GET', '/health/ready');
    expect(ready.body).toMatchObject({ status: 503, errors: [{ path: 'redis', message: expect.any(String) }] });
    expect((await ask(app, 'GET', '/health/live')).status).toBe(200);

    const startedMs = performance.now();
    const ranks = await ask(app, 'GET', '/ranks/day');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(ranks.status).toBe(503);
    expect(Number(ranks.headers['retry-after'])).toBeGreaterThan(0);
    expect(ranks.headers['content-type']).toMatch(/^application\/problem\+json/);

    const reader = await Person.register(app);
    expect((await reader.does('GET', `/articles/${article}`)).status).toBe(200);
    expect((await reader.does('PUT', `/articles/${article}/praise`)).status).toBe(204);
    expect((await ask(app, 'GET', '/')).status).toBe(200);

    await redis.restart();
    await waitUntil(async () => (await ask(app, 'GET', '/health/ready')).status === 200);
    // What was done while Redis was away waited for it: the praise and the visit.
    await untilPoints(app, reader, 3);
  });

  it('answers 503 with Retry-After while the database is away, and ranks without names', async () => {
    await community.postgres.kill();
    const { app } = community;
    for (const url of ['/articles', `/articles/${article}`, `/users/${person.id}`]) {
      const { status, headers, body } = await ask(app, 'GET', url);
      expect([url, status, body]).toMatchObject([url, 503, { status: 503, title: 'Service Unavailable' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await person.does('PUT', `/articles/${article}/praise`)).status).toBe(503);
    const ready = await waitUntil(async () => {
      const answer = await ask(app, 'GET', '/health/ready');
      return answer.status === 503 ? answer : null;
    });
    expect(ready.body).toMatchObject({ errors: [{ path: 'database' }] });
    const ranks = await ask<{ entries: { user: unknown }[] }>(app, 'GET', '/ranks/day');
    expect(ranks.status).toBe(200);
    expect(ranks.body.entries.every(({ user }) => user === null)).toBe(true);
  });
});
