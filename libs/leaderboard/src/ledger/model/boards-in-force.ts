import type { CountedWeeks } from '../../time/period-spec';
import type { LedgerBoard } from './ledger.types';

/** The boards of a ledger. Redis stores from which days counted weeks were counted before. */
export class BoardsInForce {
  private boards: readonly LedgerBoard[];

  constructor(boards: readonly LedgerBoard[]) {
    this.boards = Object.freeze(boards.map((board) => Object.freeze({ ...board })));
  }

  /** Another array where one of them has changed. */
  get current(): readonly LedgerBoard[] {
    return this.boards;
  }

  /** Cuts the time of a board so from now on. */
  cut(name: string, period: CountedWeeks): void {
    this.boards = Object.freeze(
      this.boards.map((board) => (board.name === name ? Object.freeze({ ...board, period }) : board)),
    );
  }
}
