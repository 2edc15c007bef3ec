// Private: the bounds are of what the bench measures, asked in the same way.
import { askedOf } from '../../apps/bench/src/cluster/requests';
// Private: as above.
import { openCluster, openOneRedis, RankApp, type Servers } from '../../apps/bench/src/cluster/rank-app';

const members = 2_000;

/** Commands sent, and steps, of each request of `npm run bench -- --only cluster`, when nothing shared is cached. */
async function costsOf(servers: Servers, shards: number): Promise<Record<string, { sent: number; steps: number }>> {
  const app = await RankApp.open(servers, shards, members);
  const costs: Record<string, { sent: number; steps: number }> = {};
  let user = 1_000;
  for (const { name, ask } of askedOf(members)) {
    // Scripts that are new to a server are sent twice.
    for (let warm = 0; warm < 3; warm++) await ask(app, (user += 1));
    app.pass();
    costs[name] = await app.count.of(() => ask(app, (user += 1)));
  }
  await app.nest.close();
  return costs;
}

describe('what a request costs', () => {
  let [one, cluster]: Servers[] = [];

  beforeAll(async () => {
    [one, cluster] = [await openOneRedis(), await openCluster()];
  });
  afterAll(() => Promise.all([one?.stop(), cluster?.stop()]));

  it('is a command or few on one shard', async () => {
    expect(await costsOf(one as Servers, 1)).toEqual({
      'own standing': { sent: 8, steps: 1 },
      around: { sent: 2, steps: 2 },
      'lookup of 50': { sent: 3, steps: 1 },
      'page at the middle': { sent: 3, steps: 2 },
      'points of 31 days': { sent: 34, steps: 3 },
    });
  });

  it.each([16, 64])('is a call or two for each master of a Cluster, on %d shards', async (shards) => {
    const bounds: Record<string, { sent: number; steps: number }> = {
      'own standing': { sent: 18, steps: 2 },
      around: { sent: 10, steps: 4 },
      'lookup of 50': { sent: 15, steps: 2 },
      'page at the middle': { sent: 24, steps: 7 },
      'points of 31 days': { sent: 130, steps: 4 },
    };
    const costs = await costsOf(cluster as Servers, shards);
    expect(Object.keys(costs)).toEqual(Object.keys(bounds));
    for (const [name, { sent, steps }] of Object.entries(costs)) {
      const most = bounds[name] as { sent: number; steps: number };
      // What is within its bound stands for the bound itself: a failure names the request and both counts.
      expect([name, Math.max(sent, most.sent), Math.max(steps, most.steps)]).toEqual([name, most.sent, most.steps]);
    }
  });
});
