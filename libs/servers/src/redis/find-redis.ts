import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServersError } from '../errors';
import type { PackageInstaller } from '../process/debian';
import { findOrInstall, type FindOptions } from '../process/find-or-install';

const run = promisify(execFile);

/** The oldest Redis that knows every command we send. Every Valkey does. */
const oldest = [7, 0] as const;

const otherWays =
  'On macOS: brew install redis. On Windows, and wherever there are containers: docker run -p 6379:6379 redis:8. ' +
  'One that is running is named in REDIS_URL, e.g. redis://127.0.0.1:6379.';

interface FindRedisOptions extends Omit<FindOptions, 'installer'> {
  /** Whether one that is missing is installed where we are root. Default true. */
  readonly installs?: boolean;
}

/** Installs nothing. */
const none: PackageInstaller = { canInstall: () => Promise.resolve(false), install: () => Promise.resolve() };

/**
 * The path of a Redis server: `redis-server` or `valkey-server` of this machine, else Debian's package is installed
 * where we are root, or unpacked in `programsDir`. A private copy of it is run later; no service is started.
 * @throws ServersError `notInstalled` when there is none, or only one that is too old.
 */
export async function findOrInstallRedis({ installs = true, ...options }: FindRedisOptions = {}): Promise<string> {
  const names = ['redis-server', 'valkey-server'];
  const file = await findOrInstall(
    { title: 'A Redis server', names, debianPackage: 'redis-server', otherWays },
    installs ? options : { ...options, installer: none },
  );
  const { stdout } = await run(file, ['--version']);
  const version = /v=(\d+)\.(\d+)/.exec(stdout);
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return file;
  throw new ServersError(
    'notInstalled',
    `${file} is ${stdout.trim()}: Redis ${oldest.join('.')} or newer is needed. ${otherWays}`,
  );
}
