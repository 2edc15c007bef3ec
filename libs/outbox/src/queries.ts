import type { QueryResult, QueryResultRow } from 'pg';
import type { WaitingEvent } from './outbox-event';

/** Runs a query: a pool, or a connection with a transaction. */
export interface OutboxQueries {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** The deliverers' own space of advisory locks ("lane"); the writers' turns have another. */
const laneLocks = 1_818_324_581;

/** How many waiting events are looked at for free lanes: several batches, as others may hold the first. */
const lookAhead = 8;

/** Lanes that a transaction holds. */
export interface HeldLanes {
  readonly lanes: readonly string[];
  /** The last event that was looked at to find them. */
  readonly lastId: string;
}

/**
 * Begins a transaction whose plans use the indexes of waiting events, whatever the statistics say: these are of another
 * moment.
 */
export const followIndexes = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off';

/**
 * Locks up to `count` lanes in which something waits and which nobody holds or has to leave alone, those that wait for
 * longest first. The locks go with the transaction.
 */
export async function lockLanes(client: OutboxQueries, count: number): Promise<HeldLanes> {
  const { rows } = await client.query<{ lane: string; lastId: string }>(
    `WITH first AS MATERIALIZED (
       SELECT id, lane FROM outbox
       WHERE done_at IS NULL AND lane NOT IN (SELECT lane FROM outbox WHERE retry_at > clock_timestamp())
       ORDER BY id LIMIT $2
     ), lanes AS MATERIALIZED (SELECT lane FROM first GROUP BY lane ORDER BY min(id))
     SELECT lane, (SELECT max(id) FROM first) AS "lastId" FROM lanes
     WHERE pg_try_advisory_xact_lock($3, hashtext(lane)) LIMIT $1`,
    [count, count * lookAhead, laneLocks],
  );
  return { lanes: rows.map(({ lane }) => lane), lastId: rows[0]?.lastId ?? '0' };
}

/** The first of what waits in these lanes, each lane's in order. */
export async function waitingOf(
  client: OutboxQueries,
  { lanes, lastId }: HeldLanes,
  count: number,
): Promise<WaitingEvent[]> {
  const { rows } = await client.query<{ id: string; lane: string; event: unknown; waitedMs: number }>(
    `SELECT id, lane, event, extract(epoch FROM clock_timestamp() - written_at)::float8 * 1000 AS "waitedMs" FROM outbox
     WHERE done_at IS NULL AND id <= $2 AND lane = ANY($1)
       AND lane NOT IN (SELECT lane FROM outbox WHERE retry_at > clock_timestamp())
     ORDER BY id LIMIT $3`,
    [lanes, lastId, count],
  );
  return rows.map(({ id, lane, event, waitedMs }) => ({ id, lane, body: event, waitedMs }));
}

/** Notes that these are done with. Gives how long each had waited, in seconds. */
export async function acknowledge(client: OutboxQueries, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ delay: number }>(
    `WITH held AS MATERIALIZED (SELECT id FROM outbox WHERE id = ANY($1) ORDER BY id FOR UPDATE)
     UPDATE outbox SET done_at = clock_timestamp(), retry_at = NULL WHERE id IN (SELECT id FROM held)
     RETURNING extract(epoch FROM done_at - written_at)::float8 AS delay`,
    [ids],
  );
  return rows.map(({ delay }) => delay);
}

/** Notes that one was refused, and until when its lane waits. */
export async function refuse(
  client: OutboxQueries,
  id: string,
  { retryMs, maxRetryMs }: { readonly retryMs: number; readonly maxRetryMs: number },
): Promise<void> {
  await client.query(
    `UPDATE outbox SET attempts = attempts + 1,
       retry_at = clock_timestamp() + least($2 * 2.0 ^ least(attempts, 30), $3) * interval '1 millisecond'
     WHERE id = $1`,
    [id, retryMs, maxRetryMs],
  );
}

/** Notes that the lanes of these wait for so long, though nothing is wrong with them. */
export async function postpone(client: OutboxQueries, ids: readonly string[], ms: number): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `UPDATE outbox SET retry_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = ANY($1)`,
    [ids, ms],
  );
}

/** What waits. */
export interface OutboxState {
  readonly waiting: number;
  /** How long the oldest has waited, in seconds; 0 where nothing does. */
  readonly oldestS: number;
}

/** What waits now, by the database's clock. One round trip; costs what waits. */
export async function outboxState(client: OutboxQueries): Promise<OutboxState> {
  const { rows } = await client.query<OutboxState>(
    `SELECT count(*)::int AS waiting,
       coalesce(extract(epoch FROM clock_timestamp() - min(written_at)), 0)::float8 AS "oldestS"
     FROM outbox WHERE done_at IS NULL`,
  );
  return rows[0] ?? { waiting: 0, oldestS: 0 };
}

/** How many are forgotten at once: a short transaction each. */
const forgottenAtOnce = 5_000;

/** Deletes what was acknowledged and written longer ago than this. Gives how many. Never touches what waits. */
export async function forgetDone(client: OutboxQueries, keptMs: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { rowCount } = await client.query(
      `DELETE FROM outbox WHERE id IN (
         SELECT id FROM outbox
         WHERE written_at < clock_timestamp() - $1 * interval '1 millisecond' AND done_at IS NOT NULL
         ORDER BY written_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [keptMs, forgottenAtOnce],
    );
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < forgottenAtOnce) return forgotten;
  }
}
