import { ActivityHealth, ActivityModule, readRulesFile } from '@laurel/activity';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandError } from '../command-error';
import type { CommandContext } from './command-context';
import { openRedis, type OpenRedis } from './open-redis';
import type { Access } from './access';
import { nothingFound } from './redis-target';

/** The activity module, opened for one command. */
export interface OpenActivity {
  get<T>(type: Type<T>): T;
  /** Flushes, disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/** A command has time: it outlasts a failover, and a large append-only file being loaded. */
const patienceMs = 60_000;

/**
 * Opens the module on the data of the app with the same environment; where that names no Redis, on the private one in the
 * data folder.
 * @throws CommandError where a variable is bad, the data there was made with other settings, Redis does not answer, or
 * nothing is stored there and the command does not begin anything.
 */
export async function openActivity(context: CommandContext, access: Access): Promise<OpenActivity> {
  const found = await openRedis(context, access);
  try {
    if (access !== 'begins' && !(await hasData(found))) throw nothingFound(found);
    return await openModule(found);
  } catch (error) {
    await found.close();
    if (error instanceof CommandError) throw error;
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function openModule(found: OpenRedis): Promise<OpenActivity> {
  const { rulesFile, ...options } = found.environment;
  const module = ActivityModule.forRoot({
    ...options,
    // A command takes the rules that are in force, or else those of the file: it never puts the file's in force.
    ...(rulesFile !== undefined && readRulesFile('LAUREL_RULES_FILE', rulesFile).document),
    redis: found.redis,
    recordTimeoutMs: patienceMs,
    controllers: false,
    // A command settles when it is told to.
    settlement: false,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const close = async (): Promise<void> => {
    await app.close();
    await found.close();
  };
  const { redis } = await app.get(ActivityHealth).check('redis');
  if (redis.status === 'up') return { get: (type) => app.get(type), close };
  await app.close();
  throw new CommandError(`${found.name} stopped answering: run the command again.`);
}

async function hasData({ client, prefix }: OpenRedis): Promise<boolean> {
  return (await client.exists(`{${prefix}}:layout`)) === 1;
}
