import type { Cluster, Redis } from 'ioredis';
import { invalidOption } from '../errors/errors';

/** A connection to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Refuses a client with a `keyPrefix`: ioredis adds it to the keys of commands and scripts, but not to those of SCAN,
 * so audits, erasures and reshardings would miss keys.
 * @throws LeaderboardError `invalidOption`
 */
export function checkedClient(redis: RedisClient, instead: string): RedisClient {
  const { keyPrefix = '' } = redis.options;
  if (keyPrefix.length === 0) return redis;
  throw invalidOption(
    `The client has keyPrefix ${JSON.stringify(String(keyPrefix))}: use a client without one, and ${instead}.`,
  );
}
