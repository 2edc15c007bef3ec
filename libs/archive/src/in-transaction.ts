import type { Pool, PoolClient } from 'pg';

/**
 * Does some work in a transaction: all of it or nothing. A connection on which anything failed is closed: it may be
 * broken, or lead to a database that takes no changes.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The connection may be lost while nothing is asked of it: unheard, that would end the process.
  const hearBreak = (error: Error) => (broken = error);
  client.on('error', hearBreak);
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const done = await work(client);
    await client.query('COMMIT');
    return done;
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', hearBreak);
    client.release(broken);
  }
}
