import type { Client } from 'pg';
import type { MigrationOwner } from './migration-sets';

/**
 * What versions up to November 2026 applied, in the order in which they noted it in drizzle's table, all in one list.
 * Null: an earlier form of the outbox, which the first migration of its library completes.
 */
const numbered: readonly (readonly [owner: MigrationOwner, name: string] | null)[] = [
  ['community', '0000_community'],
  ['archive', 'laurel-archive-1-standings'],
  ['archive', 'laurel-archive-2-hidden'],
  null,
  null,
  ['community', '0005_user_names'],
  ['community', '0006_article_categories'],
  ['outbox', 'laurel-outbox-1'],
  ['community', '0008_user_looks'],
  ['archive', 'laurel-archive-3-early'],
  ['archive', 'laurel-archive-4-early-checked'],
  ['archive', 'laurel-archive-5-months'],
  ['archive', 'laurel-archive-6-titles'],
  ['community', '0013_submissions'],
  ['community', '0014_user_texts'],
  ['community', '0015_user_name_parts'],
  ['archive', 'laurel-archive-7-cold-ledgers'],
];

/**
 * Some of those versions count the rows of drizzle's table, earlier ones compare the latest of its dates with their
 * own, which go up to this one. With as many rows and this date they find nothing to do.
 */
const latestDate = Date.UTC(2026, 10, 30);

/** In the place of a migration's digest: a row that is there for those versions alone. */
const filler = 'see applied_migrations';

/** Notes by name what those versions applied. May be repeated. Three round trips. */
export async function takeOverNumbered(client: Client): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS drizzle;
    CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations
      (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
  const { rows } = await client.query<{ applied: number }>(
    'SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations WHERE hash <> $1',
    [filler],
  );
  const applied = numbered.slice(0, rows[0]?.applied).filter((migration) => migration !== null);
  await client.query(
    `INSERT INTO applied_migrations (owner, name) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [applied.map(([owner]) => owner), applied.map(([, name]) => name)],
  );
}

/** Leaves those versions nothing to do, once all is applied. May be repeated. One round trip. */
export async function noteAsNumbered(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) SELECT $1, $2
     FROM generate_series((SELECT count(*) FROM drizzle.__drizzle_migrations) + 1, $3)`,
    [filler, latestDate, numbered.length],
  );
}
