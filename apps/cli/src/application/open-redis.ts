import { activityEnvironment, ActivityError } from '@laurel/activity';
import type { RedisClient } from '@laurel/leaderboard';
import { Cluster, Redis } from 'ioredis';
import { CommandError } from '../command-error';
import type { Terminal } from '../output/terminal';
import { openPrivateRedis } from './private-redis';

/** Redis, opened for a command that works on what lies there, whatever the app is configured to find. */
export interface OpenRedis {
  readonly client: RedisClient;
  /** First part of every key of the app. */
  readonly prefix: string;
  /** Disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/**
 * The Redis that the environment names; without one the private one in the data folder.
 * @throws CommandError where a variable is bad, or Redis does not answer.
 */
export async function openRedis(env: NodeJS.ProcessEnv, terminal: Terminal): Promise<OpenRedis> {
  const { redis, prefix = 'lr' } = readEnvironment(env);
  const server = redis ? undefined : await openPrivateRedis(env, terminal);
  const client =
    redis && 'nodes' in redis
      ? new Cluster([...redis.nodes], { clusterRetryStrategy: retryDelayMs })
      : new Redis(redis && 'url' in redis ? redis.url : (server?.url ?? ''), { retryStrategy: retryDelayMs });
  // Each command says by itself what became of it.
  client.on('error', () => undefined);
  const close = async (): Promise<void> => {
    client.disconnect();
    await server?.stop();
  };
  try {
    await client.exists(`{${prefix}}:layout`);
  } catch (cause) {
    await close();
    throw new CommandError('Redis does not answer: start it, or correct REDIS_URL or REDIS_CLUSTER_NODES.', { cause });
  }
  return { client, prefix, close };
}

/** A failover takes some seconds; what is away for longer is away. */
function retryDelayMs(attempt: number): number | null {
  return attempt > 30 ? null : Math.min(attempt * 50, 1_000);
}

function readEnvironment(env: NodeJS.ProcessEnv): ReturnType<typeof activityEnvironment> {
  try {
    return activityEnvironment(env);
  } catch (error) {
    if (!(error instanceof ActivityError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}
