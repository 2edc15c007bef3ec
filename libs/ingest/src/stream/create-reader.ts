import type { Cluster, Redis } from 'ioredis';

/** How long one read waits for messages: a shutdown waits no longer. */
export const blockMs = 1_000;

/**
 * How long a command of the reader may take, and its connection be silent: a read that waits is no Redis that hangs,
 * which a client made to fail fast would take it for.
 */
const timeoutMs = blockMs + 2_000;

/** A separate connection to the client's server, on which reads may wait. It connects with its first command. */
export function createReader(client: Redis | Cluster): Redis | Cluster {
  const patience = { commandTimeout: timeoutMs, socketTimeout: timeoutMs };
  const reader = client.isCluster
    ? (client as Cluster).duplicate([], { redisOptions: patience, lazyConnect: true })
    : (client as Redis).duplicate({ ...patience, lazyConnect: true });
  // The client tells each failed try to connect, and goes on by itself; the commands that fail meanwhile are counted.
  reader.on('error', () => undefined);
  return reader;
}
