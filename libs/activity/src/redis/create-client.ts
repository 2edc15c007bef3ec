import type { RedisClient } from '@laurel/leaderboard';
import { Cluster, Redis, type RedisOptions as ClientOptions } from 'ioredis';
import type { RedisOptions } from '../options/activity.options';

/** How long one command may take. A Redis that hangs is given up after it. */
export const commandTimeoutMs = 900;

/**
 * Fails fast: while Redis is away no command waits in the client, where nobody could tell it that it came too late. A
 * connection that hangs is dropped and made anew.
 */
const common = {
  lazyConnect: true,
  connectTimeout: 2_000,
  commandTimeout: commandTimeoutMs,
  socketTimeout: commandTimeoutMs,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} satisfies ClientOptions;

/** Makes the client that the options describe, not yet connected; a client given is taken as it is. */
export function createClient(options: RedisOptions): RedisClient {
  if ('client' in options) return options.client;
  if ('url' in options) {
    return new Redis(options.url, { ...common, enableOfflineQueue: false, retryStrategy: retryDelayMs });
  }
  return new Cluster([...options.nodes], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelayMs,
    redisOptions: common,
  });
}

/** For ever: an app outlives its Redis. Quickly at first, then once a second, with some jitter against stampedes. */
function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt - 1, 5), 1_000) + Math.floor(Math.random() * 100);
}
