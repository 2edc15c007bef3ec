import type { Cluster, Redis } from 'ioredis';
import type { Script } from './scripts.generated';

/** A connection to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Runs a script in one round trip, two where the server does not know it yet (new, restarted or failed over).
 * All keys must lie in one slot.
 */
export async function runScript(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha1, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.eval(script.lua, keys.length, ...keys, ...args);
  }
}

/**
 * Makes a script known to every server beforehand. Otherwise, of two calls sent one after the other, the first may be told
 * that its script is missing and, sent again, come after the second, for which another shard's call has brought it.
 */
export async function loadScript(redis: RedisClient, script: Script): Promise<void> {
  const servers = 'nodes' in redis ? redis.nodes('master') : [redis];
  await Promise.all(servers.map((server) => server.script('LOAD', script.lua)));
}
