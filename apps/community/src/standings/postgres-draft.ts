import type { ArchivedEntry, ArchiveDraft, SettledPeriod } from '@laurel/activity';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database/database';
import { breaks } from '../database/database-fault';
import { hiddenUsers, settledEntries, settledGaps, settledPeriods } from '../database/schema';
import { keepHiddenUsers } from './hidden-lock';

/** Rows written, or deleted, by one statement: far below the time that a statement may take. */
const rowsAStatement = 5_000;

/** Standings on their way into PostgreSQL: rows of a period that is not settled yet, which no read sees. */
export class PostgresDraft implements ArchiveDraft {
  private gathered: ArchivedEntry[] = [];

  constructor(
    private readonly database: Database,
    private readonly id: string,
  ) {}

  private get isAlive() {
    return and(
      eq(settledPeriods.id, this.id),
      isNull(settledPeriods.settledAtMs),
      sql`${settledPeriods.touchedAt} > '-infinity'`,
    );
  }

  async append(entries: readonly ArchivedEntry[]): Promise<void> {
    for (const entry of entries) this.gathered.push(entry);
    while (this.gathered.length >= rowsAStatement) await this.insert(this.gathered.splice(0, rowsAStatement));
  }

  async commit(period: SettledPeriod): Promise<boolean> {
    await this.insert(this.gathered.splice(0));
    try {
      const committed = await this.database
        .update(settledPeriods)
        .set({ ...period })
        .where(this.isAlive)
        .returning({ id: settledPeriods.id });
      if (committed.length === 0) throw new Error('The draft was given up for dead before it was committed.');
      return true;
    } catch (error) {
      if (!breaks(error, 'settled_periods_key')) throw error;
      await this.abandon();
      return false;
    }
  }

  async abandon(): Promise<void> {
    await dropDraft(this.database, this.id);
  }

  private async insert(entries: readonly ArchivedEntry[]): Promise<void> {
    if (entries.length === 0) return;
    // In one transaction with the sign of life: what is given up for dead gets no more rows.
    await this.database.transaction(async (transaction) => {
      const alive = await transaction
        .update(settledPeriods)
        .set({ touchedAt: sql`clock_timestamp()` })
        .where(this.isAlive)
        .returning({ id: settledPeriods.id });
      if (alive.length === 0) throw new Error('The draft was given up for dead while it was written.');
      await keepHiddenUsers(transaction);
      const column = <T>(of: (entry: ArchivedEntry) => T): T[] => entries.map(of);
      // Seven arrays instead of seven parameters a row.
      await transaction.execute(sql`
        INSERT INTO ${settledEntries} (settled_id, place, competition, dense, user_id, score, reached_at_ms, is_hidden)
        SELECT ${this.id}::bigint, *, EXISTS (SELECT 1 FROM ${hiddenUsers} h WHERE h.user_id = entry.user_id)
        FROM unnest(
          ${sql.param(column(({ place }) => place))}::bigint[],
          ${sql.param(column(({ competition }) => competition))}::bigint[],
          ${sql.param(column(({ dense }) => dense))}::bigint[],
          ${sql.param(column(({ userId }) => Buffer.from(userId)))}::bytea[],
          ${sql.param(column(({ score }) => score))}::double precision[],
          ${sql.param(column(({ reachedAtMs }) => reachedAtMs))}::bigint[]
        ) AS entry (place, competition, dense, user_id, score, reached_at_ms)`);
    });
  }
}

/**
 * Drops what a draft has written, a part at a time, then the draft; a period that is settled stays. Where this is cut
 * short, it is done again.
 */
export async function dropDraft(database: Database, id: string): Promise<void> {
  // From now on it takes no rows and can no longer be committed.
  const dropped = await database
    .update(settledPeriods)
    .set({ touchedAt: sql`'-infinity'` })
    .where(and(eq(settledPeriods.id, id), isNull(settledPeriods.settledAtMs)))
    .returning({ id: settledPeriods.id });
  if (dropped.length === 0) return;
  for (;;) {
    const { rowCount } = await database.execute(sql`
      DELETE FROM ${settledEntries} WHERE settled_id = ${id}::bigint AND place IN (
        SELECT place FROM ${settledEntries} WHERE settled_id = ${id}::bigint LIMIT ${rowsAStatement})`);
    if ((rowCount ?? 0) < rowsAStatement) break;
  }
  await database.delete(settledGaps).where(eq(settledGaps.settledId, id));
  await database.delete(settledPeriods).where(and(eq(settledPeriods.id, id), isNull(settledPeriods.settledAtMs)));
}
