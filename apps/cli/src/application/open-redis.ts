import type { RedisClient } from '@laurel/leaderboard';
import { Cluster, Redis } from 'ioredis';
import { CommandError } from '../errors/command-error';
import type { CommandContext } from './command-context';
import type { Access } from './access';
import { findTarget, type RedisTarget } from './redis-target';

/** Redis, opened for a command that works on what lies there, whatever the app is configured to find. */
export interface OpenRedis extends RedisTarget {
  readonly client: RedisClient;
  /** Disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/**
 * Connects to the Redis of the environment.
 * @throws CommandError where a variable is bad, or Redis does not answer.
 */
export async function openRedis(context: CommandContext, access: Access): Promise<OpenRedis> {
  const target = await findTarget(context, access);
  const { redis, prefix, name, stop } = target;
  const client = clientOf(redis);
  // Each command says by itself what became of it.
  client.on('error', () => undefined);
  const close = async (): Promise<void> => {
    client.disconnect();
    await stop();
  };
  try {
    await client.exists(`{${prefix}}:layout`);
  } catch (cause) {
    await close();
    const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    throw new CommandError(`${subject} does not answer: start it, or correct REDIS_URL or REDIS_CLUSTER_NODES.`, {
      cause,
    });
  }
  return { ...target, client, close };
}

function clientOf(redis: RedisTarget['redis']): RedisClient {
  if ('client' in redis) return redis.client;
  return 'nodes' in redis
    ? new Cluster([...redis.nodes], { clusterRetryStrategy: retryDelayMs })
    : new Redis(redis.url, { retryStrategy: retryDelayMs });
}

/** A failover takes some seconds; what is away for longer is away. */
function retryDelayMs(attempt: number): number | null {
  return attempt > 30 ? null : Math.min(attempt * 50, 1_000);
}
