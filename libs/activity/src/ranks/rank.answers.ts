import type { Entry, Period, PeriodState } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { SettledStandings } from '../extensions/past-standings';
import type { Title } from '../extensions/title-source';
import type { OptionalRankEntry, RankAhead, RankEntry, RankPeriod, RankTopTen, RankUser } from './rank.responses';
import type { Neighbours } from './neighbours';
import type { UserProfile } from '../extensions/user-directory';

/** What an entry is answered with beside itself. */
export interface EntryContext {
  readonly profiles: ReadonlyMap<string, UserProfile>;
  /** The user's rank in the period before; null where the user was not on the leaderboard. */
  readonly previousRank: number | null;
  /** The titles of the users that have one; undefined where titles are not wanted. */
  readonly titles: ReadonlyMap<string, Title> | undefined;
}

export function entryAnswer(entry: Entry, { profiles, previousRank, titles }: EntryContext): RankEntry {
  const { rank, member, score, reachedAt } = entry;
  return {
    rank,
    userId: member,
    score,
    reachedAt: reachedAt?.toISOString() ?? null,
    change: previousRank === null ? null : previousRank - rank,
    user: userAnswer(profiles.get(member)),
    ...(titles && { title: titles.get(member) ?? null }),
  };
}

/** The line of a user who is not on the leaderboard. */
export function missingAnswer(
  userId: string,
  { profiles, titles }: Omit<EntryContext, 'previousRank'>,
): OptionalRankEntry {
  const user = userAnswer(profiles.get(userId));
  return { rank: null, userId, score: 0, reachedAt: null, change: null, user, ...(titles && { title: null }) };
}

/** These fields alone: an app's profiles may hold more than the public should see. */
export function userAnswer(profile: UserProfile | undefined): RankUser | null {
  if (!profile) return null;
  const { name, avatarUrl, text } = profile;
  return text === undefined ? { name, avatarUrl } : { name, avatarUrl, text };
}

export function aheadAnswer(entry: Entry, ahead: Entry | null): RankAhead | null {
  return ahead && { userId: ahead.member, score: ahead.score, gap: ahead.score - entry.score };
}

/** The points that separate a user from the tenth; null for the first ten, users with the tenth's rank included. */
export function topTenOf(
  { userId, score }: { readonly userId: string; readonly score: number },
  { window, ranking }: Neighbours,
  tenth: Entry | null,
): RankTopTen | null {
  const own = window.find(({ member }) => member === userId);
  const isLevel = ranking !== 'ordinal' && own?.score === tenth?.score;
  if (!tenth || isLevel || (own && own.rank <= tenth.rank)) return null;
  return { score: tenth.score, gap: tenth.score - score };
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
