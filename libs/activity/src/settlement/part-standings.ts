import type { Entry, Ledger, Period, RedisClient } from '@laurel/leaderboard';
import { createHash } from 'node:crypto';
import type { Lease } from '../core/redis/lease';
import type { SettleTitles, Title } from '../core/extensions/standings';
import { ArchivedStandings } from './archive/archived-standings';
import { type ArchivedEntry, type SettledPeriod, type StandingsArchive } from './archive/standings-archive';
import { SettledBoards } from './settled-boards';
import type { Winner } from './settled-listeners';

/** How equal scores are put in order, in words. */
const tieRule = 'who reached the score first, then the higher user id as bytes';

/** A period that has closed and is not done with. */
export interface DuePeriod {
  readonly ledger: Ledger;
  readonly leaderboard: string;
  readonly period: Period;
  readonly closedAtMs: number;
}

/** A part of a closed period: its board, or one of its partitions. */
export interface DuePart extends DuePeriod {
  /** Its name in the archive. */
  readonly label: string;
  readonly partition: string | null;
}

/** How standings are written. */
export interface WritingOptions {
  /** Entries read and written at a time. Default 256: each call keeps Redis busy for a tenth of a millisecond. */
  readonly pageSize?: number;
  /** Finds the titles of a part; null: there are no rules. Default: none are settled. */
  readonly titles?: (part: DuePart) => SettleTitles | null;
  /** Stops the work, between two pages: another instance goes on. */
  readonly stop?: AbortSignal;
}

/** What a part is read under. */
export interface Reading {
  readonly lease: Lease;
  /** Where members lay when the reading began: in a ledger whose members move, it may be short of some. */
  readonly mark: string;
  /** How often members had been erased before the period began to be read. */
  readonly erasuresBefore: number;
}

/** Writes the standings of frozen parts into the app's archive; without one, the frozen boards are the standings. */
export class PartStandings {
  private readonly pageSize: number;

  constructor(
    private readonly redis: RedisClient,
    private readonly archive: StandingsArchive | null,
    private readonly options: WritingOptions,
  ) {
    this.pageSize = options.pageSize ?? 256;
  }

  find({ ledger, label, period }: DuePart): Promise<SettledPeriod | null> {
    return this.storeOf(ledger).find(label, period.key);
  }

  /**
   * Writes a part, page by page. Users who are excluded or shown again meanwhile stay where they are; some of those who
   * are erased may be in it: see {@link dropErased}.
   */
  async write(part: DuePart, reading: Reading): Promise<SettledPeriod> {
    const { ledger, leaderboard, period, partition, label } = part;
    const store = this.storeOf(ledger);
    // Users who are not shown are archived, too: shown again, they stand where they stood.
    const board = ledger.everyone(leaderboard, period, partition);
    const endMs = (period.end as Date).getTime();
    const titlesOf = store.titles && this.options.titles?.(part);
    const draft = await store.begin(label, period.key, endMs);
    try {
      const places = new Places();
      const checksum = new StandingsChecksum();
      for await (const entries of board.walk(this.pageSize)) {
        this.assertGoingOn(reading);
        const page = entries.map((entry) => places.number(entry));
        checksum.add(page);
        await draft.append(page);
        if (titlesOf) await draft.entitle?.(settledTitles(page, await titlesOf(entries)));
      }
      const missing = places.count - (await board.size());
      if (missing < 0 || missing > (await this.erasures(part, reading))) {
        throw new Error(`${places.count} entries were read of a board that has ${places.count - missing}.`);
      }
      await assertUnmoved(ledger, reading.mark);
      await reading.lease.confirm();
      await draft.commit({
        leaderboard: label,
        period: period.key,
        startMs: period.start.getTime(),
        endMs,
        settledAtMs: ledger.settings.clock.now(),
        total: places.count,
        checksum: checksum.digest(),
        tieRule,
        rulesVersion: await ledger.terms.version(),
        ...(titlesOf && { titled: true }),
      });
    } catch (error) {
      // Where this fails as well, the archive drops it by itself.
      await draft.abandon().catch(() => undefined);
      throw error;
    }
    const settled = await this.find(part);
    if (!settled) throw new Error('The archive does not return what it stored.');
    return settled;
  }

  /**
   * Erases those from an archived part who were taken off its frozen board while it was written: an erasure takes users
   * off boards first, and finds in the archive only what is committed. Costs nothing where nobody was erased, the size
   * of the board where somebody was who is not on it, and a walk through both where somebody on it was.
   * @throws Error where more are missing than were erased: then the board has lost entries, and the archive is right.
   */
  async dropErased(part: DuePart, { period: key, total }: SettledPeriod, reading: Reading): Promise<void> {
    const { archive, pageSize } = this;
    const board = part.ledger.everyone(part.leaderboard, part.period, part.partition);
    if (!archive?.erase || (await this.erasures(part, reading)) === 0 || (await board.size()) === total) return;
    const missing: string[] = [];
    const pages = board.walk(pageSize);
    let present: readonly string[] = [];
    let next = 0;
    // The archive and the board have one order.
    for (let offset = 0; offset < total; offset += pageSize) {
      this.assertGoingOn(reading);
      for (const { userId } of await archive.page(part.label, key, offset, pageSize)) {
        if (next === present.length) {
          const page = await pages.next();
          [present, next] = [page.done ? [] : page.value.map(({ member }) => member), 0];
        }
        if (present[next] === userId) next += 1;
        else missing.push(userId);
      }
    }
    await pages.return();
    const erasures = await this.erasures(part, reading);
    if (missing.length > erasures) {
      throw new Error(`Of ${total} archived entries ${missing.length} are not on the board: ${erasures} were erased.`);
    }
    for (const userId of missing) await archive.erase(userId, { leaderboard: part.label, period: key });
  }

  /** Hides in the archive who was excluded before the app had one: it is told of those alone who are excluded later. */
  async hideExcluded({ ledger, leaderboard, period, partition, label }: DuePart): Promise<void> {
    const excluded = await ledger.aside(leaderboard, period, partition).between(-Infinity, Infinity);
    if (!this.archive?.hide || excluded.length === 0) return;
    const hidden = new Set((await this.archive.hidden?.(label, period.key))?.map(({ userId }) => userId));
    for (const { member } of excluded.filter((one) => !hidden.has(one.member))) {
      await this.archive.hide(member, true);
      // Shown again meanwhile: the archive may have been told so before.
      if (!(await ledger.excluded.has(member))) await this.archive.hide(member, false);
    }
  }

  /** The first users of a settled part who are shown, with the titles that they won, and how many are shown. */
  async first(
    { ledger, leaderboard, period }: DuePeriod,
    settled: SettledPeriod,
    count: number,
  ): Promise<{ readonly winners: readonly Winner[]; readonly total: number }> {
    const { leaderboard: label, titled } = settled;
    const partition = label === leaderboard ? null : label.slice(leaderboard.length + 1);
    const board = ledger.board(leaderboard, period, partition);
    const archived = this.archive && new ArchivedStandings(this.archive, settled);
    const places = new Places();
    const winners = archived
      ? await archived.rows(0, count)
      : (await board.top(count)).map((entry) => places.number(entry));
    const total = await (archived ?? board).size();
    const userIds = winners.map(({ userId }) => userId);
    const titles = titled && (await this.storeOf(ledger).titles?.(label, period.key, userIds));
    return { total, winners: titles ? winners.map((one, i) => ({ ...one, title: titles[i] ?? null })) : winners };
  }

  private storeOf(ledger: Ledger): Pick<StandingsArchive, 'begin' | 'find' | 'titles'> {
    return this.archive ?? new SettledBoards(this.redis, ledger);
  }

  /** How often members were erased since the period began to be read; Infinity: they are counted anew since then. */
  private async erasures({ ledger }: DuePart, { erasuresBefore }: Reading): Promise<number> {
    const since = (await ledger.excluded.countErasures()) - erasuresBefore;
    return since < 0 ? Infinity : since;
  }

  /** @throws Error where the work was told to stop; LeaseLostError */
  private assertGoingOn({ lease }: Reading): void {
    if (this.options.stop?.aborted) throw new Error('The app stops.');
    lease.assertHeld();
  }
}

/** @throws Error where members were moved to other shards: what was read may be short of some. */
export async function assertUnmoved(ledger: Ledger, mark: string): Promise<void> {
  if ((await ledger.placement()).mark === mark) return;
  throw new Error('Members were moved to other shards while they were read.');
}

function settledTitles(page: readonly ArchivedEntry[], titles: ReadonlyMap<string, Title>) {
  return page.flatMap(({ place, userId }) => {
    const title = titles.get(userId);
    return title ? [{ place, title }] : [];
  });
}

/** The checksum of standings, fed in the order of their places: a `SettledPeriod`'s `checksum`. */
export class StandingsChecksum {
  private readonly hash = createHash('sha256');

  /** Feeds the next entries. */
  add(entries: readonly ArchivedEntry[]): void {
    let lines = '';
    for (const { place, userId, score, reachedAtMs } of entries) {
      lines += `${place} ${JSON.stringify(userId)} ${score} ${reachedAtMs}\n`;
    }
    this.hash.update(lines);
  }

  /** In hex. Nothing can be added after it. */
  digest(): string {
    return this.hash.digest('hex');
  }
}

/** Numbers entries that come in rank order: ordinal, competition and dense places. Keeps the last one's, no more. */
class Places {
  private last = { place: 0, competition: 0, dense: 0, score: Number.NaN };

  /** How many entries were numbered. */
  get count(): number {
    return this.last.place;
  }

  number({ member, score, reachedAt }: Entry): ArchivedEntry {
    const { place: before, score: scoreBefore, dense } = this.last;
    const place = before + 1;
    this.last =
      score === scoreBefore ? { ...this.last, place } : { place, competition: place, dense: dense + 1, score };
    return { ...this.last, userId: member, reachedAtMs: reachedAt?.getTime() ?? null };
  }
}
