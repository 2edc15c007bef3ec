import type { Pool, PoolClient } from 'pg';
import { isDatabaseAway } from './database-fault';

/**
 * Does some work with a connection, which is closed afterwards where it may be broken, or leads to a database that takes
 * no changes.
 */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const hearBreak = (error: Error) => (broken = error);
  client.on('error', hearBreak);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Error && isDatabaseAway(error)) broken ??= error;
    throw error;
  } finally {
    client.off('error', hearBreak);
    client.release(broken);
  }
}

/** Does some work in a transaction of its own: all of it or nothing. */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query('BEGIN');
    try {
      const done = await work(client);
      await client.query('COMMIT');
      return done;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}
