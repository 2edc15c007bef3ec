import type { ArchivedEntry, ArchiveDraft, SettledPeriod } from '@laurel/activity';
import type { SettledTitle } from '@laurel/activity/settlement';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { copyRows } from './copy-rows';
import { EntryRows } from './entry-rows';
import { keepHiddenUsers } from './hidden-lock';
import { inTransaction } from './in-transaction';
import { storedLabel } from './stored-label';

/** Rows written, or deleted, by one transaction: far below the time that a statement may take. */
const rowsATransaction = 10_000;

/** Of a draft, what says that its writer was not given up for dead. */
const isAlive = `settled_at_ms IS NULL AND touched_at > '-infinity'`;

/**
 * Standings on their way into PostgreSQL: rows of a period that is not settled yet, which no read sees. Written by
 * COPY, 10,000 at a time, while the next ones are gathered.
 */
export class PostgresDraft implements ArchiveDraft {
  private readonly rows: EntryRows;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly id: string,
  ) {
    this.rows = new EntryRows(BigInt(id));
  }

  async append(entries: readonly ArchivedEntry[]): Promise<void> {
    for (const entry of entries) {
      this.rows.add(entry);
      if (this.rows.count === rowsATransaction) await this.startWriting();
    }
    if (entries.length === 0) await this.underWay;
  }

  async entitle(titles: readonly SettledTitle[]): Promise<void> {
    if (titles.length === 0) return;
    await this.pool.query(
      'INSERT INTO settled_titles (settled_id, place, title) SELECT $1, * FROM unnest($2::bigint[], $3::json[])',
      [this.id, titles.map(({ place }) => place), titles.map(({ title }) => JSON.stringify(title))],
    );
  }

  async commit(period: SettledPeriod): Promise<boolean> {
    if (this.rows.count > 0) await this.startWriting();
    await this.underWay;
    try {
      const {
        leaderboard,
        period: key,
        startMs,
        endMs,
        settledAtMs,
        total,
        checksum,
        tieRule,
        rulesVersion,
        titled = false,
      } = period;
      const { rowCount } = await this.pool.query(
        `UPDATE settled_periods SET leaderboard = $2, period = $3, start_ms = $4, end_ms = $5, settled_at_ms = $6,
           total = $7, checksum = $8, tie_rule = $9, rules_version = $10, titled = $11
         WHERE id = $1 AND ${isAlive}`,
        [
          ...[this.id, storedLabel(leaderboard), key, startMs, endMs, settledAtMs, total],
          ...[checksum, tieRule, rulesVersion, titled],
        ],
      );
      if (rowCount === 0)
        throw new Error(
          'The draft was dropped before it was committed: it had no write for an hour. Settle the period again.',
        );
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.constraint === 'settled_periods_key')) throw error;
      await this.abandon();
      return false;
    }
  }

  async abandon(): Promise<void> {
    await this.underWay.catch(() => undefined);
    await dropDraft(this.pool, this.id);
  }

  /** Writes what was gathered once what was gathered before is written: no more than two parts are in memory. */
  private async startWriting(): Promise<void> {
    const rows = this.rows.take();
    await this.underWay;
    this.underWay = inTransaction(this.pool, (client) => this.write(client, rows));
    // It is awaited with the next part: until then its failure is not unheard.
    this.underWay.catch(() => undefined);
  }

  private async write(client: PoolClient, { bytes, first, last }: ReturnType<EntryRows['take']>): Promise<void> {
    // A crash of the database ends the draft anyway; its commit waits for the disk, and with it for all that is before
    // it.
    await client.query('SET LOCAL synchronous_commit = off');
    await keepHiddenUsers(client);
    // In one transaction with the sign of life: what is given up for dead gets no more rows.
    const { rows } = await client.query<{ hides: boolean }>(
      `UPDATE settled_periods SET touched_at = clock_timestamp() WHERE id = $1 AND ${isAlive}
       RETURNING EXISTS (SELECT FROM hidden_users) AS hides`,
      [this.id],
    );
    if (!rows[0])
      throw new Error(
        'The draft was dropped while it was written: it had no write for an hour. Settle the period again.',
      );
    await copyRows(client, `settled_entries (${EntryRows.columns})`, bytes);
    if (!rows[0].hides) return;
    await client.query(
      `UPDATE settled_entries SET is_hidden = true
       WHERE settled_id = $1 AND place BETWEEN $2 AND $3 AND user_id IN (SELECT user_id FROM hidden_users)`,
      [this.id, first, last],
    );
  }
}

/**
 * Drops what a draft has written, a part at a time, then the draft; a period that is settled stays. Where this is cut
 * short, it is done again.
 */
export async function dropDraft(pool: Pool, id: string): Promise<void> {
  // From now on it takes no rows and can no longer be committed.
  const { rowCount } = await pool.query(
    `UPDATE settled_periods SET touched_at = '-infinity' WHERE id = $1 AND settled_at_ms IS NULL`,
    [id],
  );
  if (rowCount === 0) return;
  for (let isMore = true; isMore;) {
    const removing = 'SELECT settled_remove($1, $2) AS "isMore"';
    const { rows } = await pool.query<{ isMore: boolean }>(removing, [id, rowsATransaction]);
    isMore = rows[0]?.isMore ?? false;
  }
}
