import type {
  ArchivedEntry,
  ArchiveDraft,
  HiddenPlace,
  SettledPeriod,
  StandingsArchive,
} from '@laurel/activity/settlement';
import type { Title } from '@laurel/activity/settlement';
import { systemClock } from '@laurel/leaderboard';
import type { Pool, PoolClient } from 'pg';
import { changeHiddenUsers } from './hidden-lock';
import { inTransaction } from './in-transaction';
import { dropDraft, PostgresDraft } from './postgres-draft';
import { entryColumns, entryOf, type EntryRow, periodColumns, periodOf, type PeriodRow, placesOf } from './rows';
import { labelIn, storedLabel } from './stored-label';

/** The most periods that a user's history looks through at once: a year of days. */
const historyBatch = 400;

/** How much more periods it looks through where those before did not have enough of the user. */
const historyGrowth = 4;

/** So many ids of periods are remembered: a period keeps its id for as long as it is there. */
const maxIds = 1_000;

/** A hidden place, as it is read. */
interface HiddenRow extends Pick<EntryRow, 'place' | 'competition' | 'dense'> {
  readonly user_id: Buffer | null;
  readonly is_score_shown: boolean;
}

/** Which settled periods are read. */
interface PeriodRange {
  readonly limit: number;
  readonly beforeMs?: number | undefined;
  readonly fromMs?: number | undefined;
}

/**
 * Final standings in PostgreSQL, in the tables of `archiveMigrations`. Entries are read by the id of their period,
 * which names the one partition that has them: a first read of a period is two queries, others are one.
 */
export class PostgresArchive implements StandingsArchive {
  private readonly ids = new Map<string, string>();

  constructor(private readonly pool: Pool) {}

  /** Drops drafts without a write for an hour, then begins. */
  async begin(leaderboard: string, period: string, endMs = systemClock.now()): Promise<ArchiveDraft> {
    const dead = await this.pool.query<{ id: string }>(
      `SELECT id FROM settled_periods
       WHERE settled_at_ms IS NULL AND touched_at < clock_timestamp() - interval '1 hour'`,
    );
    for (const { id } of dead.rows) await dropDraft(this.pool, id);
    const beginning = 'SELECT settled_begin($1, $2, $3) AS id';
    const { rows } = await this.pool.query<{ id: string }>(beginning, [storedLabel(leaderboard), period, endMs]);
    if (!rows[0]) throw new Error('The database returned no id for the draft.');
    return new PostgresDraft(this.pool, rows[0].id);
  }

  async leaderboards(): Promise<string[]> {
    const { rows } = await this.pool.query<Pick<PeriodRow, 'leaderboard'>>(
      'SELECT DISTINCT leaderboard FROM settled_periods WHERE settled_at_ms IS NOT NULL',
    );
    return rows.map(({ leaderboard }) => labelIn(leaderboard));
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    const { rows } = await this.pool.query<PeriodRow>(
      `SELECT ${periodColumns} FROM settled_periods
       WHERE leaderboard = $1 AND period = $2 AND settled_at_ms IS NOT NULL`,
      [storedLabel(leaderboard), period],
    );
    return (await this.told(rows))[0] ?? null;
  }

  async periods(
    leaderboard: string,
    options: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]> {
    return this.told(await this.periodRows(leaderboard, options));
  }

  async page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    const id = await this.idOf(leaderboard, period);
    if (id === null) return [];
    const { rows } = await this.pool.query<EntryRow>(
      `SELECT ${entryColumns} FROM settled_entries WHERE settled_id = $1 AND place > $2 AND place <= $3 ORDER BY place`,
      [id, offset, offset + limit],
    );
    return rows.map(entryOf);
  }

  async entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    const id = userIds.length === 0 ? null : await this.idOf(leaderboard, period);
    if (id === null) return userIds.map(() => null);
    const { rows } = await this.pool.query<EntryRow>(
      `SELECT ${entryColumns} FROM settled_entries WHERE settled_id = $1 AND user_id = ANY ($2::bytea[])`,
      [id, [...new Set(userIds)].map((userId) => Buffer.from(userId))],
    );
    const byUser = new Map(rows.map((row) => [row.user_id.toString(), entryOf(row)]));
    return userIds.map((userId) => byUser.get(userId) ?? null);
  }

  /**
   * Three queries if the user is on all of the latest `limit` periods; else two more for each step back, of four times
   * as many periods each, 400 at most.
   */
  async history(
    leaderboard: string,
    userId: string,
    { limit, beforeMs, fromMs }: PeriodRange,
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    const found: { readonly row: PeriodRow; readonly entry: ArchivedEntry }[] = [];
    for (let before = beforeMs, size = limit; found.length < limit; size *= historyGrowth) {
      const most = Math.min(size, historyBatch);
      const batch = await this.periodRows(leaderboard, { limit: most, beforeMs: before, fromMs });
      const { rows } = await this.pool.query<EntryRow & { readonly settled_id: string }>(
        `SELECT settled_id, ${entryColumns} FROM settled_entries
         WHERE settled_id = ANY ($1::bigint[]) AND user_id = $2`,
        [idsOf(batch), Buffer.from(userId)],
      );
      const byPeriod = new Map(rows.map((row) => [row.settled_id, entryOf(row)]));
      for (const row of batch) {
        const entry = byPeriod.get(row.id);
        if (entry) found.push({ row, entry });
      }
      if (batch.length < most) break;
      before = Number(batch.at(-1)?.start_ms);
    }
    const wanted = found.slice(0, limit);
    const periods = await this.told(wanted.map(({ row }) => row));
    return wanted.map(({ entry }, i) => ({ period: periods[i] as SettledPeriod, entry }));
  }

  async titles(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]> {
    const id = userIds.length === 0 ? null : await this.idOf(leaderboard, period);
    if (id === null) return userIds.map(() => null);
    const { rows } = await this.pool.query<{ readonly user_id: Buffer; readonly title: Title }>(
      `SELECT user_id, title FROM settled_entries JOIN settled_titles USING (settled_id, place)
       WHERE settled_id = $1 AND user_id = ANY ($2::bytea[])`,
      [id, [...new Set(userIds)].map((userId) => Buffer.from(userId))],
    );
    const byUser = new Map(rows.map(({ user_id, title }) => [user_id.toString(), title]));
    return userIds.map((userId) => byUser.get(userId) ?? null);
  }

  /** One transaction: all periods change at one moment. */
  async hide(userId: string, isHidden: boolean): Promise<void> {
    const user = Buffer.from(userId);
    await inTransaction(this.pool, async (client) => {
      await changeHiddenUsers(client);
      const noting = isHidden
        ? 'INSERT INTO hidden_users (user_id) VALUES ($1) ON CONFLICT DO NOTHING'
        : 'DELETE FROM hidden_users WHERE user_id = $1';
      await client.query(noting, [user]);
      await client.query(
        `UPDATE settled_entries SET is_hidden = $3
         WHERE settled_id = ANY ($1::bigint[]) AND user_id = $2 AND is_hidden <> $3`,
        [await allIds(client), user, isHidden],
      );
    });
  }

  async hidden(leaderboard: string, period: string): Promise<HiddenPlace[]> {
    const id = await this.idOf(leaderboard, period);
    if (id === null) return [];
    const { rows } = await this.pool.query<HiddenRow>(
      // Of k hidden places with a score, one of the first k + 1 places with it is shown, if any is.
      `WITH hidden AS (
         SELECT place, competition, dense, user_id FROM settled_entries WHERE settled_id = $1 AND is_hidden
         UNION ALL SELECT place, competition, dense, NULL FROM settled_gaps WHERE settled_id = $1),
       scores AS MATERIALIZED (
         SELECT competition, EXISTS (
           SELECT FROM settled_entries AS e WHERE e.settled_id = $1 AND NOT e.is_hidden
             AND e.competition = own.competition AND e.place BETWEEN own.competition AND own.competition + own.hidden
         ) AS is_score_shown
         FROM (SELECT competition, count(*) AS hidden FROM hidden GROUP BY competition) AS own)
       SELECT place, competition, dense, user_id, is_score_shown FROM hidden JOIN scores USING (competition)
       ORDER BY place`,
      [id],
    );
    return rows.map((row) => ({
      ...{ userId: row.user_id?.toString() ?? null, ...placesOf(row), isScoreShown: row.is_score_shown },
    }));
  }

  /** One transaction. */
  async erase(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number> {
    const one = where && (await this.idOf(where.leaderboard, where.period));
    if (one === null) return 0;
    const user = Buffer.from(userId);
    return inTransaction(this.pool, async (client) => {
      await changeHiddenUsers(client);
      const { rowCount } = await client.query(
        `WITH erased AS (
           DELETE FROM settled_entries WHERE settled_id = ANY ($1::bigint[]) AND user_id = $2
           RETURNING settled_id, place, competition, dense),
         untitled AS (
           DELETE FROM settled_titles AS t USING erased AS e WHERE t.settled_id = e.settled_id AND t.place = e.place)
         INSERT INTO settled_gaps (settled_id, place, competition, dense) SELECT * FROM erased`,
        [one === undefined ? await allIds(client) : [one], user],
      );
      if (!where) await client.query('DELETE FROM hidden_users WHERE user_id = $1', [user]);
      return rowCount ?? 0;
    });
  }

  /** The latest settled periods. */
  private async periodRows(leaderboard: string, { limit, beforeMs, fromMs }: PeriodRange): Promise<PeriodRow[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      `SELECT ${periodColumns} FROM settled_periods
       WHERE leaderboard = $1 AND settled_at_ms IS NOT NULL
         AND start_ms < coalesce($3, 9223372036854775807) AND start_ms >= coalesce($4, -9223372036854775807)
       ORDER BY start_ms DESC LIMIT $2`,
      [storedLabel(leaderboard), limit, beforeMs, fromMs],
    );
    return rows;
  }

  /** Its periods, with the number of hidden places of each: by indexes that hold those alone. */
  private async told(found: readonly PeriodRow[]): Promise<SettledPeriod[]> {
    if (found.length === 0) return [];
    const { rows } = await this.pool.query<{ readonly id: string; readonly hidden: number }>(
      `SELECT settled_id AS id, count(*)::int AS hidden FROM (
         SELECT settled_id FROM settled_entries WHERE settled_id = ANY ($1::bigint[]) AND is_hidden
         UNION ALL SELECT settled_id FROM settled_gaps WHERE settled_id = ANY ($1::bigint[])
       ) AS places GROUP BY settled_id`,
      [idsOf(found)],
    );
    const counts = new Map(rows.map(({ id, hidden }) => [id, hidden]));
    return found.map((row) => periodOf(row, counts.get(row.id)));
  }

  private async idOf(leaderboard: string, period: string): Promise<string | null> {
    const name = `${period} ${leaderboard}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const { rows } = await this.pool.query<{ readonly id: string }>(
      'SELECT id FROM settled_periods WHERE leaderboard = $1 AND period = $2 AND settled_at_ms IS NOT NULL',
      [storedLabel(leaderboard), period],
    );
    const id = rows[0]?.id;
    if (id === undefined) return null;
    if (this.ids.size >= maxIds) this.ids.clear();
    this.ids.set(name, id);
    return id;
  }
}

/** Known when a query is planned, so that it opens no other partitions. */
function idsOf(periods: readonly { readonly id: string }[]): readonly string[] {
  return periods.map(({ id }) => id);
}

/** All periods and drafts: a user is looked for in each by its index. */
async function allIds(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly id: string }>('SELECT id FROM settled_periods');
  return idsOf(rows);
}
