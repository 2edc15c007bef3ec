import { ActivityHealth, ActivityService, type RankPage } from '../../../libs/activity/src';
import { startRedisCluster, type RedisCluster } from '../../../libs/servers/src';
import { freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from './support/tiny-app';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startRedisCluster({ masters: 3, replicas: 0 });
});
afterEach(stopTinyApps);
afterAll(() => cluster.stop());

const start = () => TinyApp.start({ options: { redis: { nodes: cluster.nodes }, prefix: freshPrefix() } });

/** User n has n % 7 points. */
const users = Array.from({ length: 60 }, (_, n) => ({ userId: `user ${n}`, score: n % 7 }));
const views = users.flatMap(({ userId, score }) =>
  Array.from({ length: score }, (_, page) => ({ userId, action: 'view', subject: `${page}` })),
);
const scores = users
  .map(({ score }) => score)
  .filter((score) => score > 0)
  .sort((a, b) => b - a);

describe('an app on a Redis Cluster', () => {
  it('records over all masters and reads one order from them', async () => {
    const app = await start();
    const outcomes = await app.nest.get(ActivityService).record(views);
    expect(outcomes.every(({ outcome }) => outcome === 'granted')).toBe(true);
    const { body } = await app.get<RankPage>('/ranks/day?limit=100');
    expect(body.total).toBe(scores.length);
    expect(body.entries.map(({ score }) => score)).toEqual(scores);
    expect(await app.nest.get(ActivityHealth).check('redis')).toEqual({ redis: { status: 'up' } });
  });

  it('refuses ranks while the Cluster is away, and needs no restart when it is back', async () => {
    const app = await start();
    const service = app.nest.get(ActivityService);
    await service.record(views);
    await Promise.all(cluster.servers.map((server) => server.kill()));
    await waitUntil(async () => (await app.get('/ranks/day')).status === 503);
    await Promise.all(cluster.servers.map((server) => server.restart()));
    await waitUntil(async () => (await app.get('/ranks/day')).status === 200, { withinMs: 30_000 });
    const { body } = await app.get<RankPage>('/ranks/day?limit=100');
    expect(body.entries.map(({ score }) => score)).toEqual(scores);
    expect(await service.record(views)).toEqual(
      views.map(() => expect.objectContaining({ outcome: 'duplicate' }) as unknown),
    );
  });
});
