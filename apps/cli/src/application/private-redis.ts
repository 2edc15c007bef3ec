import { textOf } from '@laurel/activity';
import { findRunningRedis, ServersError, startRedis } from '@laurel/servers';
import { resolve } from 'node:path';
import { CommandError } from '../command-error';
import type { Terminal } from '../output/terminal';

/** The Redis of an app without REDIS_URL. */
export interface PrivateRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The private Redis in LAUREL_DATA_DIR: the one of an app that runs now, else one on the same files for as long as the
 * command takes.
 */
export async function openPrivateRedis(env: NodeJS.ProcessEnv, { err }: Terminal): Promise<PrivateRedis> {
  const dataDir = resolve(textOf(env, 'LAUREL_DATA_DIR') ?? '.data', 'redis');
  const running = await findRunningRedis(dataDir);
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  try {
    return await startRedis({ dataDir });
  } catch (error) {
    if (!(error instanceof ServersError)) throw error;
    err.write('REDIS_URL is not set, and no private Redis could be started.\n');
    throw new CommandError(error.message, { cause: error });
  }
}
