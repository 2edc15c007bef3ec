import { Period } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';

/**
 * Users' scores on a board of all time, which is a leaderboard's own or one of its tallies; of excluded users, those
 * beside it. One round trip: two calls a shard.
 */
export async function allTimeScores(
  { ledger, settings }: LeaderboardBoards,
  board: string,
  userIds: readonly string[],
): Promise<number[]> {
  const period = Period.of('all', new Date(0), settings.timezone);
  const boards = [ledger.board(board, period), ledger.aside(board, period)];
  const [shown, excluded] = await Promise.all(boards.map((one) => one.scores(userIds)));
  return userIds.map((_, i) => shown?.[i] ?? excluded?.[i] ?? 0);
}
