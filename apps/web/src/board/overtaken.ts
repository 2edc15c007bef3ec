import type { Overtaken } from '../live/watch';
import type { BoardAddress, Standing, Standings } from '../ranks/ranks';

/** That a user was passed. */
export interface Passed extends Overtaken {
  readonly userId: string;
}

/** The signed-in user and the board on the page. */
export interface Look {
  /** The signed-in user. */
  readonly userId: string | null;
  readonly board: BoardAddress;
  readonly page: Standings | null;
  readonly own: Standing | null;
}

/**
 * Whether an event `overtaken` belongs to the shown board: `over` once the user has climbed back, `elsewhere` on other
 * boards, in other periods and for other users.
 */
export function relevanceOf(passed: Passed, { userId, board, page, own }: Look): 'here' | 'elsewhere' | 'over' {
  const isHere =
    passed.userId === userId &&
    passed.leaderboard === board.leaderboard &&
    passed.partition === board.partition &&
    board.period === 'current' &&
    passed.period === page?.period.key;
  if (!isHere) return 'elsewhere';
  const rank = own?.period.key === passed.period ? own.entry.rank : null;
  return rank !== null && rank < passed.rank ? 'over' : 'here';
}
