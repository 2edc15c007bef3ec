import { Redis } from 'ioredis';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import type { RedisServer } from './redis-server';

/** Redis Cluster's number of hash slots. */
const slots = 16_384;

/** How long the nodes may take to agree. */
const agreedWithinMs = 30_000;

/**
 * Makes one cluster of fresh nodes: the first `masters` share the slots in equal runs, the others follow them in turn.
 * Resolves when every node says that all is well and every replica has its master's data.
 */
export async function formCluster(servers: readonly RedisServer[], masters: number): Promise<void> {
  const nodes = servers.map(({ host, port }) => new Redis({ host, port }));
  try {
    await shareSlots(nodes.slice(0, masters));
    await meet(nodes, servers);
    await agreed('to know each other', nodes, (info) => info.includes(`cluster_known_nodes:${nodes.length}\r\n`));
    await follow(nodes, masters);
    await agreed('to be well', nodes, (info) => info.includes('cluster_state:ok\r\n'));
    await announced(nodes, masters);
  } finally {
    for (const node of nodes) node.disconnect();
  }
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
  const ids = await Promise.all(
    nodes.slice(0, masters).map(async (node) => String(await node.call('CLUSTER', 'MYID'))),
  );
  for (const [n, node] of nodes.slice(masters).entries()) {
    await node.call('CLUSTER', 'REPLICATE', ids[n % masters] ?? '');
  }
  const inSync = await poll(
    async () => {
      const infos = await Promise.all(nodes.slice(masters).map((node) => node.info('replication')));
      return infos.every((info) => info.includes('master_link_status:up\r\n')) ? true : undefined;
    },
    { withinMs: agreedWithinMs },
  );
  if (!inSync) throw new ServersError('startFailed', 'The replicas of the Redis Cluster did not get in sync in time.');
}

async function agreed(what: string, nodes: readonly Redis[], holds: (info: string) => boolean): Promise<void> {
  const all = await poll(
    async () => {
      const infos = await Promise.all(nodes.map(async (node) => String(await node.call('CLUSTER', 'INFO'))));
      return infos.every(holds) ? true : undefined;
    },
    { withinMs: agreedWithinMs },
  );
  if (!all) throw new ServersError('startFailed', `The nodes of the Redis Cluster took too long ${what}.`);
}

/** Waits until every node names the replicas of every run of slots to clients: news of them comes last. */
async function announced(nodes: readonly Redis[], masters: number): Promise<void> {
  const owners = nodes.length / masters;
  const all = await poll(
    async () => {
      const views = await Promise.all(nodes.map((node) => node.cluster('SLOTS')));
      const isWhole = views.every((runs) => runs.every(([, , ...named]) => named.length === owners));
      return isWhole ? true : undefined;
    },
    { withinMs: agreedWithinMs },
  );
  if (!all)
    throw new ServersError('startFailed', 'The nodes of the Redis Cluster did not agree on their roles in time.');
}
