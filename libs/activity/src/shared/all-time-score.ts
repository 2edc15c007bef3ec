import { Period } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';

/**
 * Users' scores on a board of all time, which is a leaderboard's own or one of its tallies; of excluded users, those
 * beside it. One round trip, a second one where not all are shown.
 */
export async function allTimeScores(
  { ledger, settings }: LeaderboardBoards,
  board: string,
  userIds: readonly string[],
): Promise<number[]> {
  const period = Period.of('all', new Date(0), settings.timezone);
  const shown = await ledger.board(board, period).scores(userIds);
  const others = shown.includes(null) ? await ledger.aside(board, period).scores(userIds) : [];
  return userIds.map((_, i) => shown[i] ?? others[i] ?? 0);
}
