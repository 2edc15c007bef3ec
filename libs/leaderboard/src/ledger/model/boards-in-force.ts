import type { CountedWeeks } from '../../time/period-spec';
import type { LedgerBoard } from './ledger.types';

/** The boards of a ledger. Redis stores from which days counted weeks were counted before. */
export class BoardsInForce {
  /** Another array where one of them has changed. */
  current: readonly LedgerBoard[] = [];
  private readonly ownCount: number;
  /** The keys of the parts that facts keep. */
  partitionKeys: readonly string[] = [];

  constructor(boards: readonly LedgerBoard[]) {
    this.use(boards);
    this.ownCount = boards.length;
  }

  /** Those of the options. */
  get own(): readonly LedgerBoard[] {
    return this.current.slice(0, this.ownCount);
  }

  /** Has these beside {@link own} from now on, instead of those that were added before. */
  add(boards: readonly LedgerBoard[]): void {
    this.use([...this.own, ...boards]);
  }

  /** Cuts the time of a board so from now on. */
  cut(name: string, period: CountedWeeks): void {
    this.use(this.current.map((board) => (board.name === name ? { ...board, period } : board)));
  }

  private use(boards: readonly LedgerBoard[]): void {
    this.current = Object.freeze(boards.map((board) => Object.freeze({ ...board })));
    const keys = boards.flatMap(({ partition, where = [] }) => [partition ?? [], where.map((one) => one.partition)]);
    this.partitionKeys = [...new Set(keys.flat())];
  }
}
