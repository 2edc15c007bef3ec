import { askedOf } from '../../apps/bench/src/cluster/requests';
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
      'own standing': { sent: 7, steps: 1 },
      around: { sent: 2, steps: 2 },
      'lookup of 50': { sent: 3, steps: 1 },
      'page at the middle': { sent: 3, steps: 2 },
      'points of 31 days': { sent: 34, steps: 3 },
    });
  });

  it.each([16, 64])('is a call or two for each master of a Cluster, on %d shards', async (shards) => {
    const costs = await costsOf(cluster as Servers, shards);
    const atMost = (sent: number, steps: number) => ({ sent, steps, isWithin: true });
    const bounds: Record<string, { sent: number; steps: number }> = {
      'own standing': atMost(18, 2),
      around: atMost(10, 4),
      'lookup of 50': atMost(15, 2),
      'page at the middle': atMost(24, 7),
      'points of 31 days': atMost(130, 4),
    };
    for (const [name, { sent, steps }] of Object.entries(costs)) {
      const bound = bounds[name] as { sent: number; steps: number };
      expect({ name, sent, steps, isWithin: sent <= bound.sent && steps <= bound.steps }).toEqual({
        name,
        sent,
        steps,
        isWithin: true,
      });
    }
  });
});
