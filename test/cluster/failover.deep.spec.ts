import { shardTags } from '@laurel/leaderboard/internals';
import clusterKeySlot from 'cluster-key-slot';
import { keys } from '../support/keys';
import { judgedBoard, reading, shards, writing } from '../support/cluster-traffic';
import { ownCluster } from '../support/own-servers';
import { freshPrefix } from '../support/redis';

describe('when a master is killed and its replica takes its place', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1, nodeTimeoutMs: 1_000 });

  /** The slot of the first shard of a board or ledger. */
  const slotOf = (key: string): number => clusterKeySlot(keys.entries(key, shardTags(shards)[0] ?? ''));

  /** Waits until what this client wrote is on a replica of every master. */
  async function replicated(): Promise<void> {
    const replicas = await Promise.all(cluster.client.nodes('master').map((node) => node.wait(1, 10_000)));
    expect(replicas.every((count) => count >= 1)).toBe(true);
  }

  describe.each([
    ['plain', 'desc'],
    ['packed', 'asc'],
    ['lexical', 'desc'],
  ] as const)('a %s leaderboard, %s', (layout, order) => {
    it('answers as before once a master serves again, and says unavailable at most until then', async () => {
      const [key, readKey] = [freshPrefix(), freshPrefix()];
      const board = await judgedBoard(cluster.client, { key, layout, order });
      const reads = reading(await judgedBoard(cluster.client, { key: readKey, layout, order }));
      const before = writing(board);
      await before.goesOn(10);
      await before.stop();
      await replicated();

      reads.outageBegins();
      const { killed } = await cluster.servers.failover(slotOf(key));
      reads.outageEnds();
      const after = writing(board);
      await after.goesOn(20);
      await reads.goesOn(3);
      await cluster.servers.rejoin(killed);
      await after.goesOn(20);
      await Promise.all([after.stop(), reads.stop()]);
    });
  });

  it('names what is missing where no master serves a slot', async () => {
    const key = freshPrefix();
    const { engine } = await judgedBoard(cluster.client, { key, layout: 'plain', order: 'desc' });
    const slot = slotOf(key);
    const owner = await cluster.servers.masterOf(slot);
    const successors = await cluster.servers.replicasOf(owner);
    await Promise.all([owner, ...successors].map((server) => server.kill()));
    await expect(engine.top(1)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^No master of the Redis Cluster serves the slot of \{t-[^}]+\} now\. Try again/),
    });
  });
});
