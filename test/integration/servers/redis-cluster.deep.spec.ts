import { type RedisCluster, startRedisCluster } from '@laurel/servers';
import { Cluster, Redis } from 'ioredis';
import { once } from 'node:events';
import { waitUntil } from '../../support/wait-until';

describe('a private Redis Cluster', () => {
  let cluster: RedisCluster;
  let client: Cluster;

  beforeAll(async () => {
    cluster = await startRedisCluster({ masters: 3, replicas: 1, nodeTimeoutMs: 1_000 });
    client = new Cluster([...cluster.nodes]);
    client.on('error', () => undefined); // expected while a master is away
    await once(client, 'ready');
  });
  afterAll(async () => {
    client.disconnect();
    await cluster.kill();
  });

  it('has three masters with equal shares of the slots, each with a replica', async () => {
    const node = new Redis(cluster.servers[0]?.url ?? '');
    const runs = await node.cluster('SLOTS');
    node.disconnect();
    expect(runs.map(([first, last]) => Number(last) - Number(first) + 1).sort()).toEqual([5461, 5461, 5462]);
    expect(runs.map(([, , ...owners]) => owners.length)).toEqual([2, 2, 2]);
  });

  it('spreads keys over all masters', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => client.set(`key-${n}`, n)));
    const sizes = await Promise.all(client.nodes('master').map((node) => node.dbsize()));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(60);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  it('puts the replica in the place of a killed master, and takes the master back as a replica', async () => {
    const [master] = cluster.servers;
    await client.set('{before}', 'kept');
    await master?.kill();
    const writes = async (): Promise<boolean> => {
      await Promise.all(Array.from({ length: 20 }, (_, n) => client.set(`after-${n}`, n)));
      return true;
    };
    await waitUntil(writes, { withinMs: 60_000, what: 'the election of a new master' });
    expect(await client.get('{before}')).toBe('kept');

    await master?.restart();
    const node = new Redis(master?.url ?? '');
    const isReplica = async (): Promise<boolean> => (await node.info('replication')).includes('master_link_status:up');
    await waitUntil(isReplica, { withinMs: 60_000, what: 'the return of the old master as a replica' });
    node.disconnect();
  });

  it('refuses a count that is none', async () => {
    await expect(startRedisCluster({ masters: 0 })).rejects.toMatchObject({
      code: 'invalidOption',
      message: 'masters is 0: use a whole number from 1 to 100.',
    });
  });
});
