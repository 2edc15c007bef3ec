import type { CountedWeeks } from '../../time/period-spec';
import type { LedgerBoard } from './ledger.types';

/** The boards of a ledger. Redis stores from which days counted weeks were counted before. */
export class BoardsInForce {
  /** Another array where one of them has changed. */
  current: readonly LedgerBoard[];
  private readonly ownCount: number;

  constructor(boards: readonly LedgerBoard[]) {
    this.current = frozen(boards);
    this.ownCount = boards.length;
  }

  /** Those of the options. */
  get own(): readonly LedgerBoard[] {
    return this.current.slice(0, this.ownCount);
  }

  /** Has these beside {@link own} from now on, instead of those that were added before. */
  add(boards: readonly LedgerBoard[]): void {
    this.current = frozen([...this.own, ...boards]);
  }

  /** Cuts the time of a board so from now on. */
  cut(name: string, period: CountedWeeks): void {
    this.current = frozen(this.current.map((board) => (board.name === name ? { ...board, period } : board)));
  }
}

function frozen(boards: readonly LedgerBoard[]): readonly LedgerBoard[] {
  return Object.freeze(boards.map((board) => Object.freeze({ ...board })));
}
