import { Redis } from 'ioredis';
import { ServersError } from '../errors';
import { poll } from '../process/poll';
import type { RedisServer } from './redis-server';

/** How long the nodes of a cluster may take to agree. */
const agreedWithinMs = 60_000;

/** Asks nodes of a cluster, over connections that are closed when the work is done. */
export async function withNodes<T, S extends readonly RedisServer[]>(
  servers: readonly [...S],
  work: (nodes: { readonly [I in keyof S]: Redis }) => Promise<T>,
): Promise<T> {
  const nodes = servers.map(({ connection }) => new Redis(connection)) as { readonly [I in keyof S]: Redis };
  try {
    return await work(nodes);
  } finally {
    for (const node of nodes) node.disconnect();
  }
}

/** Waits until something holds on every node. @throws ServersError `startFailed`, saying what took too long. */
export async function agreed(
  what: string,
  nodes: readonly Redis[],
  holds: (node: Redis) => Promise<boolean>,
): Promise<void> {
  const onAll = async (): Promise<true | undefined> => {
    const answers = await Promise.all(nodes.map(holds));
    return answers.every(Boolean) ? true : undefined;
  };
  if (await poll(onAll, { withinMs: agreedWithinMs })) return;
  throw new ServersError('startFailed', `The nodes of the Redis Cluster took too long ${what}.`);
}

/** Whether the node says that every slot is served. */
export async function isWell(node: Redis): Promise<boolean> {
  return String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok\r\n');
}

/** The port of the master that serves a slot, as the node sees it; undefined where none does. */
export async function ownerOf(node: Redis, slot: number): Promise<number | undefined> {
  const run = (await node.cluster('SLOTS')).find(([first, last]) => Number(first) <= slot && slot <= Number(last));
  return (run?.[2] as readonly unknown[] | undefined)?.[1] as number | undefined;
}

/** The id under which the cluster knows a node. */
export async function idOf(node: Redis): Promise<string> {
  return String(await node.call('CLUSTER', 'MYID'));
}
