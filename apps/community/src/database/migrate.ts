import { databaseIdOf } from '@laurel/outbox';
import { Client } from 'pg';
import { StartError } from '../lifecycle/start-error';
import { type MigrationSet, migrationSets } from './migration-sets';

/** Any number will do that no other program takes: the digits of "laurel" on a telephone. */
const lock = 528_735;

/**
 * Brings the database up to date with the migrations of the libraries and the community's own. They are applied in
 * their order, each once. Returns what tells it from every other database. Instances that start together take turns:
 * the first does it, the others find it done.
 * @throws StartError where the database cannot be reached.
 */
export async function migrate(url: string, sets = migrationSets()): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the query under way fails by itself
  try {
    await client.connect().catch((cause: unknown) => {
      const { code, message } = cause as { readonly code?: string; readonly message: string };
      const why = code ?? message;
      throw new StartError(`The database cannot be reached (${why}): check DATABASE_URL.`, { cause });
    });
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS applied_migrations
        (owner text, name text, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (owner, name))`,
    );
    for (const set of sets) await applyMissing(client, set);
    return await databaseIdOf(client);
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}

/** Each is a transaction: one that reads a large table holds no lock of the one before. */
async function applyMissing(client: Client, { owner, migrations }: MigrationSet): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM applied_migrations WHERE owner = $1', [
    owner,
  ]);
  const applied = new Set(rows.map(({ name }) => name));
  for (const { name, up } of migrations.filter((migration) => !applied.has(migration.name))) {
    await client.query('BEGIN');
    await client.query(up);
    await client.query('INSERT INTO applied_migrations (owner, name) VALUES ($1, $2)', [owner, name]);
    await client.query('COMMIT');
  }
}
