import { dataDirFrom, textOf } from '@laurel/settings';
import { findRunningRedis, ServersError, startRedis } from '@laurel/servers';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError, nothingFoundExitCode } from '../errors/command-error';
import type { CommandContext } from './command-context';
import type { Access } from './access';

/** The Redis of an app without REDIS_URL. */
export interface PrivateRedis {
  readonly url: string;
  /** Where its files are. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/** Where Redis keeps its append-only file in its folder. */
const appendOnly = 'appendonlydir';

/**
 * The private Redis in LAUREL_DATA_DIR: the one of an app that runs now, else one on the same files for as long as the
 * command takes. None is started in production, nor on an empty folder, unless that is named and the command begins
 * something.
 * @throws CommandError where there is none.
 */
export async function findPrivateRedis({ env, terminal }: CommandContext, access: Access): Promise<PrivateRedis> {
  const folder = resolve(dataDirFrom(env), 'redis');
  const running = await findRunningRedis(folder);
  if (running !== undefined) return { url: running, folder, stop: () => Promise.resolve() };
  if (textOf(env, 'NODE_ENV') === 'production') {
    throw none('no private Redis runs now, and none is started in production (NODE_ENV)');
  }
  const mayBegin = access === 'begins' && textOf(env, 'LAUREL_DATA_DIR') !== undefined;
  if (!mayBegin && !existsSync(join(folder, appendOnly))) {
    throw none(`there is no data of a private Redis in ${folder}`);
  }
  try {
    const server = await startRedis({ dataDir: folder, programsDir: join(folder, '../programs') });
    return { url: server.url, folder, stop: () => server.stop() };
  } catch (error) {
    if (!(error instanceof ServersError)) throw error;
    terminal.err.write('REDIS_URL is not set, and no private Redis could be started.\n');
    throw new CommandError(error.message, { cause: error });
  }
}

function none(why: string): CommandError {
  return new CommandError(`REDIS_URL is not set, and ${why}: set REDIS_URL or REDIS_CLUSTER_NODES, as for the app.`, {
    exitCode: nothingFoundExitCode,
  });
}
