import type { Entry, Period } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { PeriodQuery } from './period-query';
import type { Standings } from './standings';
import type { Title } from './title-source';

/** Standings of periods that have ended, which need not be in Redis any more. */
export interface PastStandings {
  /** Whether this process settles periods: a period that has ended is then `closing` until it is frozen. */
  readonly settles: boolean;
  /** The settled standings of a period; null if it is not settled. @throws ActivityError `unavailable` */
  find(leaderboard: LeaderboardBoards, period: Period): Promise<SettledStandings | null>;
  /** The users' ranks in the period before, null for users who were not on it: for the ranks won or lost since. */
  previousRanks(asked: PeriodQuery, userIds: readonly string[]): Promise<readonly (number | null)[]>;
  /**
   * The titles with which a period was settled, of those of the users who have one; null: it is not settled, or was
   * settled without titles. @throws ActivityError `unavailable`
   */
  titles(asked: PeriodQuery, userIds: readonly string[]): Promise<ReadonlyMap<string, Title> | null>;
  /** Who may keep an answer about a user's past. @throws HttpException where it is not shown to who asks. */
  scopeOf(what: 'points' | 'history', userId: string, request: unknown): Promise<'public' | 'private'>;
  /** Hides a user in all settled periods, or shows them again. */
  hide(userId: string, isHidden: boolean): Promise<void>;
  /** Erases a user from one settled period for good; false: the user was not in it. Safe to repeat. */
  eraseFrom(where: { readonly leaderboard: string; readonly period: string }, userId: string): Promise<boolean>;
}

/** Settled standings, and how they are read. */
export interface SettledStandings {
  readonly standings: Standings;
  /** The entry of an excluded user, without a rank; null where the user is not excluded or has no points. */
  readonly hiddenEntry: (userId: string) => Promise<Omit<Entry, 'rank'> | null>;
  readonly period: { readonly key: string; readonly startMs: number; readonly endMs: number };
  /** Runs reads of the standings. @throws ActivityError `unavailable` where the store does not answer. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
}
