import type { CountedWeeks } from '../../time/period-spec';
import type { LedgerBoard } from './ledger.types';

/** The boards of a ledger. Redis stores from which days counted weeks were counted before. */
export class BoardsInForce {
  private boards: readonly LedgerBoard[];
  private readonly ownCount: number;

  constructor(boards: readonly LedgerBoard[]) {
    this.boards = Object.freeze(boards.map((board) => Object.freeze({ ...board })));
    this.ownCount = boards.length;
  }

  /** Another array where one of them has changed. */
  get current(): readonly LedgerBoard[] {
    return this.boards;
  }

  /** Those of the options. */
  get own(): readonly LedgerBoard[] {
    return this.boards.slice(0, this.ownCount);
  }

  /** Has these beside {@link own} from now on, instead of those that were added before. */
  add(boards: readonly LedgerBoard[]): void {
    this.boards = Object.freeze([...this.own, ...boards.map((board) => Object.freeze({ ...board }))]);
  }

  /** Cuts the time of a board so from now on. */
  cut(name: string, period: CountedWeeks): void {
    this.boards = Object.freeze(
      this.boards.map((board) => (board.name === name ? Object.freeze({ ...board, period }) : board)),
    );
  }
}
