import type { Cluster, Redis } from 'ioredis';
import { keysLike } from './keys-like';

/** Everything under a prefix, keys and what they hold, as text: of one Redis, or of every master of a Cluster. */
async function everything(redis: Redis | Cluster, prefix: string): Promise<string[]> {
  const found = await keysLike(redis, `*${prefix}*`);
  return [...found, ...(await Promise.all(found.map((key) => heldBy(redis, key)))).flat()];
}

async function heldBy(redis: Redis | Cluster, key: string): Promise<string[]> {
  switch (await redis.type(key)) {
    case 'string':
      return [(await redis.get(key)) ?? ''];
    case 'hash':
      return Object.entries(await redis.hgetall(key)).flat();
    case 'set':
      return redis.smembers(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    default:
      return redis.zrange(key, '0', '-1');
  }
}

/** Mentions of a user's id, no hexadecimal one, in any key or value; another user's id goes on with an x. */
export async function mentions(redis: Redis | Cluster, prefix: string, userId: string): Promise<string[]> {
  const written = [userId, JSON.stringify(userId).slice(1, -1)];
  return (await everything(redis, prefix)).filter((text) =>
    written.some((name) => text.replaceAll(`${name}x`, '').includes(name)),
  );
}
