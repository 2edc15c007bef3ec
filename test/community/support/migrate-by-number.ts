import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import { Client } from 'pg';

/** The migrations of commit 5bc2a8d, the last whose migrations were one list, with their dates. */
export const numberedFolder = join(__dirname, 'numbered-migrations');

/** Migrates as commit 5bc2a8d did, with the first `count` of its migrations. Returns how many it applied. */
export async function migrateByNumber(url: string, count?: number): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [528_735]);
    return await applyMissing(client, readMigrationFiles({ migrationsFolder: numberedFolder }).slice(0, count));
  } finally {
    await client.end();
  }
}

async function applyMissing(client: Client, migrations: readonly MigrationMeta[]): Promise<number> {
  await client.query('CREATE SCHEMA IF NOT EXISTS drizzle');
  await client.query(
    'CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)',
  );
  const { rows } = await client.query<{ applied: number }>(
    'SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations',
  );
  const missing = migrations.slice(rows[0]?.applied);
  for (const { sql, hash, folderMillis } of missing) {
    await client.query('BEGIN');
    for (const statement of sql) await client.query(statement);
    const storedMs = Math.max(folderMillis, Date.UTC(2026, 10, 30));
    const note = 'INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)';
    await client.query(note, [hash, storedMs]);
    await client.query('COMMIT');
  }
  return missing.length;
}
