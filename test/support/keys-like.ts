import type { Cluster, Redis } from 'ioredis';

/**
 * The keys that match a pattern, in no order, of one Redis or of every master of a Cluster: by a scan, which keeps
 * nobody else waiting as `KEYS` does.
 */
export async function keysLike(redis: Redis | Cluster, pattern: string): Promise<string[]> {
  const servers = redis.isCluster ? (redis as Cluster).nodes('master') : [redis as Redis];
  const found = new Set<string>();
  for (const server of servers) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
      cursor = next;
      for (const key of keys) found.add(key);
    } while (cursor !== '0');
  }
  return [...found];
}
