import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartError } from '../start-error';

/** Any number will do that no other program takes: the digits of "laurel" on a telephone. */
const lock = 528_735;

/**
 * Brings the database up to date with `migrations/`. Instances that start together take turns: the first does it, the
 * others find it done.
 * @throws StartError where the database cannot be reached.
 */
export async function migrate(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the query under way fails by itself
  try {
    await client.connect().catch((cause: unknown) => {
      const { code, message } = cause as { readonly code?: string; readonly message: string };
      const why = code ?? message;
      throw new StartError(`The database cannot be reached (${why}): check DATABASE_URL.`, { cause });
    });
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await runMigrations(drizzle(client), { migrationsFolder: join(__dirname, 'migrations') });
  } finally {
    // The lock goes with the session.
    await client.end();
  }
}
