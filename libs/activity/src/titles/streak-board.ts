import type { LeaderboardSettings } from '../core/options/settings';

/** The leaderboard whose boards of days tell on which days somebody had points: every action counts on it. */
export function streakBoard(leaderboards: readonly LeaderboardSettings[]): LeaderboardSettings | undefined {
  return leaderboards.find(
    ({ hasOwnLedger, fedSpec, actions, partition }) =>
      !hasOwnLedger && fedSpec === 'day' && actions === undefined && partition === null,
  );
}
