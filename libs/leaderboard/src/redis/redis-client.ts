import type { Cluster, Redis } from 'ioredis';
import { LeaderboardError } from '../errors/errors';

/** A connection to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * A client that sends keys as they are: ioredis puts a `keyPrefix` before the keys of commands and scripts, but not of SCAN,
 * so that audits, erasures and moves to other shards would pass over what others have written.
 * @throws LeaderboardError `invalidOption`
 */
export function checkedClient(redis: RedisClient, instead: string): RedisClient {
  const { keyPrefix = '' } = redis.options;
  if (keyPrefix.length === 0) return redis;
  throw new LeaderboardError(
    'invalidOption',
    `The client has keyPrefix ${JSON.stringify(String(keyPrefix))}: use a client without one, and ${instead}.`,
  );
}
