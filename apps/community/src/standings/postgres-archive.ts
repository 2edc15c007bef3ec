import type { ArchivedEntry, ArchiveDraft, HiddenPlace, SettledPeriod, StandingsArchive } from '@laurel/activity';
import { systemClock } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { and, type AnyColumn, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { hiddenUsers, settledEntries, settledGaps, settledPeriods } from '../database/schema';
import { changeHiddenUsers } from './hidden-lock';
import { dropDraft, PostgresDraft } from './postgres-draft';

const isSettled = isNotNull(settledPeriods.settledAtMs);

/** Periods that a user's history looks through at once: a year of days. */
const historyBatch = 400;

/** So many ids of periods are remembered: a period keeps its id for as long as it is there. */
const maxIds = 1_000;

/** What the archive tells of a period. */
const periodColumns = {
  id: settledPeriods.id,
  leaderboard: settledPeriods.leaderboard,
  period: settledPeriods.period,
  startMs: settledPeriods.startMs,
  endMs: settledPeriods.endMs,
  settledAtMs: sql<number>`${settledPeriods.settledAtMs}`.mapWith(Number),
  total: settledPeriods.total,
  checksum: settledPeriods.checksum,
  tieRule: settledPeriods.tieRule,
  rulesVersion: settledPeriods.rulesVersion,
};

type FoundPeriod = SettledPeriod & { readonly id: string };

/** What it tells of an entry. */
const entryColumns = {
  place: settledEntries.place,
  competition: settledEntries.competition,
  dense: settledEntries.dense,
  userId: settledEntries.userId,
  score: settledEntries.score,
  reachedAtMs: settledEntries.reachedAtMs,
};

/**
 * Final standings in the community's database. Entries are read by the id of their period, which names the one partition
 * that has them: a first read of a period is two queries, others are one.
 */
@Injectable()
export class PostgresArchive implements StandingsArchive {
  private readonly ids = new Map<string, string>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pool: Pool,
  ) {}

  /** Drops drafts that nobody has written for an hour, then begins. */
  async begin(leaderboard: string, period: string, _expected = 0, endMs = systemClock.now()): Promise<ArchiveDraft> {
    const dead = await this.database
      .select({ id: settledPeriods.id })
      .from(settledPeriods)
      .where(
        and(
          isNull(settledPeriods.settledAtMs),
          lt(settledPeriods.touchedAt, sql`clock_timestamp() - interval '1 hour'`),
        ),
      );
    for (const { id } of dead) await dropDraft(this.pool, id);
    const beginning = 'SELECT settled_begin($1, $2, $3) AS id';
    const { rows } = await this.pool.query<{ id: string }>(beginning, [leaderboard, period, endMs]);
    if (!rows[0]) throw new Error('The database gave no id.');
    return new PostgresDraft(this.pool, rows[0].id);
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    const found = await this.database
      .select(periodColumns)
      .from(settledPeriods)
      .where(and(eq(settledPeriods.leaderboard, leaderboard), eq(settledPeriods.period, period), isSettled));
    return (await this.told(found))[0] ?? null;
  }

  async periods(
    leaderboard: string,
    options: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]> {
    return this.told(await this.foundPeriods(leaderboard, options));
  }

  async page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    const id = await this.idOf(leaderboard, period);
    if (id === null) return [];
    return this.database
      .select(entryColumns)
      .from(settledEntries)
      .where(
        and(
          eq(settledEntries.settledId, id),
          gt(settledEntries.place, offset),
          lte(settledEntries.place, offset + limit),
        ),
      )
      .orderBy(asc(settledEntries.place));
  }

  async entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    const id = userIds.length === 0 ? null : await this.idOf(leaderboard, period);
    if (id === null) return userIds.map(() => null);
    const found = await this.database
      .select(entryColumns)
      .from(settledEntries)
      .where(and(eq(settledEntries.settledId, id), inArray(settledEntries.userId, [...new Set(userIds)])));
    const byUser = new Map(found.map((entry) => [entry.userId, entry]));
    return userIds.map((userId) => byUser.get(userId) ?? null);
  }

  /** Two queries for each 400 periods, and one. */
  async history(
    leaderboard: string,
    userId: string,
    { limit, beforeMs, fromMs }: { readonly limit: number; readonly beforeMs?: number; readonly fromMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    const found: { readonly period: FoundPeriod; readonly entry: ArchivedEntry }[] = [];
    for (let before = beforeMs; found.length < limit;) {
      const batch = await this.foundPeriods(leaderboard, { limit: historyBatch, beforeMs: before, fromMs });
      const entries = await this.database
        .select({ id: settledEntries.settledId, entry: entryColumns })
        .from(settledEntries)
        .where(and(eq(settledEntries.userId, userId), isOneOf(settledEntries.settledId, batch)));
      const byPeriod = new Map(entries.map(({ id, entry }) => [id, entry]));
      for (const period of batch) {
        const entry = byPeriod.get(period.id);
        if (entry) found.push({ period, entry });
      }
      if (batch.length < historyBatch) break;
      before = batch.at(-1)?.startMs;
    }
    const wanted = found.slice(0, limit);
    const told = await this.told(wanted.map(({ period }) => period));
    return wanted.map(({ entry }, i) => ({ period: told[i] as SettledPeriod, entry }));
  }

  /** One transaction: all periods change at one moment. */
  async hide(userId: string, isHidden: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await changeHiddenUsers(transaction);
      if (isHidden) await transaction.insert(hiddenUsers).values({ userId }).onConflictDoNothing();
      else await transaction.delete(hiddenUsers).where(eq(hiddenUsers.userId, userId));
      await transaction
        .update(settledEntries)
        .set({ isHidden })
        .where(
          and(eq(settledEntries.userId, userId), ne(settledEntries.isHidden, isHidden), await inPeriods(transaction)),
        );
    });
  }

  async hidden(leaderboard: string, period: string): Promise<HiddenPlace[]> {
    const id = await this.idOf(leaderboard, period);
    if (id === null) return [];
    const { place, competition, dense } = entryColumns;
    const [entries, gaps] = await Promise.all([
      this.database
        .select({ userId: settledEntries.userId, place, competition, dense })
        .from(settledEntries)
        .where(and(eq(settledEntries.settledId, id), settledEntries.isHidden)),
      this.database
        .select({ place: settledGaps.place, competition: settledGaps.competition, dense: settledGaps.dense })
        .from(settledGaps)
        .where(eq(settledGaps.settledId, id)),
    ]);
    const all: HiddenPlace[] = [...entries, ...gaps.map((gap) => ({ userId: null, ...gap }))];
    return all.sort((a, b) => a.place - b.place);
  }

  /** One transaction. */
  async erase(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number> {
    const one = where && (await this.idOf(where.leaderboard, where.period));
    if (one === null) return 0;
    return this.database.transaction(async (transaction) => {
      await changeHiddenUsers(transaction);
      const erased = await transaction
        .delete(settledEntries)
        .where(and(eq(settledEntries.userId, userId), await inPeriods(transaction, one)))
        .returning({
          settledId: settledEntries.settledId,
          place: settledEntries.place,
          competition: settledEntries.competition,
          dense: settledEntries.dense,
        });
      if (erased.length > 0) await transaction.insert(settledGaps).values(erased);
      if (!where) await transaction.delete(hiddenUsers).where(eq(hiddenUsers.userId, userId));
      return erased.length;
    });
  }

  /** The latest settled periods. */
  private foundPeriods(
    leaderboard: string,
    {
      limit,
      beforeMs,
      fromMs,
    }: { readonly limit: number; readonly beforeMs?: number | undefined; readonly fromMs?: number | undefined },
  ): Promise<FoundPeriod[]> {
    const { startMs } = settledPeriods;
    return this.database
      .select(periodColumns)
      .from(settledPeriods)
      .where(
        and(
          eq(settledPeriods.leaderboard, leaderboard),
          isSettled,
          beforeMs === undefined ? undefined : lt(startMs, beforeMs),
          fromMs === undefined ? undefined : gte(startMs, fromMs),
        ),
      )
      .orderBy(desc(startMs))
      .limit(limit);
  }

  /** What it tells of periods, with how many places of each do not show: by indexes that hold those alone. */
  private async told(found: readonly FoundPeriod[]): Promise<SettledPeriod[]> {
    if (found.length === 0) return [];
    const { rows } = await this.database.execute<{ id: string; hidden: number }>(sql`
      SELECT settled_id AS id, count(*)::int AS hidden FROM (
        SELECT settled_id FROM ${settledEntries} WHERE ${isOneOf(settledEntries.settledId, found)} AND is_hidden
        UNION ALL SELECT settled_id FROM ${settledGaps} WHERE ${isOneOf(settledGaps.settledId, found)}
      ) AS places GROUP BY settled_id`);
    const counts = new Map(rows.map(({ id, hidden }) => [id, hidden]));
    return found.map(({ id, ...period }) => {
      const hidden = counts.get(id);
      return hidden === undefined ? period : { ...period, hidden };
    });
  }

  private async idOf(leaderboard: string, period: string): Promise<string | null> {
    const name = `${period} ${leaderboard}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const [found] = await this.database
      .select({ id: settledPeriods.id })
      .from(settledPeriods)
      .where(and(eq(settledPeriods.leaderboard, leaderboard), eq(settledPeriods.period, period), isSettled));
    if (!found) return null;
    if (this.ids.size >= maxIds) this.ids.clear();
    this.ids.set(name, found.id);
    return found.id;
  }
}

/** Whether a column is the id of one of these periods: known when the query is planned, so other partitions stay closed. */
function isOneOf(column: AnyColumn, periods: readonly { readonly id: string }[]) {
  return sql`${column} = ANY (${sql.param(periods.map(({ id }) => id))}::bigint[])`;
}

/** Whether an entry is of one period; undefined: of any, drafts as well, each of which is looked into by its index. */
async function inPeriods(transaction: Transaction, one?: string) {
  if (one !== undefined) return eq(settledEntries.settledId, one);
  return isOneOf(settledEntries.settledId, await transaction.select({ id: settledPeriods.id }).from(settledPeriods));
}
