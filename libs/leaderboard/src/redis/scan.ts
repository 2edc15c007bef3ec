import type { Cluster, Redis } from 'ioredis';
import { chunksOf } from '../lists/lists';
import type { RedisClient } from './redis-client';
import { served } from './served';

/** A connection to each master of a Cluster; of one Redis, the client itself. */
export function mastersOf(redis: RedisClient): Redis[] {
  return redis.isCluster ? (redis as Cluster).nodes('master') : [redis as Redis];
}

/** Keys of all servers, in pages; a key may come twice. On a Cluster, SCAN may miss those of a moving slot. */
export async function* scanKeys(redis: RedisClient, pattern: string, count = 1_000): AsyncGenerator<string[]> {
  for (const master of mastersOf(redis)) {
    let cursor = '0';
    do {
      const [next, found] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', count);
      yield found;
      cursor = next;
    } while (cursor !== '0');
  }
}

/** The entries of a sorted set, in pages of about `count`. Each that stays meanwhile comes at least once. */
export async function* scanEntries(
  redis: RedisClient,
  set: string,
  count: number,
): AsyncGenerator<(readonly [member: string, score: string])[]> {
  let cursor = '0';
  do {
    const [next, found] = await served(redis, set, (key) => redis.zscan(key, cursor, 'COUNT', count));
    yield chunksOf(found, 2).map(([member = '', score = '']) => [member, score] as const);
    cursor = next;
  } while (cursor !== '0');
}

/** A hash as a whole: a round trip for each 1,000 fields. What changes meanwhile may be missing, or as it was. */
export async function readHash(redis: RedisClient, hash: string): Promise<[field: string, value: string][]> {
  const values = new Map<string, string>();
  let cursor = '0';
  do {
    const [next, found] = await served(redis, hash, (key) => redis.hscan(key, cursor, 'COUNT', 1_000));
    for (const [field = '', value = ''] of chunksOf(found, 2)) values.set(field, value);
    cursor = next;
  } while (cursor !== '0');
  return [...values];
}
