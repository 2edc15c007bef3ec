import type { Redis } from 'ioredis';

/** The keys that match a pattern, in no order: by a scan, which keeps nobody else waiting as `KEYS` does. */
export async function keysLike(redis: Redis, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    cursor = next;
    for (const key of keys) found.add(key);
  } while (cursor !== '0');
  return [...found];
}
