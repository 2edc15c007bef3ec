import {
  systemClock,
  type BoardHead,
  type BoardPage,
  type Entry,
  type Ranking,
  type RankingOption,
} from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import { TimedCache } from '../../core/cache/timed-cache';
import { HiddenPlaces } from './hidden-places';
import type { ArchivedEntry, SettledPeriod, StandingsArchive } from './standings-archive';
import { readPlace, writeScoped } from '../../core/http/scoped-cursor';
import type { Standings } from '../../core/extensions/standings';

/** The dense ranks that no shown user has any more, for the hidden users of this signature. */
interface GoneScores {
  readonly signature: string;
  readonly scores: Promise<readonly number[]>;
}

/**
 * A settled period as its archive keeps it, without those who do not show. Reads cost a call of the archive, `around`
 * two, and the first of them one more, for the places that do not show: they are read once, so that all reads agree.
 */
export class ArchivedStandings implements Standings {
  private places: Promise<HiddenPlaces> | undefined;
  private gone: Promise<readonly number[]> | undefined;

  /** @param readHidden reads the places that do not show. */
  constructor(
    private readonly archive: StandingsArchive,
    readonly settled: SettledPeriod,
    private readonly readHidden = () => HiddenPlaces.of(archive, settled),
  ) {}

  async size(): Promise<number> {
    return this.settled.total - (await this.hidden()).count;
  }

  async head(count: number): Promise<BoardHead> {
    const [shown, size] = await Promise.all([this.shownFrom(0, count), this.size()]);
    return {
      size,
      entries: await Promise.all(shown.map((entry) => this.entryOf(entry))),
      page: (wanted, options) => this.pageOf(shown.slice(0, wanted), options),
    };
  }

  async after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage> {
    // A cursor is an archived place: it stays where it is when others are hidden, or show again.
    return this.pageFrom(cursor === null ? 0 : readPlace(this.scope, cursor), count, options);
  }

  async page({ offset }: { readonly offset: number }, count: number, options?: RankingOption): Promise<BoardPage> {
    return this.pageFrom((await this.hidden()).archivedPlace(offset + 1) - 1, count, options);
  }

  /** A call of the archive for each time that the entries can be halved: 17 for 100,000, twice with an upper bound. */
  async countBetween(min: number, max: number): Promise<number> {
    const above = max === Infinity ? 0 : await this.countWhile((score) => score > max);
    return Math.max((await this.countWhile((score) => score >= min)) - above, 0);
  }

  async at(rank: number, options?: RankingOption): Promise<Entry | null> {
    return (await this.read(rank - 1, 1, options))[0] ?? null;
  }

  async entry(userId: string, options?: RankingOption): Promise<Entry | null> {
    return (await this.entries([userId], options))[0] ?? null;
  }

  async entries(userIds: readonly string[], options?: RankingOption): Promise<(Entry | null)[]> {
    if (userIds.length === 0) return [];
    const found = await this.find(userIds);
    return Promise.all(found.map(async (entry) => (entry ? this.entryOf(entry, options?.ranking) : null)));
  }

  async ranks(userIds: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    return (await this.entries(userIds, options)).map((entry) => entry && entry.rank);
  }

  async aroundWithSize(
    userId: string,
    { radius, ranking }: { readonly radius: number } & RankingOption,
  ): Promise<{ readonly size: number; readonly entries: Entry[] }> {
    const [[own], hidden, size] = await Promise.all([this.find([userId]), this.hidden(), this.size()]);
    if (!own) return { size, entries: [] };
    const width = Math.min(2 * radius + 1, size);
    const start = Math.max(0, Math.min(hidden.shown(own).place - 1 - radius, size - width));
    return { size, entries: await this.read(start, width, ranking && { ranking }) };
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
    const [[own], hidden, total] = await Promise.all([this.find([userId]), this.hidden(), this.size()]);
    if (!own) return null;
    const others = total - 1;
    return others <= 0 ? 100 : (100 * (total - hidden.shown(own).place)) / others;
  }

  /** One of the archived entries as others see it; null where it does not show. */
  async shown(entry: ArchivedEntry, ranking?: Ranking): Promise<Entry | null> {
    return (await this.hidden()).has(entry.userId) ? null : this.entryOf(entry, ranking);
  }

  /** The first entries that show, with all three of their places. */
  async first(count: number): Promise<ArchivedEntry[]> {
    const [entries, hidden, gone] = await Promise.all([this.shownFrom(0, count), this.hidden(), this.goneScores()]);
    return entries.map((entry) => ({ ...hidden.shown(entry), dense: entry.dense - countBelow(gone, entry.dense) }));
  }

  /** The entry of a user who does not show; null where they do, or are not in it. */
  async hiddenEntry(userId: string): Promise<Omit<Entry, 'rank'> | null> {
    if (!(await this.hidden()).has(userId)) return null;
    const { leaderboard, period } = this.settled;
    const [entry] = await this.archive.entries(leaderboard, period, [userId]);
    return entry ? this.entryOf(entry) : null;
  }

  private get scope(): readonly string[] {
    return ['archived', this.settled.leaderboard, this.settled.period];
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

  private async pageFrom(after: number, count: number, options: RankingOption | undefined): Promise<BoardPage> {
    return this.pageOf(await this.shownFrom(after, count), options);
  }

  private async pageOf(shown: readonly ArchivedEntry[], options: RankingOption | undefined): Promise<BoardPage> {
    const last = shown.at(-1);
    const hidden = await this.hidden();
    const isMore = last !== undefined && last.place - hidden.before(last.place) < (await this.size());
    return {
      entries: await Promise.all(shown.map((entry) => this.entryOf(entry, options?.ranking))),
      next: last && isMore ? writeScoped(this.scope, last.place) : null,
    };
  }

  /** Up to `count` entries, passing over the first `offset` of those who show. */
  private async read(offset: number, count: number, options: RankingOption | undefined): Promise<Entry[]> {
    const entries = await this.shownFrom((await this.hidden()).archivedPlace(offset + 1) - 1, count);
    return Promise.all(entries.map((entry) => this.entryOf(entry, options?.ranking)));
  }

  /** Up to `count` entries that show, as they are archived, behind an archived place. */
  private async shownFrom(after: number, count: number): Promise<ArchivedEntry[]> {
    const { leaderboard, period, total } = this.settled;
    const hidden = await this.hidden();
    const firstShown = after + 1 - hidden.before(after + 1);
    const end = Math.min(total, hidden.archivedPlace(firstShown + count) - 1);
    if (count === 0 || end <= after) return [];
    const entries = await this.archive.page(leaderboard, period, after, end - after);
    return hidden.count === 0 ? entries : entries.filter(({ userId }) => !hidden.has(userId));
  }

  private async find(userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    const [found, hidden] = await Promise.all([
      this.archive.entries(this.settled.leaderboard, this.settled.period, userIds),
      this.hidden(),
    ]);
    return found.map((entry) => (entry && !hidden.has(entry.userId) ? entry : null));
  }

  private async entryOf(entry: ArchivedEntry, ranking: Ranking = 'ordinal'): Promise<Entry> {
    const { userId, score, reachedAtMs } = entry;
    return {
      member: userId,
      score,
      rank: await this.rankOf(entry, ranking),
      reachedAt: reachedAtMs === null ? null : new Date(reachedAtMs),
    };
  }

  /** The rank of an archived entry among those who show. */
  async rankOf(entry: ArchivedEntry, ranking: Ranking): Promise<number> {
    if (ranking === 'dense') return entry.dense - countBelow(await this.goneScores(), entry.dense);
    return archivedRank((await this.hidden()).shown(entry), ranking);
  }

  private hidden(): Promise<HiddenPlaces> {
    return (this.places ??= this.readHidden());
  }

  private goneScores(): Promise<readonly number[]> {
    const { leaderboard, period } = this.settled;
    this.gone ??= this.hidden().then((hidden) => {
      const shares = async (place: number, competition: number) => {
        const [entry] = await this.archive.page(leaderboard, period, place - 1, 1);
        return entry?.competition === competition;
      };
      return goneScoresOf(this.archive, `${period} ${leaderboard}`, {
        signature: hidden.signature,
        find: () => hidden.goneScores(shares),
      });
    });
    return this.gone;
  }
}

/** By archive and period, as an archive changes by its hidden users alone. */
const goneScores = new WeakMap<StandingsArchive, TimedCache<GoneScores>>();

/** The scores that went with the hidden users of a period. */
function goneScoresOf(
  archive: StandingsArchive,
  period: string,
  { signature, find }: { readonly signature: string; readonly find: () => Promise<readonly number[]> },
): Promise<readonly number[]> {
  const periods =
    goneScores.get(archive) ?? new TimedCache<GoneScores>({ clock: systemClock, ttlMs: Infinity, maxWeight: 1_000 });
  goneScores.set(archive, periods);
  const known = periods.get(period);
  if (known?.signature === signature) return known.scores;
  const made = { signature, scores: find() };
  periods.set(period, made);
  made.scores.catch(() => {
    if (periods.get(period) === made) periods.delete(period);
  });
  return made.scores;
}

function countBelow(sorted: readonly number[], value: number): number {
  return sorted.filter((one) => one < value).length;
}

/** An archived entry's rank by one of the three rankings. */
export function archivedRank(entry: ArchivedEntry, ranking: Ranking): number {
  return ranking === 'ordinal' ? entry.place : entry[ranking];
}
