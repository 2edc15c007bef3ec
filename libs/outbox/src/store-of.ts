import type { MySqlPool } from './mysql/mysql-pool';
import { MySqlStore } from './mysql/mysql-store';
import type { OutboxStore } from './outbox-store';
import { PostgresStore } from './postgres/postgres-store';
import type { Pool } from 'pg';

/** A pool of connections, of pg or of `mysql2/promise`: it says which database keeps the outbox. */
export type OutboxPool = Pool | MySqlPool;

/** The outbox behind a pool. */
export function storeOf(pool: OutboxPool): OutboxStore {
  return 'getConnection' in pool ? new MySqlStore(pool) : new PostgresStore(pool);
}
