import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ServersError } from '../errors';
import { findProgram } from '../process/find-program';

const run = promisify(execFile);
const userName = 'postgres';

/** The user under whom PostgreSQL runs; null: ourselves. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** How to start a program as that user. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: then it is the system user `postgres`, made here where there is none. */
export async function postgresUser(): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  try {
    return await lookUp();
  } catch {
    return await create();
  }
}

/**
 * The command that runs a program as that user. Below a folder the user may not enter, /root above all, the program
 * keeps the one right of root that lets it pass (`CAP_DAC_OVERRIDE`), by way of util-linux' setpriv.
 * @param paths every file and folder the program needs.
 */
export async function runAs(
  user: SystemUser | null,
  program: { readonly file: string; readonly args: readonly string[] },
  paths: readonly string[],
): Promise<Command> {
  if (!user) return program;
  const closed = (await Promise.all(paths.map(closedFolderAbove))).find((folder) => folder !== undefined);
  if (closed === undefined) return { ...program, ...user };
  const setpriv = await findProgram('setpriv');
  if (setpriv === undefined) {
    const message = `PostgreSQL runs as the user ${userName}, who may not enter ${closed}: allow it (chmod o+x ${closed}), or move the project elsewhere.`;
    throw new ServersError('startFailed', message);
  }
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const who = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { file: setpriv, args: [...who, ...rights, '--', program.file, ...program.args] };
}

async function lookUp(): Promise<SystemUser> {
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, userName])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function create(): Promise<SystemUser> {
  try {
    await run('groupadd', ['--system', '--force', userName]);
    await run('useradd', ['--system', '--gid', userName, '--no-create-home', '--shell', '/usr/sbin/nologin', userName]);
    return await lookUp();
  } catch (cause) {
    const message = `PostgreSQL does not run as root, and the system user ${userName} could not be made: create it, or start as another user.`;
    throw new ServersError('startFailed', message, { cause });
  }
}

/** The nearest folder above a path that only its owner may enter. */
async function closedFolderAbove(path: string): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const mode = (await stat(folder)).mode;
    if ((mode & 0o001) === 0) return folder;
  }
  return undefined;
}
