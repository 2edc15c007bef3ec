import type { OutboxEvent } from './outbox-event';
import type { OutboxQueries } from './queries';

/** The events of a stretch of time that are still kept, whether they were handed over or wait. */
export class OutboxLog {
  private constructor(
    private readonly client: OutboxQueries,
    private readonly since: Date,
    /** The database's own text, which keeps its microseconds. */
    private readonly until: string,
    /** How many there are. */
    readonly total: number,
  ) {}

  /** What was written since then, up to now. One round trip; counts what is there. */
  static async open(client: OutboxQueries, since: Date): Promise<OutboxLog> {
    const { rows } = await client.query<{ until: string; total: number }>(
      `SELECT clock_timestamp()::text AS until, count(*)::float8 AS total FROM outbox WHERE written_at >= $1`,
      [since],
    );
    const { until = '', total = 0 } = rows[0] ?? {};
    return new OutboxLog(client, since, until, total);
  }

  /** All of them, in the order in which they were written; a page in memory at a time. */
  async *pages(size: number): AsyncGenerator<readonly OutboxEvent[]> {
    let after: { readonly at: string; readonly id: string } = { at: this.since.toISOString(), id: '0' };
    for (;;) {
      const { rows } = await this.client.query<{ id: string; lane: string; event: unknown; at: string }>(
        `SELECT id, lane, event, written_at::text AS at FROM outbox
         WHERE (written_at, id) > ($1::timestamptz, $2::bigint) AND written_at <= $3::timestamptz
         ORDER BY written_at, id LIMIT $4`,
        [after.at, after.id, this.until, size],
      );
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map(({ id, lane, event }) => ({ id, lane, body: event }));
      after = last;
    }
  }
}
