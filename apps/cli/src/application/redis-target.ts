import { type RedisOptions } from '@laurel/activity';
import type { RedisNode } from '@laurel/activity/internals';
import { activityEnvironment } from '@laurel/settings';
import { CommandError, nothingFoundExitCode } from '../errors/command-error';
import type { Access } from './access';
import type { CommandContext } from './command-context';
import { findPrivateRedis } from './private-redis';
import { commandErrorOf } from './run-command';

/** What the environment says, and the Redis that it means. */
export interface RedisTarget {
  /** As options of the module. */
  readonly environment: Omit<ReturnType<typeof activityEnvironment>, 'redis'>;
  readonly redis: RedisOptions;
  readonly prefix: string;
  /** The server, as messages name it, without the password that a url may hold: `Redis at localhost:6379`. */
  readonly name: string;
  /** Stops the private Redis where the command started it. */
  readonly stop: () => Promise<void>;
}

/**
 * The Redis that the environment names; without one the private one in the data folder, which is said.
 * @throws CommandError where a variable is bad, or no Redis is named and there is no private one.
 */
export async function findTarget(context: CommandContext, access: Access): Promise<RedisTarget> {
  const { redis: named, ...environment } = readEnvironment(context.env);
  const { prefix = 'lr' } = environment;
  if (named) return { environment, redis: named, prefix, name: nameOf(named), stop: () => Promise.resolve() };
  const { url, folder, stop } = await findPrivateRedis(context, access);
  const redis = { url };
  context.terminal.err.write(
    `REDIS_URL is not set: using the private ${nameOf(redis)}, with its files in ${folder}.\n`,
  );
  return { environment, redis, prefix, name: nameOf(redis), stop };
}

/** What a command says that finds no data. */
export function nothingFound({ prefix, name }: Pick<RedisTarget, 'prefix' | 'name'>): CommandError {
  return new CommandError(
    `Nothing is stored under the prefix "${prefix}" on ${name}: correct LAUREL_PREFIX, REDIS_URL or REDIS_CLUSTER_NODES.`,
    { exitCode: nothingFoundExitCode },
  );
}

function readEnvironment(env: NodeJS.ProcessEnv): ReturnType<typeof activityEnvironment> {
  try {
    return activityEnvironment(env);
  } catch (error) {
    throw commandErrorOf(error) ?? error;
  }
}

function nameOf(redis: RedisOptions): string {
  const addresses = (nodes: readonly RedisNode[]) => nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  if ('nodes' in redis) return `the Redis Cluster at ${addresses(redis.nodes)}`;
  if ('sentinels' in redis) return `Redis "${redis.name}" of the Sentinels at ${addresses(redis.sentinels)}`;
  if (!('url' in redis)) return 'Redis';
  const { host, pathname } = new URL(redis.url);
  return `Redis at ${host === '' ? pathname : host}`;
}
