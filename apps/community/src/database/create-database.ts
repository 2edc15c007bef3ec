import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Database } from './database';
import { isDatabaseAway } from './database-fault';
import * as schema from './schema';

/**
 * The queries of the app over a pool. Its transactions close their connection where it may be broken, or leads to a database that takes no changes: drizzle's own over
 * a pool keep a connection for good where BEGIN gets no answer, and one that is reset in a transaction ends the process.
 */
export function createDatabase(pool: Pool): Database {
  const database = drizzle(pool, { schema });
  /** A database for each connection, made once. */
  const ofClient = new WeakMap<PoolClient, Database>();
  const databaseOf = (client: PoolClient): Database => {
    const known = ofClient.get(client) ?? drizzle(client, { schema });
    ofClient.set(client, known);
    return known;
  };
  database.transaction = (work, config) => withClient(pool, (client) => databaseOf(client).transaction(work, config));
  return database;
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
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
