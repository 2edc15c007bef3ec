import { type BoardAddress, topQuery } from '../ranks/ranks';
import { poll } from './poll';
import { streamBoard } from './stream-board';
import type { BoardListener, Stop } from './watch';

const pollMs = 1_000;
/** A stream that was refused is tried again after a time between these: not by all pages at once. */
const streamAgainMs = [60_000, 90_000] as const;

/**
 * Watches the top of a board: the current period by its stream, or by asking for as long as there is none; a past one
 * now and then.
 */
export function watchBoard(board: BoardAddress, limit: number, listener: BoardListener): Stop {
  const asking = () =>
    poll({
      everyMs: board.period === 'current' ? pollMs : 60_000,
      ask: topQuery(board, limit).read,
      answer: (page) => {
        listener.standings(page);
        listener.ownPlace?.(null);
      },
      fault: (error) => listener.fault(error),
    });
  if (board.period !== 'current') return asking();
  const { leaderboard, partition } = board;
  const listening = () => streamBoard({ leaderboard, partition, limit }, listener, refused);
  let stop = listening();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function refused() {
    const [least, most] = streamAgainMs;
    stop = asking();
    timer = setTimeout(
      () => {
        stop();
        stop = listening();
      },
      least + Math.random() * (most - least),
    );
  }
  return () => {
    clearTimeout(timer);
    stop();
  };
}
