import {
  activityEnvironment,
  ActivityError,
  ActivityHealth,
  ActivityModule,
  readRulesFile,
  type RedisOptions,
} from '@laurel/activity';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandError } from '../command-error';
import type { Terminal } from '../output/terminal';
import { openPrivateRedis } from './private-redis';

/** The activity module, opened for one command. */
export interface OpenActivity {
  get<T>(type: Type<T>): T;
  /** Flushes, disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/** A command has time: it outlasts a failover, and a large append-only file being loaded. */
const patienceMs = 60_000;

/**
 * Opens the module on the boards of the app with the same environment; where that names no Redis, on the private one in
 * the data folder.
 * @throws CommandError where a variable is bad, the data there is of another number of shards, or Redis does not answer.
 */
export async function openActivity(env: NodeJS.ProcessEnv, terminal: Terminal): Promise<OpenActivity> {
  const { redis, rulesFile, ...options } = readEnvironment(env);
  const server = redis ? undefined : await openPrivateRedis(env, terminal);
  try {
    const where: RedisOptions = redis ?? { url: server?.url ?? '' };
    const module = ActivityModule.forRoot({
      ...options,
      // A command takes the rules that are in force, or else those of the file: it never puts the file's in force.
      ...(rulesFile !== undefined && readRulesFile('LAUREL_RULES_FILE', rulesFile).document),
      redis: where,
      recordTimeoutMs: patienceMs,
      controllers: false,
      // A command settles when it is told to.
      settlement: false,
    });
    const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const close = async (): Promise<void> => {
      await context.close();
      await server?.stop();
    };
    await assertAnswers(context, where, close);
    return { get: (type) => context.get(type), close };
  } catch (error) {
    await server?.stop();
    if (error instanceof CommandError) throw error;
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readEnvironment(env: NodeJS.ProcessEnv): ReturnType<typeof activityEnvironment> {
  try {
    return activityEnvironment(env);
  } catch (error) {
    if (!(error instanceof ActivityError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

async function assertAnswers(
  context: INestApplicationContext,
  redis: RedisOptions,
  close: () => Promise<void>,
): Promise<void> {
  const { redis: health } = await context.get(ActivityHealth).check('redis');
  if (health.status === 'up') return;
  await close();
  throw new CommandError(`${nameOf(redis)} does not answer: start it, or correct REDIS_URL or REDIS_CLUSTER_NODES.`);
}

/** Without the password that a url may hold. */
function nameOf(redis: RedisOptions): string {
  if ('url' in redis) return `Redis at ${new URL(redis.url).host}`;
  if ('nodes' in redis)
    return `The Redis Cluster at ${redis.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`;
  return 'Redis';
}
