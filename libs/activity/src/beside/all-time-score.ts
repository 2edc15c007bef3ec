import { Period } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';

/**
 * A user's score on a board of all time, which is a leaderboard's own or one of its tallies; of an excluded user, that
 * beside it. One round trip: two ZMSCORE.
 */
export async function allTimeScore(
  { ledger, settings }: LeaderboardBoards,
  board: string,
  userId: string,
): Promise<number> {
  const period = Period.of('all', new Date(0), settings.timezone);
  const boards = [ledger.board(board, period), ledger.aside(board, period)];
  const [shown, excluded] = await Promise.all(boards.map((one) => one.score(userId)));
  return shown ?? excluded ?? 0;
}
