import type { Redis } from 'ioredis';
import { agreed, idOf, isWell, withNodes } from './nodes';
import type { RedisServer } from './redis-server';

/** Redis Cluster's number of hash slots. */
const slots = 16_384;

/**
 * Makes one cluster of fresh nodes: the first `masters` share the slots in equal runs, the others follow them in turn.
 * Resolves when every node says that all is well and every replica has its master's data.
 */
export async function formCluster(servers: readonly RedisServer[], masters: number): Promise<void> {
  await withNodes(servers, async (nodes) => {
    await shareSlots(nodes.slice(0, masters));
    await meet(nodes, servers);
    const known = `cluster_known_nodes:${nodes.length}\r\n`;
    await agreed('to know each other', nodes, async (node) =>
      String(await node.call('CLUSTER', 'INFO')).includes(known),
    );
    await follow(nodes, masters);
    await agreed('to be well', nodes, isWell);
    await announced(nodes, masters);
  });
}

async function shareSlots(masters: readonly Redis[]): Promise<void> {
  const boundary = (n: number): number => Math.round((n * slots) / masters.length);
  await Promise.all(
    masters.map(async (node, n) => {
      await node.call('CLUSTER', 'ADDSLOTSRANGE', String(boundary(n)), String(boundary(n + 1) - 1));
      await node.call('CLUSTER', 'SET-CONFIG-EPOCH', String(n + 1));
    }),
  );
}

async function meet(nodes: readonly Redis[], servers: readonly RedisServer[]): Promise<void> {
  const [first] = nodes;
  for (const { host, port } of servers.slice(1)) await first?.call('CLUSTER', 'MEET', host, String(port));
}

async function follow(nodes: readonly Redis[], masters: number): Promise<void> {
  const ids = await Promise.all(nodes.slice(0, masters).map(idOf));
  const replicas = nodes.slice(masters);
  for (const [n, node] of replicas.entries()) await node.call('CLUSTER', 'REPLICATE', ids[n % masters] ?? '');
  const isInSync = async (node: Redis): Promise<boolean> =>
    (await node.info('replication')).includes('master_link_status:up\r\n');
  await agreed("to copy their masters' data", replicas, isInSync);
}

/** Waits until every node names the replicas of every run of slots to clients: news of them comes last. */
async function announced(nodes: readonly Redis[], masters: number): Promise<void> {
  const owners = nodes.length / masters;
  const namesAll = async (node: Redis): Promise<boolean> =>
    (await node.cluster('SLOTS')).every(([, , ...named]) => named.length === owners);
  await agreed('to tell clients their roles', nodes, namesAll);
}
