import { writeEvent } from '@laurel/outbox';
import type { PostgresServer } from '@laurel/servers';
import { Pool } from 'pg';
import { startTestPostgres } from '../../../support/postgres';
import { type AfterStatement, OutboxDatabase, type RelayPool, type Transaction } from './outbox-database';

/** A PostgreSQL with the community's outbox. */
export class PostgresOutbox extends OutboxDatabase {
  readonly dialect = {
    locksLanes: 'pg_try_advisory_xact_lock',
    n: `(event->>'n')::int`,
    utcNow: 'clock_timestamp()',
    msUntil: (column: string) => `extract(epoch FROM ${column} - clock_timestamp())::float8 * 1000`,
    before: (moment: string, seconds: number) => `${moment} - interval '${seconds} seconds'`,
  };

  private constructor(
    private readonly postgres: PostgresServer,
    readonly pool: Pool,
  ) {
    super();
  }

  static async start(): Promise<PostgresOutbox> {
    const postgres = await startTestPostgres();
    return new PostgresOutbox(postgres, poolOf(postgres.url, 20));
  }

  async query<Row>(text: string): Promise<readonly Row[]> {
    return (await this.pool.query(text)).rows as Row[];
  }

  async begin(): Promise<Transaction> {
    const client = await this.pool.connect();
    await client.query('BEGIN');
    const end = async (text: string) => {
      await client.query(text);
      client.release();
    };
    return {
      write: (lane, event) => writeEvent(client, lane, event),
      commit: () => end('COMMIT'),
      rollback: () => end('ROLLBACK'),
    };
  }

  relayPool(after?: AfterStatement): RelayPool {
    const pool = poolOf(this.postgres.url, 3);
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: readonly unknown[]) => Promise<unknown>;
      const heard = async (text: string, ...values: readonly unknown[]) => {
        const result = await query(text, ...values);
        await after?.(text);
        return result;
      };
      if (after) Object.assign(client, { query: heard });
    });
    return { pool, end: () => pool.end() };
  }

  async forget(lane: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>('SELECT outbox_forget($1)::int AS count', [lane]);
    return rows[0]?.count ?? NaN;
  }

  async isWaitedFor(): Promise<boolean> {
    return (await this.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length > 0;
  }

  async breakTransactions(): Promise<void> {
    await this.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'`);
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.postgres.stop();
  }
}

/** The server may end before its idle connections have. */
function poolOf(url: string, max: number): Pool {
  return new Pool({ connectionString: url, max }).on('error', () => undefined);
}
