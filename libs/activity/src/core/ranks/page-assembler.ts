import type { Entry, Period, PeriodState } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import { Extensions } from '../extensions/extensions';
import type { PeriodQuery, SettledStandings, Title } from '../extensions/standings';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { FoundStandings } from './leaderboards';
import { Profiles } from './profiles';
import type {
  OptionalRankEntry,
  RankAhead,
  RankAnswer,
  RankEntry,
  RankPage,
  RankPeriod,
  RankTopTen,
} from './rank.responses';

/** A page as it was read. */
export interface PageRead {
  readonly total: number;
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** The entries of an answer: their users, the reads under way, and whether titles are wanted. */
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
      const { rank = null, score = 0, reachedAt } = read[i] ?? {};
      const previousRank = previousRanks?.[i] ?? null;
      return {
        ...{ rank, userId, score: query.leaderboard.pointsOf(score), reachedAt: reachedAt?.toISOString() ?? null },
        change: previousRank === null || rank === null ? null : previousRank - rank,
        user: profiles.get(userId) ?? null,
        ...(named && { title: (rank !== null && named.get(userId)) || null }),
      };
    });
  }
}

/** A user may be looked up twice. */
function distinctOf(entries: readonly (Entry | null)[]): Entry[] {
  return [...new Map(entries.flatMap((entry) => (entry ? [[entry.member, entry]] : []))).values()];
}

export function aheadAnswer(entry: Entry, ahead: Entry | null, leaderboard: LeaderboardBoards): RankAhead | null {
  return ahead && { userId: ahead.member, ...scoreAndGap(ahead, entry.score, leaderboard) };
}

/** A better entry's points, and what is missing to them. Scores are whole units, so the gap is exact. */
function scoreAndGap({ score }: Entry, own: number, leaderboard: LeaderboardBoards): RankTopTen {
  return { score: leaderboard.pointsOf(score), gap: leaderboard.pointsOf(score - own) };
}

/** The points that separate a user from the tenth; null for the first ten, users with the tenth's rank included. */
export function topTenOf(
  userId: string,
  { entry, around, at: tenth }: BoardStanding,
  { ranking, leaderboard }: PeriodQuery,
): RankTopTen | null {
  const own = around.find(({ member }) => member === userId);
  const isLevel = ranking !== 'ordinal' && own?.score === tenth?.score;
  if (!tenth || isLevel || (own && own.rank <= tenth.rank)) return null;
  return scoreAndGap(tenth, entry?.score ?? 0, leaderboard);
}

/** The fields that every answer about one leaderboard begins with. */
export function nameAnswer({ name, partition }: LeaderboardBoards): { leaderboard: string; partition?: string } {
  return { leaderboard: name, ...(partition !== null && { partition }) };
}

export function periodAnswer(period: Period, state: PeriodState): RankPeriod {
  return { key: period.key, start: period.start.toISOString(), end: period.end?.toISOString() ?? null, state };
}

export function settledAnswer({ key, startMs, endMs }: SettledStandings['period']): RankPeriod {
  return { key, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), state: 'settled' };
}
