import type { BoardPage, Entry, Ranking, RankingOption } from '@laurel/leaderboard';
import type { ArchivedEntry, SettledPeriod, StandingsArchive } from '../../settlement/standings-archive';
import { readPlace, writePlace } from './place-cursor';
import type { Standings } from './standings';

/** A settled period as its archive keeps it. Reads cost one call of the archive, `around` two. */
export class ArchivedStandings implements Standings {
  constructor(
    private readonly archive: StandingsArchive,
    readonly settled: SettledPeriod,
  ) {}

  size(): Promise<number> {
    return Promise.resolve(this.settled.total);
  }

  async after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage> {
    return this.pageAt(cursor === null ? 0 : readPlace(this.scope, cursor), count, options);
  }

  async pageAt(offset: number, count: number, options?: RankingOption): Promise<BoardPage> {
    const entries = await this.read(offset, count, options);
    const end = offset + entries.length;
    return { entries, next: entries.length > 0 && end < this.settled.total ? writePlace(this.scope, end) : null };
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
    return found.map((entry) => entry && entryOf(entry, options?.ranking));
  }

  async ranks(userIds: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    return (await this.entries(userIds, options)).map((entry) => entry && entry.rank);
  }

  async around(userId: string, { radius, ranking }: { readonly radius: number } & RankingOption): Promise<Entry[]> {
    const [own] = await this.find([userId]);
    if (!own) return [];
    const width = Math.min(2 * radius + 1, this.settled.total);
    const start = Math.max(0, Math.min(own.place - 1 - radius, this.settled.total - width));
    return this.read(start, width, ranking && { ranking });
  }

  async percentile(userId: string): Promise<number | null> {
    const [own] = await this.find([userId]);
    if (!own) return null;
    const others = this.settled.total - 1;
    return others <= 0 ? 100 : (100 * (this.settled.total - own.place)) / others;
  }

  private get scope(): readonly string[] {
    return ['archived', this.settled.leaderboard, this.settled.period];
  }

  private async read(offset: number, count: number, options: RankingOption | undefined): Promise<Entry[]> {
    if (count === 0 || offset >= this.settled.total) return [];
    const { leaderboard, period } = this.settled;
    const entries = await this.archive.page(leaderboard, period, offset, count);
    return entries.map((entry) => entryOf(entry, options?.ranking));
  }

  private find(userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    return this.archive.entries(this.settled.leaderboard, this.settled.period, userIds);
  }
}

function entryOf(entry: ArchivedEntry, ranking: Ranking = 'ordinal'): Entry {
  const { userId, score, reachedAtMs } = entry;
  return {
    member: userId,
    score,
    rank: archivedRank(entry, ranking),
    reachedAt: reachedAtMs === null ? null : new Date(reachedAtMs),
  };
}

/** An archived entry's rank by one of the three rankings. */
export function archivedRank(entry: ArchivedEntry, ranking: Ranking): number {
  return ranking === 'ordinal' ? entry.place : entry[ranking];
}
