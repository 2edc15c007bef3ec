import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartError } from '../lifecycle/start-error';

/** Any number will do that no other program takes: the digits of "laurel" on a telephone. */
const lock = 528_735;

/**
 * Drizzle's own migrator applies what is dated after the last that was applied, and versions of this app up to November
 * 2026 run it with dates up to this one. What is stored is never dated earlier, so that they find nothing to do.
 */
const latestDateOfOldVersions = Date.UTC(2026, 10, 30);

/**
 * Brings the database up to date with `migrations/`. Migrations are applied in the order of their journal, each once,
 * whatever their dates. Instances that start together take turns: the first does it, the others find it done.
 * @throws StartError where the database cannot be reached.
 */
export async function migrate(url: string, migrationsFolder = join(__dirname, 'migrations')): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the query under way fails by itself
  try {
    await client.connect().catch((cause: unknown) => {
      const { code, message } = cause as { readonly code?: string; readonly message: string };
      const why = code ?? message;
      throw new StartError(`The database cannot be reached (${why}): check DATABASE_URL.`, { cause });
    });
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await applyMissing(client, readMigrationFiles({ migrationsFolder }));
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}

/**
 * Applies the migrations that are not yet applied, and notes them in Drizzle's table. Each is a transaction: one that
 * reads a large table holds no lock of the one before.
 */
async function applyMissing(client: Client, migrations: readonly MigrationMeta[]): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS drizzle');
  await client.query(
    'CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)',
  );
  const { rows } = await client.query<{ applied: number }>(
    'SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations',
  );
  for (const { sql, hash, folderMillis } of migrations.slice(rows[0]?.applied)) {
    await client.query('BEGIN');
    for (const statement of sql) await client.query(statement);
    const storedMs = Math.max(folderMillis, latestDateOfOldVersions);
    const note = 'INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)';
    await client.query(note, [hash, storedMs]);
    await client.query('COMMIT');
  }
}
