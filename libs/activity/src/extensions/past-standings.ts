import type { Period } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { AskedPeriod } from './asked-period';
import type { Standings } from './standings';

/** Standings of a period that has ended, which Redis need not have any more. */
export interface PastStandings {
  /** Whether this process settles periods: one that has ended is then `closing` until it is frozen. */
  readonly settles: boolean;
  /** The settled standings of a period; null where it is not settled. @throws ActivityError `unavailable` */
  find(leaderboard: LeaderboardBoards, period: Period): Promise<SettledStandings | null>;
  /** The users' ranks in the period before, null for who was not on it: for the places won or lost since. */
  previousRanks(asked: AskedPeriod, userIds: readonly string[]): Promise<readonly (number | null)[]>;
  /** Notes that a user does not show, or does again, in all settled periods. */
  hide(userId: string, isHidden: boolean): Promise<void>;
}

/** Settled standings, and how they are read. */
export interface SettledStandings {
  readonly standings: Standings;
  readonly period: { readonly key: string; readonly startMs: number; readonly endMs: number };
  /** Runs reads of the standings. @throws ActivityError `unavailable` where the store does not answer. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
}
