import { type BoardAddress, readTop } from '../board/ranks';
import { poll } from './poll';
import { streamBoard } from './stream-board';
import type { BoardListener, Stop } from './watch';

const pollMs = 1_000;

/** Watches the top of a board: the current period by its stream, or by asking where there is none; a past one once. */
export function watchBoard(board: BoardAddress, limit: number, listener: BoardListener): Stop {
  const asking = () =>
    poll({
      everyMs: board.period === 'current' ? pollMs : 60_000,
      ask: (signal) => readTop(board, limit, signal),
      answer: (page) => {
        listener.standings(page);
        listener.ownLineChanged?.();
      },
      fault: (error) => listener.fault(error),
    });
  if (board.period !== 'current') return asking();
  const { leaderboard, partition } = board;
  let stop = streamBoard({ leaderboard, partition, limit }, listener, () => (stop = asking()));
  return () => stop();
}
