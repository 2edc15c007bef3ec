import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServersError } from '../errors';
import { findOrInstall } from '../process/find-or-install';

const run = promisify(execFile);

/** The oldest Redis that knows every command we send. Every Valkey does. */
const oldest = [7, 0] as const;

const otherWays =
  'On macOS: brew install redis. Or have one running and name it in REDIS_URL, e.g. redis://127.0.0.1:6379.';

/**
 * The path of a Redis server: `redis-server` or `valkey-server` of this machine, else Debian's package is installed
 * where we are root. A private copy of it is run later; no service is started.
 * @throws ServersError `notInstalled` when there is none, or only one that is too old.
 */
export async function findOrInstallRedis(log: (line: string) => void = () => undefined): Promise<string> {
  const names = ['redis-server', 'valkey-server'];
  const file = await findOrInstall({ title: 'A Redis server', names, debianPackage: 'redis-server', otherWays }, log);
  const { stdout } = await run(file, ['--version']);
  const version = /v=(\d+)\.(\d+)/.exec(stdout);
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return file;
  throw new ServersError(
    'notInstalled',
    `${file} is ${stdout.trim()}: Redis ${oldest.join('.')} or newer is needed. ${otherWays}`,
  );
}
