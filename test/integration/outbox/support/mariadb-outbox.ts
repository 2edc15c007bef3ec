import { outboxMigrations, writeEvent } from '@laurel/outbox/mysql';
import { type MariaDbServer, startMariaDb } from '@laurel/servers/mariadb';
import { createPool, type Pool } from 'mysql2/promise';
import { type AfterStatement, OutboxDatabase, type RelayPool, type Transaction } from './outbox-database';

/** A MariaDB with the tables of `@laurel/outbox/mysql`. */
export class MariaDbOutbox extends OutboxDatabase {
  readonly dialect = {
    locksLanes: 'SKIP LOCKED',
    n: `CAST(JSON_VALUE(event, '$.n') AS int)`,
    utcNow: 'UTC_TIMESTAMP(6)',
    msUntil: (column: string) => `TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), ${column}) / 1000`,
    before: (moment: string, seconds: number) => `${moment} - INTERVAL ${seconds} SECOND`,
  };

  private constructor(
    private readonly server: MariaDbServer,
    readonly pool: Pool,
  ) {
    super();
  }

  static async start(): Promise<MariaDbOutbox> {
    const server = await startMariaDb();
    const pool = createPool({ uri: server.url, connectionLimit: 20 });
    for (const { up } of outboxMigrations) await pool.query(up);
    return new MariaDbOutbox(server, pool);
  }

  async query<Row>(text: string): Promise<readonly Row[]> {
    return (await this.pool.query(text))[0] as Row[];
  }

  async begin(): Promise<Transaction> {
    const connection = await this.pool.getConnection();
    await connection.beginTransaction();
    const end = async (text: string) => {
      await connection.query(text);
      connection.release();
    };
    return {
      write: (lane, event) => writeEvent(connection, lane, event),
      commit: () => end('COMMIT'),
      rollback: () => end('ROLLBACK'),
    };
  }

  relayPool(after?: AfterStatement): RelayPool {
    const pool = createPool({ uri: this.server.url, connectionLimit: 3 });
    const heard = async () => {
      const connection = await pool.getConnection();
      return {
        release: () => connection.release(),
        destroy: () => connection.destroy(),
        query: async (text: string, values?: unknown[]) => {
          const result = await connection.query(text, values);
          await after?.(text);
          return result;
        },
      };
    };
    return {
      pool: after ? { query: (text, values) => pool.query(text, values), getConnection: heard } : pool,
      end: () => pool.end(),
    };
  }

  async forget(lane: string): Promise<number> {
    // An erasure is a transaction: without one, each of a procedure's statements is.
    const connection = await this.pool.getConnection();
    try {
      await connection.beginTransaction();
      const [[rows]] = (await connection.query('CALL outbox_forget(?)', [lane])) as unknown as [
        readonly [readonly { readonly forgotten: number }[]],
      ];
      await connection.commit();
      return Number(rows[0]?.forgotten);
    } catch (error) {
      await connection.rollback();
      // InnoDB may end either of two transactions that wait for each other, and asks to repeat it.
      if (!(error instanceof Error) || !('errno' in error) || error.errno !== 1213) throw error;
      return await this.forget(lane);
    } finally {
      connection.release();
    }
  }

  async isWaitedFor(): Promise<boolean> {
    const [waits] = await this.query<{ Value: string }>(`SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'`);
    return Number(waits?.Value) > 0;
  }

  async breakTransactions(): Promise<void> {
    const open = await this.query<{ id: number }>(
      `SELECT trx_mysql_thread_id AS id FROM information_schema.innodb_trx WHERE trx_state = 'RUNNING'`,
    );
    for (const { id } of open) await this.query(`KILL ${id}`);
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.server.kill();
  }
}
