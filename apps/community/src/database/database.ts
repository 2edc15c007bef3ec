import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import { isDatabaseAway } from './database-fault';
import * as schema from './schema';

/** Injects the {@link Database}. */
export const DATABASE = Symbol('DATABASE');

/** The community's database. */
export type Database = NodePgDatabase<typeof schema>;

/** A transaction of it. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * The queries of the app over a pool. Its transactions close a connection that may be broken, or that leads to a
 * database which takes no changes. drizzle's own keep such a connection if BEGIN gets no answer, and a connection that
 * is reset in a transaction ends the process.
 */
export function createDatabase(pool: Pool): Database {
  const database = drizzle(pool, { schema });
  /** A database for each connection, made once. */
  const ofClient = new WeakMap<PoolClient, Database>();
  database.transaction = (work, config) =>
    withClient(pool, (client) => {
      const own = ofClient.get(client) ?? drizzle(client, { schema });
      ofClient.set(client, own);
      return own.transaction(work, config);
    });
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
