import type { ArchivedEntry, ArchiveDraft, HiddenPlace, SettledPeriod, StandingsArchive } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { hiddenUsers, settledEntries, settledGaps, settledPeriods } from '../database/schema';
import { changeHiddenUsers } from './hidden-lock';
import { dropDraft, PostgresDraft } from './postgres-draft';

const isSettled = isNotNull(settledPeriods.settledAtMs);

/** How many of a period's places do not show: by indexes that hold those alone. */
const hiddenCount = sql<number>`(
  (SELECT count(*) FROM ${settledEntries} e WHERE e.settled_id = ${settledPeriods.id} AND e.is_hidden) +
  (SELECT count(*) FROM ${settledGaps} g WHERE g.settled_id = ${settledPeriods.id}))`.mapWith(Number);

/** What the archive tells of a period. */
const periodColumns = {
  leaderboard: settledPeriods.leaderboard,
  period: settledPeriods.period,
  startMs: settledPeriods.startMs,
  endMs: settledPeriods.endMs,
  settledAtMs: sql<number>`${settledPeriods.settledAtMs}`.mapWith(Number),
  total: settledPeriods.total,
  checksum: settledPeriods.checksum,
  tieRule: settledPeriods.tieRule,
  rulesVersion: settledPeriods.rulesVersion,
  hidden: hiddenCount,
};

/** What it tells of an entry. */
const entryColumns = {
  place: settledEntries.place,
  competition: settledEntries.competition,
  dense: settledEntries.dense,
  userId: settledEntries.userId,
  score: settledEntries.score,
  reachedAtMs: settledEntries.reachedAtMs,
};

/** Final standings in the community's database. Each read is one query by an index. */
@Injectable()
export class PostgresArchive implements StandingsArchive {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Drops drafts that nobody has written for an hour, then begins. */
  async begin(leaderboard: string, period: string): Promise<ArchiveDraft> {
    const dead = await this.database
      .select({ id: settledPeriods.id })
      .from(settledPeriods)
      .where(
        and(
          isNull(settledPeriods.settledAtMs),
          lt(settledPeriods.touchedAt, sql`clock_timestamp() - interval '1 hour'`),
        ),
      );
    for (const { id } of dead) await dropDraft(this.database, id);
    const unknown = { startMs: 0, endMs: 0, total: 0, checksum: '', tieRule: '', rulesVersion: 0 };
    const [draft] = await this.database
      .insert(settledPeriods)
      .values({ leaderboard, period, ...unknown })
      .returning({ id: settledPeriods.id });
    if (!draft) throw new Error('The database gave no id.');
    return new PostgresDraft(this.database, draft.id);
  }

  async find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    const [found] = await this.database
      .select(periodColumns)
      .from(settledPeriods)
      .where(and(eq(settledPeriods.leaderboard, leaderboard), eq(settledPeriods.period, period), isSettled));
    return found ? told(found) : null;
  }

  async periods(
    leaderboard: string,
    { limit, beforeMs }: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]> {
    const found = await this.database
      .select(periodColumns)
      .from(settledPeriods)
      .where(and(eq(settledPeriods.leaderboard, leaderboard), isSettled, startsBefore(beforeMs)))
      .orderBy(desc(settledPeriods.startMs))
      .limit(limit);
    return found.map(told);
  }

  async page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    return this.database
      .select(entryColumns)
      .from(settledEntries)
      .where(
        and(
          eq(settledEntries.settledId, this.idOf(leaderboard, period)),
          gt(settledEntries.place, offset),
          lte(settledEntries.place, offset + limit),
        ),
      )
      .orderBy(asc(settledEntries.place));
  }

  async entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    if (userIds.length === 0) return [];
    const found = await this.database
      .select(entryColumns)
      .from(settledEntries)
      .where(
        and(
          eq(settledEntries.settledId, this.idOf(leaderboard, period)),
          inArray(settledEntries.userId, [...new Set(userIds)]),
        ),
      );
    const byUser = new Map(found.map((entry) => [entry.userId, entry]));
    return userIds.map((userId) => byUser.get(userId) ?? null);
  }

  async history(
    leaderboard: string,
    userId: string,
    { limit, beforeMs, fromMs }: { readonly limit: number; readonly beforeMs?: number; readonly fromMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    const found = await this.database
      .select({ period: periodColumns, entry: entryColumns })
      .from(settledEntries)
      .innerJoin(settledPeriods, eq(settledPeriods.id, settledEntries.settledId))
      .where(
        and(
          eq(settledEntries.userId, userId),
          eq(settledPeriods.leaderboard, leaderboard),
          isSettled,
          startsBefore(beforeMs),
          fromMs === undefined ? undefined : gte(settledPeriods.startMs, fromMs),
        ),
      )
      .orderBy(desc(settledPeriods.startMs))
      .limit(limit);
    return found.map(({ period, entry }) => ({ period: told(period), entry }));
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
        .where(and(eq(settledEntries.userId, userId), ne(settledEntries.isHidden, isHidden)));
    });
  }

  async hidden(leaderboard: string, period: string): Promise<HiddenPlace[]> {
    const id = this.idOf(leaderboard, period);
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
    return this.database.transaction(async (transaction) => {
      await changeHiddenUsers(transaction);
      const one = where && eq(settledEntries.settledId, this.idOf(where.leaderboard, where.period));
      const erased = await transaction
        .delete(settledEntries)
        .where(and(eq(settledEntries.userId, userId), one))
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

  private idOf(leaderboard: string, period: string) {
    return sql`(SELECT id FROM ${settledPeriods} WHERE leaderboard = ${leaderboard} AND period = ${period} AND settled_at_ms IS NOT NULL)`;
  }
}

function told({ hidden, ...period }: SettledPeriod & { readonly hidden: number }): SettledPeriod {
  return hidden > 0 ? { ...period, hidden } : period;
}

function startsBefore(beforeMs: number | undefined) {
  return beforeMs === undefined ? undefined : lt(settledPeriods.startMs, beforeMs);
}
