import { archiveMigrations } from '@laurel/archive';
import { databaseIdOf, outboxMigrations } from '@laurel/outbox';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartError } from '../lifecycle/start-error';

/** An owner of tables and its migrations in order; each is applied once, in its own transaction. */
export interface MigrationSet {
  readonly owner: 'outbox' | 'archive' | 'community';
  /** By names that stay the same for ever; `up` are statements without parameters. */
  readonly migrations: readonly { readonly name: string; readonly up: string }[];
}

/** Those of the libraries come first: the community's own may refer to their tables. */
export function migrationSets(folder = join(__dirname, 'migrations')): readonly MigrationSet[] {
  // drizzle-kit's journal: the names of a folder's migrations in their order.
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[];
  };
  const own = entries.map(({ tag }) => ({ name: tag, up: readFileSync(join(folder, `${tag}.sql`), 'utf8') }));
  return [
    { owner: 'outbox', migrations: outboxMigrations },
    { owner: 'archive', migrations: archiveMigrations },
    { owner: 'community', migrations: own },
  ];
}

/** Any number will do that no other program takes: the digits of "laurel" on a telephone. */
const lock = 528_735;

/**
 * Brings the database up to date, and returns what tells it from every other database. Instances that start together
 * take turns: the first does it, the others find it done.
 * @throws StartError where the database cannot be reached.
 */
export async function migrate(url: string, sets = migrationSets()): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the query under way fails by itself
  try {
    await client.connect().catch((cause: unknown) => {
      const { code, message } = cause as { readonly code?: string; readonly message: string };
      throw new StartError(`The database cannot be reached (${code ?? message}): check DATABASE_URL.`, { cause });
    });
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS applied_migrations
        (owner text, name text, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (owner, name))`,
    );
    for (const { owner, migrations } of sets) {
      const text = 'SELECT name FROM applied_migrations WHERE owner = $1';
      const { rows } = await client.query<{ name: string }>(text, [owner]);
      const applied = new Set(rows.map(({ name }) => name));
      for (const { name, up } of migrations.filter((migration) => !applied.has(migration.name))) {
        await client.query('BEGIN');
        await client.query(up);
        await client.query('INSERT INTO applied_migrations (owner, name) VALUES ($1, $2)', [owner, name]);
        await client.query('COMMIT');
      }
    }
    return await databaseIdOf(client);
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}
