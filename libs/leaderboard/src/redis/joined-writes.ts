import type { Cluster, Redis } from 'ioredis';
import type { Writable } from 'node:stream';

/** So many commands are written together: with more Redis would wait for us, and then we for Redis. */
const together = 12;

/** Connections with a command in this turn of the event loop, and how many commands of it are held back. */
const turns = new WeakMap<Writable, { held: number }>();

/** Joins a turn's commands into few socket writes, the dearest part of most. Call it before each command. */
export function joinWrites(redis: Redis): void {
  // Not there before the first connection.
  const stream: Writable | undefined = redis.stream;
  if (!stream) return;
  const turn = turns.get(stream);
  if (turn) {
    if (turn.held === together) {
      stream.uncork();
      turn.held = 0;
    }
    if (turn.held === 0) stream.cork();
    turn.held += 1;
    return;
  }
  const begun = { held: 0 };
  turns.set(stream, begun);
  process.nextTick(() => {
    turns.delete(stream);
    if (begun.held > 0) stream.uncork();
  });
}

/** Clusters whose masters' connections hold back what is sent in this turn of the event loop. */
const held = new WeakSet<Cluster>();

/** As {@link joinWrites}, of each master of a Cluster: what one turn sends to a master is one write. */
export function joinClusterWrites(cluster: Cluster): void {
  if (held.has(cluster)) return;
  held.add(cluster);
  const streams: Writable[] = cluster.nodes('master').flatMap(({ stream }): Writable[] => (stream ? [stream] : []));
  for (const stream of streams) stream.cork();
  process.nextTick(() => {
    held.delete(cluster);
    for (const stream of streams) stream.uncork();
  });
}
