import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServersError } from '../errors';
import { findOrInstall, type FindOptions } from '../process/find-or-install';

/** The program of a MariaDB server, and the statements that make its own tables. */
export interface MariaDbFiles {
  readonly program: string;
  readonly systemTables: string;
}

/**
 * A MariaDB server of this machine, else Debian's package, installed where we are root. No service is started.
 * @throws ServersError `notInstalled` when there is none.
 */
export async function findOrInstallMariaDb(options: FindOptions = {}): Promise<MariaDbFiles> {
  const [debianPackage, otherWays] = ['mariadb-server-core', 'On macOS: brew install mariadb.'];
  const names = ['mariadbd'];
  const program = await findOrInstall({ title: 'A MariaDB server', names, debianPackage, otherWays }, options);
  return { program, systemTables: await systemTablesOf(program) };
}

/** In the folder of what belongs to the program: `mysql` before MariaDB 11. */
async function systemTablesOf(program: string): Promise<string> {
  const shared = join(dirname(dirname(await realpath(program))), 'share');
  const files = ['mariadb', 'mysql'].map((name) => join(shared, name, `${name}_system_tables.sql`));
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new ServersError('notInstalled', `${program} has its own tables in none of ${files.join(', ')}.`);
}
