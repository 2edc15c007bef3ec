import type { BoardHead, BoardPage, Entry, Ranking, RankingOption } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import type { Standings } from '../../core/extensions/standings';
import { readPlace, writeScoped } from '../../core/http/scoped-cursor';
import { HiddenPlaces } from './hidden-places';
import type { ArchivedEntry, SettledPeriod, StandingsArchive } from './standings-archive';

/**
 * A settled period as its archive keeps it, without users who are hidden. Reads cost a call of the archive, `around`
 * two, and the first of them one more, for the hidden places: they are read once, so that all reads agree.
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
    const [rows, size, hidden] = await Promise.all([this.rowsFrom(0, count), this.size(), this.hidden()]);
    return {
      size,
      entries: rows.map((row) => entryOf(hidden.shown(row))),
      page: (wanted, options) => this.pageOf(rows.slice(0, wanted), options),
    };
  }

  async after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage> {
    // A cursor is an archived place: it stays where it is when others are hidden, or shown again.
    return this.pageOf(await this.rowsFrom(cursor === null ? 0 : readPlace(this.scope, cursor), count), options);
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
    return (await this.read(rank - 1, 1, options?.ranking))[0] ?? null;
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
    return { size, entries: await this.read(start, width, ranking) };
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

  /** The first entries that are shown, with all three of their places. */
  async first(count: number): Promise<ArchivedEntry[]> {
    const [rows, hidden] = await Promise.all([this.rowsFrom(0, count), this.hidden()]);
    return rows.map((row) => hidden.shown(row));
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
    const [hidden, size] = await Promise.all([this.hidden(), this.size()]);
    const last = rows.at(-1);
    return {
      entries: rows.map((row) => entryOf(hidden.shown(row), options?.ranking)),
      next: last && hidden.shown(last).place < size ? writeScoped(this.scope, last.place) : null,
    };
  }

  /** Up to `count` entries, passing over the first `offset` that are shown. */
  private async read(offset: number, count: number, ranking: Ranking | undefined): Promise<Entry[]> {
    const [rows, hidden] = await Promise.all([this.rows(offset, count), this.hidden()]);
    return rows.map((row) => entryOf(hidden.shown(row), ranking));
  }

  private async rows(offset: number, count: number): Promise<ArchivedEntry[]> {
    return this.rowsFrom((await this.hidden()).archivedPlace(offset + 1) - 1, count);
  }

  /** Up to `count` entries that are shown, as they are archived, behind an archived place. */
  private async rowsFrom(after: number, count: number): Promise<ArchivedEntry[]> {
    const { leaderboard, period, total } = this.settled;
    const hidden = await this.hidden();
    const firstShown = after + 1 - hidden.before(after + 1);
    const end = Math.min(total, hidden.archivedPlace(firstShown + count) - 1);
    if (count === 0 || end <= after) return [];
    const rows = await this.archive.page(leaderboard, period, after, end - after);
    return rows.filter(({ userId }) => !hidden.has(userId));
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

function entryOf(shown: ArchivedEntry, ranking: Ranking = 'ordinal'): Entry {
  return {
    member: shown.userId,
    score: shown.score,
    rank: ranking === 'ordinal' ? shown.place : shown[ranking],
    reachedAt: shown.reachedAtMs === null ? null : new Date(shown.reachedAtMs),
  };
}
