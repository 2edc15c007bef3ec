import type { BoardReader, Entry, Ledger, Period, RedisClient } from '@laurel/leaderboard';
import { ArchivedStandings } from './archive/archived-standings';
import {
  type ArchivedEntry,
  type Retention,
  type SettledPeriod,
  type SettledTitle,
  type StandingsArchive,
  StandingsChecksum,
} from './archive/standings-archive';
import { eraseMeanwhileErased } from './archive/erased-meanwhile';
import type { Lease } from '../core/redis/lease';
import type { FirstOfPart } from './announcer';
import { SettledBoards } from './settled-boards';
import { PeriodProgress } from './settlement-progress';
import type { SettleTitles, Title } from '../core/extensions/standings';

/** How equal scores are put in order, in words. */
export const tieRule = 'who reached the score first, then the higher user id as bytes';

/** A period that has closed and is not done with. */
export interface DuePeriod {
  readonly leaderboard: string;
  readonly period: Period;
  readonly closedAtMs: number;
}

/** How a {@link PeriodArchiver} archives. */
export interface PeriodArchiverOptions {
  /** The version of the rules in force. */
  readonly rulesVersion: () => number | Promise<number>;
  /** How long frozen boards are kept where there is no archive. Default: for good. */
  readonly retention?: Retention;
  /** Entries read and written at a time. */
  readonly pageSize?: number;
  /** Finds the titles of a period, of a partition of it; null: there are no rules. Default: none are settled. */
  readonly titles?: (due: Pick<DuePeriod, 'leaderboard' | 'period'>, partition: string | null) => SettleTitles | null;
  /** Stops the work, between two pages: another instance goes on. */
  readonly signal?: AbortSignal;
}

/** Entries read and written at a time: each call keeps Redis busy for a tenth of a millisecond. */
const defaultPageSize = 256;

/** The parts of an archived period; a board that is not partitioned is one part. */
interface ArchivedParts {
  /** Null: all were archived before, and were not read. */
  readonly parts: readonly SettledPeriod[] | null;
  /** Those that were not archived before. */
  readonly archived: readonly SettledPeriod[];
}

/** A part of a board that is read: how often somebody was erased before, and what the work goes on by. */
interface Reading {
  readonly erasuresBefore: number;
  readonly lease: Lease;
}

/** The work was told to stop. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/**
 * Freezes a period of one ledger's boards, and writes its standings into the archive; without one the frozen boards are
 * the standings. Every step is safe to repeat.
 */
export class PeriodArchiver {
  private readonly boards: SettledBoards;
  private readonly pageSize: number;
  private readonly store: Pick<StandingsArchive, 'begin' | 'find' | 'titles'>;

  constructor(
    private readonly ledger: Ledger,
    private readonly redis: RedisClient,
    private readonly ofApp: StandingsArchive | null,
    private readonly options: PeriodArchiverOptions,
  ) {
    this.boards = new SettledBoards(redis, ledger);
    this.pageSize = options.pageSize ?? defaultPageSize;
    this.store = ofApp ?? this.boards;
  }

  /** Archives a period, of a partitioned board each of its parts. Null: it had expired before. */
  async archive(due: DuePeriod, lease: Lease): Promise<ArchivedParts | null> {
    const { leaderboard, period } = due;
    const progress = this.progressOf(due);
    const before = await progress.read();
    if (before.isArchived) return { parts: null, archived: [] };
    const parts: SettledPeriod[] = [];
    const archived: SettledPeriod[] = [];
    let isArchived = !this.hasExpired(due);
    const mark = await this.placed();
    // Before its parts are listed: none is born after.
    if (isArchived) await this.ledger.periods.freeze(leaderboard, period);
    for await (const partition of this.partsOf(due)) {
      const label = labelOf(leaderboard, partition);
      const found = await this.store.find(label, period.key);
      if (found) {
        // The process that wrote the draft may have crashed before it looked for users erased meanwhile.
        const erasuresBefore = before.erasuresBefore(label);
        if (erasuresBefore !== null && !this.hasExpired(due)) {
          await this.dropErased(due, partition, found, { erasuresBefore, lease });
        }
        isArchived = true;
        parts.push(found);
      } else if (!this.hasExpired(due)) {
        const reading = { erasuresBefore: await this.ledger.excluded.countErasures(), lease };
        await progress.reading(label, reading.erasuresBefore);
        const part = await this.write(due, partition, label, reading);
        await this.dropErased(due, partition, part, reading);
        archived.push(part);
        parts.push(part);
      }
    }
    // Parts on shards that were given up meanwhile may have been passed over.
    await this.assertUnmoved(mark);
    if (isArchived) {
      if (!this.ofApp) await this.boards.keep(leaderboard, period, parts, this.options.retention ?? null);
      await progress.archived();
      return { parts, archived };
    }
    await this.ledger.periods.markSettled(leaderboard, period);
    return null;
  }

  /** The first of a part, with the titles that they were settled with, and how many show. */
  async first({ leaderboard, period }: DuePeriod, part: SettledPeriod, count: number): Promise<FirstOfPart> {
    const partition = part.leaderboard === leaderboard ? null : part.leaderboard.slice(leaderboard.length + 1);
    const { total, entries } = this.ofApp
      ? await firstArchived(new ArchivedStandings(this.ofApp, part), count)
      : await firstOnBoard(this.ledger.board(leaderboard, period, partition), count);
    if (!part.titled || !this.store.titles) return { winners: entries, total };
    const userIds = entries.map(({ userId }) => userId);
    const titles = await this.store.titles(part.leaderboard, part.period, userIds);
    return { winners: entries.map((entry, i) => ({ ...entry, title: titles[i] ?? null })), total };
  }

  /** The settled standings of a period. */
  async parts(due: DuePeriod): Promise<SettledPeriod[]> {
    const found: SettledPeriod[] = [];
    for await (const partition of this.partsOf(due)) {
      const part = await this.store.find(labelOf(due.leaderboard, partition), due.period.key);
      if (part) found.push(part);
    }
    return found;
  }

  /** How far a period is. */
  progressOf({ leaderboard, period }: DuePeriod): PeriodProgress {
    const { prefix } = this.ledger.settings;
    return new PeriodProgress(this.redis, { prefix, leaderboard, period: period.key });
  }

  /** The partitions of the period's board; null: it has none. */
  private async *partsOf({ leaderboard, period }: DuePeriod): AsyncGenerator<string | null> {
    const board = this.ledger.settings.boards.find(({ name }) => name === leaderboard);
    if (board?.partition) yield* this.ledger.periods.partitions(leaderboard, period);
    else yield null;
  }

  /**
   * Writes the standings of a frozen period, page by page. Those who are excluded or shown again meanwhile stay where
   * they are; of those who are erased, some may be in it.
   */
  private async write(
    { leaderboard: board, period }: DuePeriod,
    partition: string | null,
    leaderboard: string,
    { erasuresBefore, lease }: Reading,
  ): Promise<SettledPeriod> {
    const mark = await this.placed();
    // Those who do not show are archived, too: shown again, they stand where they stood.
    const reader = this.ledger.everyone(board, period, partition);
    const endMs = (period.end as Date).getTime();
    const titlesOf = this.store.titles && this.options.titles?.({ leaderboard: board, period }, partition);
    const draft = await this.store.begin(leaderboard, period.key, await reader.size(), endMs);
    try {
      const places = new Places();
      const checksum = new StandingsChecksum();
      for await (const entries of reader.walk(this.pageSize)) {
        this.assertGoingOn(lease);
        const page = entries.map((entry) => places.number(entry));
        checksum.add(page);
        await draft.append(page);
        if (titlesOf) await draft.entitle?.(settledTitles(page, await titlesOf(entries)));
      }
      const missing = places.count - (await reader.size());
      if (missing < 0 || missing > (await this.ledger.excluded.countErasures()) - erasuresBefore) {
        throw new Error(`${places.count} entries were read of a board that has ${places.count - missing}.`);
      }
      await this.assertUnmoved(mark);
      await lease.confirm();
      await draft.commit({
        leaderboard,
        period: period.key,
        startMs: period.start.getTime(),
        endMs,
        settledAtMs: this.ledger.settings.clock.now(),
        total: places.count,
        checksum: checksum.digest(),
        tieRule,
        rulesVersion: await this.options.rulesVersion(),
        ...(titlesOf && { titled: true }),
      });
    } catch (error) {
      // Where this fails as well, the archive drops it by itself.
      await draft.abandon().catch(() => undefined);
      throw error;
    }
    const settled = await this.store.find(leaderboard, period.key);
    if (!settled) throw new Error('The archive does not return what it stored.');
    return settled;
  }

  /** Erases from the archive who was erased while it was written. */
  private async dropErased(
    { leaderboard, period }: DuePeriod,
    partition: string | null,
    settled: SettledPeriod,
    { erasuresBefore, lease }: Reading,
  ): Promise<void> {
    if (!this.ofApp) return;
    await eraseMeanwhileErased({
      archive: this.ofApp,
      board: this.ledger.everyone(leaderboard, period, partition),
      settled,
      pageSize: this.pageSize,
      countErasures: async () => (await this.ledger.excluded.countErasures()) - erasuresBefore,
      assertGoingOn: () => this.assertGoingOn(lease),
    });
  }

  /** @throws StoppedError, LeaseLostError */
  private assertGoingOn(lease: Lease): void {
    if (this.options.signal?.aborted) throw new StoppedError();
    lease.assertHeld();
  }

  /** Where members lie, which the ledger knows then. */
  private async placed(): Promise<string> {
    const { mark } = await this.ledger.placement();
    await this.ledger.syncShards();
    return mark;
  }

  /** @throws Error where members were moved to other shards: what was read may be short of some. */
  private async assertUnmoved(mark: string): Promise<void> {
    if ((await this.ledger.placement()).mark === mark) return;
    throw new Error('Members were moved to other shards while they were read.');
  }

  private hasExpired({ leaderboard, period }: DuePeriod): boolean {
    return this.ledger.periods.timesOf(leaderboard, period).expireAtMs <= this.ledger.settings.clock.now();
  }
}

async function firstArchived(shown: ArchivedStandings, count: number) {
  return { entries: await shown.first(count), total: await shown.size() };
}

async function firstOnBoard(board: BoardReader, count: number) {
  const places = new Places();
  const entries = (await board.top(count)).map((entry) => places.number(entry));
  return { entries, total: await board.size() };
}

/** The name of a board, or of a partition, in the archive. */
function labelOf(leaderboard: string, partition: string | null): string {
  return partition === null ? leaderboard : `${leaderboard}/${partition}`;
}

function settledTitles(page: readonly ArchivedEntry[], titles: ReadonlyMap<string, Title>): SettledTitle[] {
  return page.flatMap(({ place, userId }) => {
    const title = titles.get(userId);
    return title ? [{ place, title }] : [];
  });
}

/** Numbers entries that come in rank order: ordinal, competition and dense places. Keeps the last one's, no more. */
class Places {
  private place = 0;
  private competition = 0;
  private dense = 0;
  private score: number | undefined;

  /** How many entries were numbered. */
  get count(): number {
    return this.place;
  }

  number({ member, score, reachedAt }: Entry): ArchivedEntry {
    this.place += 1;
    if (score !== this.score) {
      this.score = score;
      this.competition = this.place;
      this.dense += 1;
    }
    const { place, competition, dense } = this;
    return { place, competition, dense, userId: member, score, reachedAtMs: reachedAt?.getTime() ?? null };
  }
}
