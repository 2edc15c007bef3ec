import type { ClientBase, Pool } from 'pg';
import type { WaitingEvent } from '../outbox-event';
import type { HandoverStatements, OutboxState, OutboxStore, Place, PlacedEvent, Stretch } from '../outbox-store';
import { inTransaction } from './in-transaction';

/** The deliverers' own space of advisory locks ("lane"); the writers' turns have another. */
const laneLocks = 1_818_324_581;

/** How many waiting events are looked at for free lanes: several batches, as others may hold the first. */
const lookAhead = 8;

/** An outbox in PostgreSQL. */
export class PostgresStore implements OutboxStore {
  constructor(private readonly pool: Pool) {}

  handOver<R>(work: (statements: HandoverStatements) => Promise<R>): Promise<R> {
    return inTransaction(this.pool, (client) => work(new PostgresStatements(client)));
  }

  async state(): Promise<OutboxState> {
    const { rows } = await this.pool.query<OutboxState>(
      `SELECT count(*)::int AS waiting,
         coalesce(extract(epoch FROM clock_timestamp() - min(written_at)), 0)::float8 AS "oldestS"
       FROM outbox WHERE done_at IS NULL`,
    );
    return rows[0] ?? { waiting: 0, oldestS: 0 };
  }

  async forgetDone(keptMs: number, count: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox
         WHERE written_at < clock_timestamp() - $1 * interval '1 millisecond' AND done_at IS NOT NULL
         ORDER BY written_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [keptMs, count],
    );
    return rowCount ?? 0;
  }

  async stretchSince(since: Date): Promise<Stretch> {
    const { rows } = await this.pool.query<{ until: string; total: number }>(
      `SELECT clock_timestamp()::text AS until, count(*)::float8 AS total FROM outbox WHERE written_at >= $1`,
      [since],
    );
    const { until = '', total = 0 } = rows[0] ?? {};
    return { start: { at: since.toISOString(), id: '0' }, until, total };
  }
}

class PostgresStatements implements HandoverStatements {
  constructor(private readonly client: ClientBase) {}

  async take(count: number): Promise<readonly WaitingEvent[] | null> {
    const { rows } = await this.client.query<{ lane: string; lastId: string }>(
      `WITH first AS MATERIALIZED (
         SELECT id, lane FROM outbox
         WHERE done_at IS NULL AND lane NOT IN (SELECT lane FROM outbox WHERE retry_at > clock_timestamp())
         ORDER BY id LIMIT $2
       ), lanes AS MATERIALIZED (SELECT lane FROM first GROUP BY lane ORDER BY min(id))
       SELECT lane, (SELECT max(id) FROM first) AS "lastId" FROM lanes
       WHERE pg_try_advisory_xact_lock($3, hashtext(lane)) LIMIT $1`,
      [count, count * lookAhead, laneLocks],
    );
    const [first] = rows;
    if (!first) return null;
    // After the locks are held: what others of these lanes delivered before is seen as such.
    const lanes = rows.map(({ lane }) => lane);
    const waiting = await this.client.query<{ id: string; lane: string; event: unknown; waitedMs: number }>(
      `SELECT id, lane, event, extract(epoch FROM clock_timestamp() - written_at)::float8 * 1000 AS "waitedMs"
       FROM outbox WHERE done_at IS NULL AND id <= $2 AND lane = ANY($1)
         AND lane NOT IN (SELECT lane FROM outbox WHERE retry_at > clock_timestamp())
       ORDER BY id LIMIT $3`,
      [lanes, first.lastId, count],
    );
    return waiting.rows.map(({ id, lane, event, waitedMs }) => ({ id, lane, body: event, waitedMs }));
  }

  async acknowledge(ids: readonly string[]): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.client.query<{ delay: number }>(
      `WITH held AS MATERIALIZED (SELECT id FROM outbox WHERE id = ANY($1) ORDER BY id FOR UPDATE)
       UPDATE outbox SET done_at = clock_timestamp(), retry_at = NULL WHERE id IN (SELECT id FROM held)
       RETURNING extract(epoch FROM done_at - written_at)::float8 AS delay`,
      [ids],
    );
    return rows.map(({ delay }) => delay);
  }

  async refuse(id: string, { retryMs, maxRetryMs }: { retryMs: number; maxRetryMs: number }): Promise<void> {
    await this.client.query(
      `UPDATE outbox SET attempts = attempts + 1,
         retry_at = clock_timestamp() + least($2 * 2.0 ^ least(attempts, 30), $3) * interval '1 millisecond'
       WHERE id = $1`,
      [id, retryMs, maxRetryMs],
    );
  }

  async postpone(ids: readonly string[], ms: number): Promise<void> {
    if (ids.length === 0) return;
    await this.client.query(
      `UPDATE outbox SET retry_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = ANY($1)`,
      [ids, ms],
    );
  }

  async page(after: Place, until: string, count: number): Promise<readonly PlacedEvent[]> {
    const { rows } = await this.client.query<{ id: string; lane: string; event: unknown; at: string }>(
      `SELECT id, lane, event, written_at::text AS at FROM outbox
       WHERE (written_at, id) > ($1::timestamptz, $2::bigint) AND written_at <= $3::timestamptz
       ORDER BY written_at, id LIMIT $4`,
      [after.at, after.id, until, count],
    );
    return rows.map(({ id, lane, event, at }) => ({ id, lane, body: event, at }));
  }
}
