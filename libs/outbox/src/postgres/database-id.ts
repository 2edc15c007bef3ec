import type { ClientBase, Pool } from 'pg';

/**
 * What tells this database from every other, the same in its copies: for the option `databaseId` of `ActivityModule`,
 * which refuses the points of another one's app. One round trip.
 */
export async function databaseIdOf(database: Pool | ClientBase): Promise<string> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM outbox_database');
  return rows[0]?.id ?? '';
}
