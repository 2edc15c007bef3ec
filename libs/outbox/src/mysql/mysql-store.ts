import type { WaitingEvent } from '../outbox-event';
import type { HandoverStatements, OutboxState, OutboxStore, Place, PlacedEvent, Stretch } from '../outbox-store';
import { inTransaction } from './in-transaction';
import { slots } from './mysql-migrations';
import type { MySqlPool, MySqlQueries } from './mysql-pool';

/** How many waiting events are looked at for free lanes: several batches, as others may hold the first. */
const lookAhead = 8;

/** Waiting events, by their index whatever the statistics say, without those of lanes that have to wait. */
const waiting = `FROM outbox FORCE INDEX (outbox_waiting)
  WHERE done_at IS NULL AND lane NOT IN (SELECT lane FROM outbox WHERE retry_at > UTC_TIMESTAMP(6))`;

/** An id as text: it may be larger than a number is exact. A lane is text in bytes. */
const columns = `CAST(id AS CHAR) AS id, CONVERT(lane USING utf8mb4) AS lane, event`;

/** A row of an event, whose JSON comes as text. */
interface EventRow {
  readonly id: string;
  readonly lane: string;
  readonly event: string;
}

/** An outbox in MySQL or MariaDB. */
export class MySqlStore implements OutboxStore {
  constructor(private readonly pool: MySqlPool) {}

  handOver<R>(work: (statements: HandoverStatements) => Promise<R>): Promise<R> {
    return inTransaction(this.pool, (connection) => work(new MySqlStatements(connection)));
  }

  async state(): Promise<OutboxState> {
    const [row] = await rowsOf<{ waiting: number; oldestUs: number | null }>(
      this.pool,
      `SELECT COUNT(*) AS waiting, TIMESTAMPDIFF(MICROSECOND, MIN(written_at), UTC_TIMESTAMP(6)) AS oldestUs
       FROM outbox WHERE done_at IS NULL`,
    );
    return { waiting: Number(row?.waiting ?? 0), oldestS: Number(row?.oldestUs ?? 0) / 1e6 };
  }

  async forgetDone(keptMs: number, count: number): Promise<number> {
    // Found first, and deleted by their ids alone: a search that deletes would lock what is written meanwhile.
    const found = await rowsOf<{ id: string }>(
      this.pool,
      `SELECT CAST(id AS CHAR) AS id FROM outbox
       WHERE written_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND AND done_at IS NOT NULL
       ORDER BY written_at, outbox.id LIMIT ?`,
      [Math.round(keptMs * 1_000), count],
    );
    if (found.length > 0) await this.pool.query('DELETE FROM outbox WHERE id IN (?)', [found.map(({ id }) => id)]);
    return found.length;
  }

  async stretchSince(since: Date): Promise<Stretch> {
    const at = since.toISOString().slice(0, -1).replace('T', ' ');
    const [row] = await rowsOf<{ until: string; total: number }>(
      this.pool,
      `SELECT CAST(UTC_TIMESTAMP(6) AS CHAR) AS until, COUNT(*) AS total FROM outbox WHERE written_at >= ?`,
      [at],
    );
    return { start: { at, id: '0' }, until: row?.until ?? at, total: Number(row?.total ?? 0) };
  }
}

class MySqlStatements implements HandoverStatements {
  constructor(private readonly connection: MySqlQueries) {}

  async take(count: number): Promise<readonly WaitingEvent[] | null> {
    const first = await rowsOf<{ id: string; slot: number }>(
      this.connection,
      `SELECT CAST(id AS CHAR) AS id, CRC32(lane) % ${slots} AS slot ${waiting} ORDER BY outbox.id LIMIT ?`,
      [count * lookAhead],
    );
    const held = await this.lockSlots([...new Set(first.map(({ slot }) => Number(slot)))], count);
    if (held.length === 0) return null;
    const rows = await rowsOf<EventRow & { waitedUs: number }>(
      this.connection,
      `SELECT ${columns}, TIMESTAMPDIFF(MICROSECOND, written_at, UTC_TIMESTAMP(6)) AS waitedUs ${waiting}
         AND id <= ? AND CRC32(lane) % ${slots} IN (?) ORDER BY outbox.id LIMIT ?`,
      [first.at(-1)?.id, held, count],
    );
    return rows.map(({ waitedUs, ...row }) => ({ ...eventOf(row), waitedMs: Number(waitedUs) / 1_000 }));
  }

  /** As many of these as nobody holds, the first of them first. One round trip unless others hold some. */
  private async lockSlots(wanted: readonly number[], count: number): Promise<readonly number[]> {
    const held: number[] = [];
    for (let from = 0; from < wanted.length && held.length < count; from += count) {
      const rows = await rowsOf<{ slot: number }>(
        this.connection,
        `SELECT slot FROM outbox_locks FORCE INDEX (PRIMARY) WHERE kind = 'lane' AND slot IN (?)
         LIMIT ? FOR UPDATE SKIP LOCKED`,
        [wanted.slice(from, from + count), count - held.length],
      );
      held.push(...rows.map(({ slot }) => Number(slot)));
    }
    return held;
  }

  async acknowledge(ids: readonly string[]): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    const rows = await rowsOf<{ delayUs: number }>(
      this.connection,
      `SELECT TIMESTAMPDIFF(MICROSECOND, written_at, UTC_TIMESTAMP(6)) AS delayUs FROM outbox WHERE id IN (?)`,
      [ids],
    );
    await this.connection.query('UPDATE outbox SET done_at = UTC_TIMESTAMP(6), retry_at = NULL WHERE id IN (?)', [ids]);
    return rows.map(({ delayUs }) => Number(delayUs) / 1e6);
  }

  async refuse(id: string, { retryMs, maxRetryMs }: { retryMs: number; maxRetryMs: number }): Promise<void> {
    // From left to right: the wait is that of the attempts before this one.
    await this.connection.query(
      `UPDATE outbox SET
         retry_at = UTC_TIMESTAMP(6) + INTERVAL ROUND(LEAST(? * POW(2, LEAST(attempts, 30)), ?) * 1000) MICROSECOND,
         attempts = attempts + 1
       WHERE id = ?`,
      [retryMs, maxRetryMs, id],
    );
  }

  async postpone(ids: readonly string[], ms: number): Promise<void> {
    if (ids.length === 0) return;
    await this.connection.query(
      'UPDATE outbox SET retry_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND WHERE id IN (?)',
      [Math.round(ms * 1_000), ids],
    );
  }

  async page(after: Place, until: string, count: number): Promise<readonly PlacedEvent[]> {
    const rows = await rowsOf<EventRow & { at: string }>(
      this.connection,
      `SELECT ${columns}, CAST(written_at AS CHAR) AS at FROM outbox
       WHERE written_at >= ? AND (written_at > ? OR id > ?) AND written_at <= ?
       ORDER BY written_at, outbox.id LIMIT ?`,
      [after.at, after.at, after.id, until, count],
    );
    return rows.map(({ at, ...row }) => ({ ...eventOf(row), at }));
  }
}

/** A database may store invalid JSON: the receiver refuses such an event, which stops no other. */
function eventOf({ id, lane, event }: EventRow) {
  try {
    return { id, lane, body: JSON.parse(event) as unknown };
  } catch {
    return { id, lane, body: event };
  }
}

async function rowsOf<Row>(queries: MySqlQueries, text: string, values?: unknown[]): Promise<readonly Row[]> {
  const [rows] = await queries.query(text, values);
  return rows as readonly Row[];
}
