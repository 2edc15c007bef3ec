import type { Pool } from 'pg';
import { inTransaction } from './in-transaction';
import type { OutboxEvent } from './outbox-event';

/** Where a page begins: the last before it, by the database's own text of its moment. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/** The events of a stretch of time that are still kept, whether they were handed over or wait. */
export class OutboxLog {
  private constructor(
    private readonly pool: Pool,
    private readonly since: Date,
    /** The database's own text, which keeps its microseconds. */
    private readonly until: string,
    /** How many there are. */
    readonly total: number,
  ) {}

  /** What was written since then, up to now. One round trip; counts what is there. */
  static async open(pool: Pool, since: Date): Promise<OutboxLog> {
    const { rows } = await pool.query<{ until: string; total: number }>(
      `SELECT clock_timestamp()::text AS until, count(*)::float8 AS total FROM outbox WHERE written_at >= $1`,
      [since],
    );
    const { until = '', total = 0 } = rows[0] ?? {};
    return new OutboxLog(pool, since, until, total);
  }

  /**
   * Passes all events to `take`, in the order in which they were written, one page in memory at a time: the next page
   * once `take` has resolved, until it resolves with false. An erasure waits for the page under way; no later page
   * names the erased user.
   */
  async handOver(size: number, take: (events: readonly OutboxEvent[]) => Promise<boolean>): Promise<void> {
    let after: Place | null = { at: this.since.toISOString(), id: '0' };
    while (after) after = await this.handOverPage(after, size, take);
  }

  /** Null where it was the last. */
  private handOverPage(
    after: Place,
    size: number,
    take: (events: readonly OutboxEvent[]) => Promise<boolean>,
  ): Promise<Place | null> {
    return inTransaction(this.pool, '', async (client) => {
      const { rows } = await client.query<{ id: string; lane: string; event: unknown; at: string }>(
        `SELECT id, lane, event, written_at::text AS at FROM outbox
         WHERE (written_at, id) > ($1::timestamptz, $2::bigint) AND written_at <= $3::timestamptz
         ORDER BY written_at, id LIMIT $4`,
        [after.at, after.id, this.until, size],
      );
      const last = rows.at(-1);
      if (!last) return null;
      return (await take(rows.map(({ id, lane, event }) => ({ id, lane, body: event })))) ? last : null;
    });
  }
}
