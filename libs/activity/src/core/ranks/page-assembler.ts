import type { Entry } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import { Extensions } from '../extensions/extensions';
import type { Title } from '../extensions/title-source';
import type { PeriodQuery } from '../extensions/period-query';
import { Profiles } from './profiles';
import { entryAnswer, missingAnswer, nameAnswer, periodAnswer, settledAnswer } from './rank.answers';
import type { OptionalRankEntry, RankAnswer, RankEntry, RankPage } from './rank.responses';
import type { FoundStandings } from './standings-finder';

/** A page as it was read. */
export interface PageRead {
  readonly total: number;
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** Whose entries are answered: their users, what is being read of them, and whether titles are wanted. */
export interface LinesQuery<Found> {
  readonly userIds: readonly string[];
  readonly entries: Promise<readonly Found[]>;
  readonly titles: boolean;
}

const noTitles: ReadonlyMap<string, Title> = new Map();

/** Makes answers of what was read: pages, lookups, standings and streams are all assembled here. */
@Injectable()
export class PageAssembler {
  constructor(
    private readonly extensions: Extensions,
    private readonly profiles: Profiles,
  ) {}

  /** A page. At most one round trip for the ranks of the period before, and one for titles, at once. */
  async page(query: PeriodQuery, found: FoundStandings, read: PageRead, titles: boolean): Promise<RankPage> {
    const { total, entries, next } = read;
    const userIds = entries.map(({ member }) => member);
    const [head, lines] = await Promise.all([
      this.head(query, found, total),
      this.lines(query, { userIds, entries: Promise.resolve(entries), titles }),
    ]);
    return { ...head, entries: lines, next };
  }

  /** The fields that every answer about a period begins with. */
  async head(
    { leaderboard, period }: PeriodQuery,
    { settled, read }: FoundStandings,
    total: number,
  ): Promise<RankAnswer> {
    const state = settled
      ? settledAnswer(settled)
      : periodAnswer(period, await read(() => leaderboard.stateOf(period)));
    return { ...nameAnswer(leaderboard), period: state, total };
  }

  /**
   * The users' lines, in the order of `userIds`. Names and former ranks are read while the entries are. A user without
   * an entry has no title.
   */
  lines(query: PeriodQuery, asked: LinesQuery<Entry>): Promise<RankEntry[]>;
  lines(query: PeriodQuery, asked: LinesQuery<Entry | null>): Promise<OptionalRankEntry[]>;
  async lines(
    query: PeriodQuery,
    { userIds, entries, titles }: LinesQuery<Entry | null>,
  ): Promise<OptionalRankEntry[]> {
    const { past, titles: source } = this.extensions;
    const [read, previousRanks, profiles, named] = await Promise.all([
      entries,
      query.leaderboard.isSpan ? undefined : past?.previousRanks(query, userIds),
      this.profiles.find([...new Set(userIds)]),
      titles ? (source?.find(query, { userIds, entries: entries.then(distinctOf) }) ?? noTitles) : undefined,
    ]);
    return userIds.map((userId, i) => {
      const entry = read[i];
      const { leaderboard } = query;
      const context = { profiles, previousRank: previousRanks?.[i] ?? null, leaderboard, titles: named };
      return entry ? entryAnswer(entry, context) : missingAnswer(userId, context);
    });
  }
}

/** A user may be looked up twice. */
function distinctOf(entries: readonly (Entry | null)[]): Entry[] {
  return [...new Map(entries.flatMap((entry) => (entry ? [[entry.member, entry]] : []))).values()];
}
