import type { Period, Ranking } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';

/** A period of a leaderboard, and how equal scores are ranked. */
export interface PeriodQuery {
  readonly leaderboard: LeaderboardBoards;
  readonly period: Period;
  readonly ranking: Ranking;
}
