import type { ActivityModuleOptions, RedisOptions } from '@laurel/activity';
import type { RedisNode } from '@laurel/activity/internals';
import { activityEnvironment } from '@laurel/settings';
import { CommandError, nothingFoundExitCode } from '../errors/command-error';
import type { Access } from './access';
import type { CommandContext } from './command-context';
import { findPrivateRedis } from './private-redis';
import { commandErrorOf } from './run-command';

/** What the environment and the app's configuration say, and the Redis that they mean. */
export interface RedisTarget {
  /** Both as options of the module. */
  readonly environment: Omit<ActivityModuleOptions, 'redis'>;
  readonly redis: RedisOptions;
  readonly prefix: string;
  /** The server, as messages name it, without the password that a url may hold: `Redis at localhost:6379`. */
  readonly name: string;
  /** Stops the private Redis where the command started it. */
  readonly stop: () => Promise<void>;
}

/**
 * The Redis that the configuration or the environment names; without one the private one in the data folder, which is
 * said.
 * @throws CommandError where a variable is bad, it names another than the configuration, or no Redis is named and there
 * is no private one.
 */
export async function findTarget(context: CommandContext, access: Access): Promise<RedisTarget> {
  const { options, file } = await context.config();
  const { redis: inVariables, ...variables } = readEnvironment(context.env);
  const { latenessMs = options.latenessMs, retentionMs = options.retentionMs } = variables;
  // What an import of old activities reaches back by is its own.
  const reach = { ...(latenessMs !== undefined && { latenessMs }), ...(retentionMs && { retentionMs }) };
  const environment = { ...(hasBoards(options) ? withoutBoards(variables) : variables), ...options, ...reach };
  assertAgree(`timezone in ${file}`, options.timezone, 'LAUREL_TIMEZONE', variables.timezone);
  assertAgree(`prefix in ${file}`, options.prefix, 'LAUREL_PREFIX', variables.prefix);
  assertAgree(
    `redis in ${file}`,
    options.redis && nameOf(options.redis),
    'the environment',
    inVariables && nameOf(inVariables),
  );
  const { prefix = 'lr' } = environment;
  const named = options.redis ?? inVariables;
  if (named) return { environment, redis: named, prefix, name: nameOf(named), stop: () => Promise.resolve() };
  const { url, folder, stop } = await findPrivateRedis(context, access);
  const redis = { url };
  context.terminal.err.write(
    `REDIS_URL is not set: using the private ${nameOf(redis)}, with its files in ${folder}.\n`,
  );
  return { environment, redis, prefix, name: nameOf(redis), stop };
}

/** The message of a command that finds no data. */
export function nothingFound({ prefix, name }: Pick<RedisTarget, 'prefix' | 'name'>): CommandError {
  return new CommandError(
    `Nothing is stored under the prefix "${prefix}" on ${name}: correct LAUREL_PREFIX, REDIS_URL or REDIS_CLUSTER_NODES.`,
    { exitCode: nothingFoundExitCode },
  );
}

type Board = 'leaderboards' | 'firstDays' | 'rules' | 'limits';

/** Whether a configuration says what is counted: then none of it is the environment's, whose parts fit one another. */
function hasBoards({ leaderboards, rules, limits }: Partial<ActivityModuleOptions>): boolean {
  return [leaderboards, rules, limits].some((option) => option !== undefined);
}

function withoutBoards<Options extends Pick<ActivityModuleOptions, Board>>(options: Options): Omit<Options, Board> {
  const { leaderboards: _, firstDays: _days, rules: _rules, limits: _limits, ...others } = options;
  return others;
}

/**
 * Two places that name one thing: neither is guessed.
 * @throws CommandError where both do, and differ.
 */
export function assertAgree(here: string, one: string | undefined, there: string, other: string | undefined): void {
  if (one === undefined || other === undefined || one === other) return;
  throw new CommandError(`${here} is ${one}, but ${there} says ${other}: leave one of them out.`);
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
