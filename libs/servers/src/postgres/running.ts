import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../process/command-line';
import { loopback } from '../process/ports';
import { databaseUser } from './data-folder';

/** The url of the private PostgreSQL that runs in this data folder now, started by whatever process. */
export async function findRunningPostgres(dataDir: string, database = 'laurel'): Promise<string | undefined> {
  const cluster = join(dataDir, 'cluster');
  // By line: its pid, its folder, when it started, its port, and more.
  const [pid, , , port] = (await textOf(join(cluster, 'postmaster.pid'))).split('\n').map(Number);
  if (!pid || !port || !(await commandLine(pid)).includes(cluster)) return undefined;
  const password = await textOf(join(dataDir, 'password'));
  return `postgres://${databaseUser}:${password}@${loopback}:${port}/${encodeURIComponent(database)}`;
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
