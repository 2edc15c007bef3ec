import type { Period, Ranking } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';

/** What a read is about: a period of a leaderboard, and how equal scores are ranked. */
export interface AskedPeriod {
  readonly leaderboard: LeaderboardBoards;
  readonly period: Period;
  readonly ranking: Ranking;
}
