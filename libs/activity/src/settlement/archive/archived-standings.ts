import type { BoardHead, BoardPage, Entry, Ranking, RankingOption } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import { identifierFault, maxUserIdBytes } from '../../core/activity/activity';
import type { Standings } from '../../core/extensions/standings';
import { readScoped, writeScoped } from '../../core/http/scoped-cursor';
import { HiddenPlaces } from './hidden-places';
import type { ArchivedEntry, SettledPeriod, StandingsArchive } from './standings-archive';

/** Behind whom a page begins, and the place that they had: archived places would tell how many are hidden. */
type Mark = readonly [place: number, userId: string];

/**
 * A settled period as its archive keeps it, without users who are hidden. Reads cost a call of the archive, `around`
 * and pages behind a cursor two, and the first of them one more, for the hidden places: they are read once, so that all
 * reads agree.
 */
export class ArchivedStandings implements Standings {
  private readonly scope: readonly string[];
  private places: Promise<HiddenPlaces> | undefined;

  /** @param readHidden reads the hidden places. */
  constructor(
    private readonly archive: StandingsArchive,
    private readonly settled: SettledPeriod,
    private readonly readHidden = () => HiddenPlaces.of(archive, settled),
  ) {
    this.scope = ['archived', settled.leaderboard, settled.period];
  }

  async size(): Promise<number> {
    return this.settled.total - (await this.hidden()).count;
  }

  async head(count: number): Promise<BoardHead> {
    const [rows, size] = await Promise.all([this.rows(0, count), this.size()]);
    return {
      size,
      entries: rows.map((row) => entryOf(row)),
      page: (wanted, options) => this.pageOf(rows.slice(0, wanted), options),
    };
  }

  async after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage> {
    if (cursor === null) return this.page({ offset: 0 }, count, options);
    // No user id makes a longer one, in JSON and base64.
    const [place, userId] = readScoped(this.scope, cursor, isMark, 1_200);
    // It stays where it is when others are hidden, or shown again; of one who is hidden, where that one stood.
    const [own] = await this.find([userId]);
    return this.page({ offset: own?.place ?? place - 1 }, count, options);
  }

  async page({ offset }: { readonly offset: number }, count: number, options?: RankingOption): Promise<BoardPage> {
    return this.pageOf(await this.rows(offset, count), options);
  }

  /** A call of the archive for each time that the entries can be halved: 17 for 100,000, twice with an upper bound. */
  async countBetween(min: number, max: number): Promise<number> {
    const above = max === Infinity ? 0 : await this.countWhile((score) => score > max);
    return Math.max((await this.countWhile((score) => score >= min)) - above, 0);
  }

  async at(rank: number, options?: RankingOption): Promise<Entry | null> {
    const [row] = await this.rows(rank - 1, 1);
    return row ? entryOf(row, options?.ranking) : null;
  }

  async entry(userId: string, options?: RankingOption): Promise<Entry | null> {
    return (await this.entries([userId], options))[0] ?? null;
  }

  async entries(userIds: readonly string[], options?: RankingOption): Promise<(Entry | null)[]> {
    return (await this.find(userIds)).map((shown) => shown && entryOf(shown, options?.ranking));
  }

  async ranks(userIds: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    return (await this.entries(userIds, options)).map((entry) => entry && entry.rank);
  }

  async aroundWithSize(
    userId: string,
    { radius, ranking }: { readonly radius: number } & RankingOption,
  ): Promise<{ readonly size: number; readonly entries: Entry[] }> {
    const [[own], size] = await Promise.all([this.find([userId]), this.size()]);
    if (!own) return { size, entries: [] };
    const width = Math.min(2 * radius + 1, size);
    const start = Math.max(0, Math.min(own.place - 1 - radius, size - width));
    return { size, entries: (await this.rows(start, width)).map((row) => entryOf(row, ranking)) };
  }

  async standings(
    userIds: readonly string[],
    { radius, at, ranking }: { readonly radius: number; readonly at: number } & RankingOption,
  ): Promise<BoardStanding[]> {
    const [marked, entries, ...found] = await Promise.all([
      this.at(at),
      this.entries(userIds, ranking && { ranking }),
      ...userIds.map((userId) => Promise.all([this.percentile(userId), this.aroundWithSize(userId, { radius })])),
    ]);
    return found.map(([percentile, { size, entries: around }], i) => ({
      ...{ size, entry: entries[i] ?? null, percentile, around, at: marked },
    }));
  }

  async percentile(userId: string): Promise<number | null> {
    const [[own], size] = await Promise.all([this.find([userId]), this.size()]);
    if (!own) return null;
    return size <= 1 ? 100 : (100 * (size - own.place)) / (size - 1);
  }

  /** One of the archived entries as others see it; null where it is hidden. */
  async shown(row: ArchivedEntry, ranking?: Ranking): Promise<Entry | null> {
    const hidden = await this.hidden();
    return hidden.has(row.userId) ? null : entryOf(hidden.shown(row), ranking);
  }

  /** Up to `count` entries with all three of their places, passing over the first `offset` that are shown. */
  async rows(offset: number, count: number): Promise<ArchivedEntry[]> {
    const { leaderboard, period, total } = this.settled;
    const hidden = await this.hidden();
    const after = hidden.archivedPlace(offset + 1) - 1;
    const end = Math.min(total, hidden.archivedPlace(offset + 1 + count) - 1);
    if (count === 0 || end <= after) return [];
    const rows = await this.archive.page(leaderboard, period, after, end - after);
    return rows.flatMap((row) => (hidden.has(row.userId) ? [] : [hidden.shown(row)]));
  }

  /** The entry of a user who is hidden; null where they are not, or have none. */
  async hiddenEntry(userId: string): Promise<Omit<Entry, 'rank'> | null> {
    if (!(await this.hidden()).has(userId)) return null;
    const [row] = await this.archive.entries(this.settled.leaderboard, this.settled.period, [userId]);
    return row ? entryOf(row) : null;
  }

  /** How many of the first entries have scores that fit. */
  private async countWhile(fits: (score: number) => boolean): Promise<number> {
    let [low, high] = [0, await this.size()];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = await this.at(middle + 1);
      if (entry && fits(entry.score)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private async pageOf(rows: readonly ArchivedEntry[], options: RankingOption | undefined): Promise<BoardPage> {
    const [last, size] = [rows.at(-1), await this.size()];
    return {
      entries: rows.map((row) => entryOf(row, options?.ranking)),
      next: last && last.place < size ? writeScoped(this.scope, [last.place, last.userId] satisfies Mark) : null,
    };
  }

  /** The users' entries with the places that are shown; null for users who are hidden or have none. */
  private async find(userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    if (userIds.length === 0) return [];
    const { leaderboard, period } = this.settled;
    const [rows, hidden] = await Promise.all([this.archive.entries(leaderboard, period, userIds), this.hidden()]);
    return rows.map((row) => (row && !hidden.has(row.userId) ? hidden.shown(row) : null));
  }

  private hidden(): Promise<HiddenPlaces> {
    return (this.places ??= this.readHidden());
  }
}

function isMark(value: unknown): value is Mark {
  const [place, userId] = Array.isArray(value) ? (value as unknown[]) : [];
  return Number.isSafeInteger(place) && Number(place) >= 1 && identifierFault(userId, maxUserIdBytes) === null;
}

function entryOf(shown: ArchivedEntry, ranking: Ranking = 'ordinal'): Entry {
  return {
    member: shown.userId,
    score: shown.score,
    rank: ranking === 'ordinal' ? shown.place : shown[ranking],
    reachedAt: shown.reachedAtMs === null ? null : new Date(shown.reachedAtMs),
  };
}
