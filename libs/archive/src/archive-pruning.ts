import { DatabaseError, type Pool } from 'pg';
import { inTransaction } from './in-transaction';
import { labelIn } from './stored-label';

/** How long a leaderboard's periods are kept after their end. */
export interface LeaderboardRetention {
  readonly leaderboard: string;
  readonly ms: number;
}

/** A settled period that is no longer kept. */
export interface ExpiredPeriod {
  readonly leaderboard: string;
  readonly period: string;
  readonly total: number;
}

/** The periods of a partition, which go together. */
interface Batch {
  readonly part: string;
  readonly ids: string[];
  readonly periods: ExpiredPeriod[];
}

/** So long readers wait at most behind the drop of a partition, which waits for readers before them. */
const lockWithinMs = 500;
const tries = 60;

/** SQLSTATE `lock_not_available`. */
const lockNotAvailable = '55P03';

/** Drops from PostgreSQL the settled periods that are no longer kept. */
export class ArchivePruning {
  private constructor(
    private readonly pool: Pool,
    private readonly batches: readonly Batch[],
  ) {}

  /**
   * Finds the periods to drop. A partition is dropped as a whole, so a day is kept for up to a month longer.
   * Leaderboards that you do not name are kept.
   */
  static async plan(pool: Pool, kept: readonly LeaderboardRetention[], nowMs: number): Promise<ArchivePruning> {
    const { rows } = await pool.query<{
      readonly part: string;
      readonly id: string;
      readonly leaderboard: string;
      readonly period: string;
      readonly total: string;
    }>('SELECT part, id, leaderboard, period, total FROM settled_expired($1, $2, $3)', [
      kept.map(({ leaderboard }) => leaderboard),
      kept.map(({ ms }) => ms),
      nowMs,
    ]);
    const batches = new Map<string, Batch>();
    for (const { part, id, leaderboard, period, total } of rows) {
      const batch = batches.get(part) ?? { part, ids: [], periods: [] };
      batch.ids.push(id);
      batch.periods.push({ leaderboard: labelIn(leaderboard), period, total: Number(total) });
      batches.set(part, batch);
    }
    return new ArchivePruning(pool, [...batches.values()]);
  }

  /** The periods to drop. */
  get periods(): readonly ExpiredPeriod[] {
    return this.batches.flatMap(({ periods }) => periods);
  }

  /** Drops them, and yields each that was dropped. Repeat it after an interruption. */
  async *run(): AsyncGenerator<readonly ExpiredPeriod[]> {
    for (const { part, ids, periods } of this.batches) {
      if (await this.drop(part, ids)) yield periods;
    }
  }

  /** False: another period of this month is being written; it goes another time. */
  private async drop(part: string, ids: readonly string[]): Promise<boolean> {
    for (let left = tries; ; left -= 1) {
      try {
        return await inTransaction(this.pool, async (client) => {
          await client.query(`SET LOCAL lock_timeout = ${lockWithinMs}`);
          const dropping = 'SELECT settled_drop($1, $2) AS dropped';
          const { rows } = await client.query<{ dropped: boolean }>(dropping, [part, ids]);
          return rows[0]?.dropped ?? false;
        });
      } catch (error) {
        if (left === 1 || !(error instanceof DatabaseError && error.code === lockNotAvailable)) throw error;
      }
    }
  }
}
