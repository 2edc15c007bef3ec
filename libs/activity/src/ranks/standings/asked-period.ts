import type { Period, Ranking } from '@laurel/leaderboard';
import type { LeaderboardSettings } from '../../options/settings';

/** What a read is about: a period of a leaderboard, and how equal scores are ranked. */
export interface AskedPeriod {
  readonly leaderboard: LeaderboardSettings;
  readonly period: Period;
  readonly ranking: Ranking;
}
