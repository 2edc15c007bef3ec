import { Paicoding } from '../support/paicoding';
import { ownCluster } from '../support/own-servers';
import { freshPrefix } from '../support/redis';
import { runCli } from '../support/run-cli';

const cluster = ownCluster({ nodeTimeoutMs: 60_000 });

it('laurel migrate on a Redis Cluster takes over what lies on any of its masters, and again only what changed', async () => {
  const [prefix, { client }] = [freshPrefix(), cluster];
  const env = {
    REDIS_CLUSTER_NODES: cluster.servers.nodes.map(({ host, port }) => `${host}:${port}`).join(','),
    LAUREL_PREFIX: prefix,
  };
  const run = async (...args: readonly string[]) => {
    const { exitCode, out, err } = await runCli(args, { env });
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    return out;
  };
  const old = new Paicoding(client);
  for (let user = 1; user <= 40; user += 1) {
    for (let article = user % 3; article < 4; article += 1) {
      await old.addActivityScore(user, { articleId: article, praise: true });
    }
  }
  const migrate = async () => JSON.parse(await run('migrate', 'paicoding', '--json')) as unknown;
  expect(await migrate()).toMatchObject({ activities: { outcomes: { granted: 120 } }, boards: { takenOver: 0 } });
  await old.addActivityScore(40, { articleId: 3, praise: false });
  expect(await migrate()).toMatchObject({ activities: { activities: 1, outcomes: { revoked: 1 } }, unchanged: 119 });

  const members = Array.from({ length: 1_200 }, (_, n) => [`${n + 1}`, `u${n}`]).flat();
  await client.zadd('points', ...members);
  expect(JSON.parse(await run('migrate', 'zset', 'points', '--leaderboard', 'all', '--json'))).toMatchObject({
    ...{ takenOver: 1_200, points: (1_200 * 1_201) / 2 },
  });
  await client.zincrby('points', 3, 'u7');
  expect(JSON.parse(await run('migrate', 'zset', 'points', '--leaderboard', 'all', '--json'))).toMatchObject({
    ...{ takenOver: 1, unchanged: 1_199, points: 3 },
  });
  expect(await run('verify')).toMatch(/: 0 differences\.\n$/);
});
