import type { ClientBase, Pool } from 'pg';

/**
 * Identifies this database; its copies have the same id. For the option `databaseId` of `ActivityModule`, which refuses
 * points that belong to another database. One round trip.
 */
export async function databaseIdOf(database: Pool | ClientBase): Promise<string> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM outbox_database');
  return rows[0]?.id ?? '';
}
