import type { Entry, Period, PeriodState } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import type { PeriodQuery } from '../extensions/period-query';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { SettledStandings } from '../extensions/past-standings';
import type { Title } from '../extensions/title-source';
import type { OptionalRankEntry, RankAhead, RankEntry, RankPeriod, RankTopTen, RankUser } from './rank.responses';

/** The data that answers add to an entry. */
export interface EntryContext {
  readonly profiles: ReadonlyMap<string, RankUser>;
  /** The user's rank in the period before; null where the user was not on the leaderboard. */
  readonly previousRank: number | null;
  /** The leaderboard that it is on. */
  readonly leaderboard: LeaderboardBoards;
  /** The titles of the users that have one; undefined where titles are not wanted. */
  readonly titles: ReadonlyMap<string, Title> | undefined;
}

export function entryAnswer(entry: Entry, { profiles, previousRank, leaderboard, titles }: EntryContext): RankEntry {
  const { rank, member, score, reachedAt } = entry;
  return {
    rank,
    userId: member,
    score: leaderboard.pointsOf(score),
    reachedAt: reachedAt?.toISOString() ?? null,
    change: previousRank === null ? null : previousRank - rank,
    user: profiles.get(member) ?? null,
    ...(titles && { title: titles.get(member) ?? null }),
  };
}

/** The line of a user who is not on the leaderboard. */
export function missingAnswer(
  userId: string,
  { profiles, titles }: Pick<EntryContext, 'profiles' | 'titles'>,
): OptionalRankEntry {
  const user = profiles.get(userId) ?? null;
  return { rank: null, userId, score: 0, reachedAt: null, change: null, user, ...(titles && { title: null }) };
}

export function aheadAnswer(entry: Entry, ahead: Entry | null, leaderboard: LeaderboardBoards): RankAhead | null {
  return ahead && { userId: ahead.member, ...scoreAndGap(ahead, entry, leaderboard) };
}

/** A better entry's points, and what is missing to them. Scores are whole units, so the gap is exact. */
function scoreAndGap(better: Scored, own: Scored, leaderboard: LeaderboardBoards): RankTopTen {
  return { score: leaderboard.pointsOf(better.score), gap: leaderboard.pointsOf(better.score - own.score) };
}

type Scored = Pick<Entry, 'score'>;

/** The points that separate a user from the tenth; null for the first ten, users with the tenth's rank included. */
export function topTenOf(
  userId: string,
  { entry, around, at: tenth }: BoardStanding,
  { ranking, leaderboard }: PeriodQuery,
): RankTopTen | null {
  const own = around.find(({ member }) => member === userId);
  const isLevel = ranking !== 'ordinal' && own?.score === tenth?.score;
  if (!tenth || isLevel || (own && own.rank <= tenth.rank)) return null;
  return scoreAndGap(tenth, { score: entry?.score ?? 0 }, leaderboard);
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
