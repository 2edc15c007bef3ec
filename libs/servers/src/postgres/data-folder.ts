import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServersError } from '../errors';
import { commandLine } from '../process/command-line';
import { poll } from '../process/poll';
import type { PostgresBinaries } from './binaries';
import { runAs, type SystemUser } from './run-as';

const run = promisify(execFile);

/** The one database user of a private server. */
export const databaseUser = 'laurel';

/** How long a server that is ending may still hold the folder. */
const releasedWithinMs = 5_000;

/** A folder with a PostgreSQL database cluster and the password of its user. */
export interface DataFolder {
  readonly cluster: string;
  readonly password: string;
}

/** Opens the data folder, and fills it first where it is new. */
export async function openDataFolder(
  folder: string,
  binaries: PostgresBinaries,
  user: SystemUser | null,
): Promise<DataFolder> {
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  await mkdir(folder, { recursive: true });
  if (await exists(join(cluster, 'PG_VERSION'))) {
    await checkVersion(cluster, binaries);
    await releaseLock(cluster);
  } else {
    await initialise(folder, cluster, passwordFile, binaries, user);
  }
  return { cluster, password: await readFile(passwordFile, 'utf8') };
}

/**
 * Copies the data folder of a server that has stopped. The copy has the same password, and the files have the same
 * owner.
 */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-pPR', join(from, 'cluster'), join(from, 'password'), to]);
}

/**
 * Fills a folder beside and moves it into place when it is whole: a start that is broken off leaves nothing half done.
 */
async function initialise(
  folder: string,
  cluster: string,
  passwordFile: string,
  { initdb }: PostgresBinaries,
  user: SystemUser | null,
): Promise<void> {
  const unfinished = join(folder, 'cluster.new');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await chmod(passwordFile, 0o600);
  if (user) {
    await chown(unfinished, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  const args = [
    ...['-D', unfinished, `--username=${databaseUser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    // The server's own collation: the same order on every system, whatever locales that one has.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ];
  const { file, args: all, ...who } = await runAs(user, { file: initdb, args }, [initdb, unfinished]);
  try {
    await run(file, all, { ...who, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } });
  } catch (cause) {
    const printed = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new ServersError('startFailed', `PostgreSQL could not fill ${folder}. It said:\n${printed}`, { cause });
  }
  await rename(unfinished, cluster);
}

async function checkVersion(cluster: string, { postgres }: PostgresBinaries): Promise<void> {
  const stored = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  const { stdout } = await run(postgres, ['--version']);
  const ours = /(\d+)/.exec(stdout)?.[1];
  if (stored === ours) return;
  const message = `${cluster} was written by PostgreSQL ${stored} and this is ${ours}: move the folder away, or name a server of that version in DATABASE_URL.`;
  throw new ServersError('startFailed', message);
}

/**
 * A server that was killed leaves postmaster.pid behind, and PostgreSQL refuses the folder when another program of that
 * user has that pid by now. So the file goes unless the process it names is a PostgreSQL server of this very folder.
 */
async function releaseLock(cluster: string): Promise<void> {
  const lock = join(cluster, 'postmaster.pid');
  const owner = async (): Promise<number | undefined> => {
    const pid = Number.parseInt(await readFile(lock, 'utf8').catch(() => ''), 10);
    return pid > 0 && (await commandLine(pid)).includes(cluster) ? pid : undefined;
  };
  const released = await poll(async () => ((await owner()) === undefined ? true : undefined), {
    withinMs: releasedWithinMs,
  });
  if (!released) {
    const message = `A PostgreSQL server (process ${await owner()}) has its files in ${cluster}: end the app that started it, or use another data folder.`;
    throw new ServersError('dataDirInUse', message);
  }
  await rm(lock, { force: true });
}

function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}
