import { invalidArgument } from '../../errors/errors';
import type { LedgerBoard } from '../model/ledger.types';

/** Gives equal lists of board names one number, whatever array they come in, so that caches can be keyed by it. */
export class BoardLists {
  private readonly known: ReadonlySet<string>;
  private readonly numbers = new Map<string, number>();
  /** An array is looked through once. */
  private readonly numbersByList = new WeakMap<readonly string[], number>();

  constructor(boards: readonly LedgerBoard[]) {
    this.known = new Set(boards.map(({ name }) => name));
  }

  /**
   * 0 where no names are given.
   * @throws LeaderboardError `invalidArgument` where there is no board of a name.
   */
  numberOf(names: readonly string[] | undefined): number {
    if (names === undefined) return 0;
    let number = this.numbersByList.get(names);
    if (number === undefined) {
      const unknown = names.find((name) => !this.known.has(name));
      if (unknown !== undefined) {
        throw invalidArgument(`There is no board "${String(unknown)}": use some of ${[...this.known].join(', ')}.`);
      }
      const id = [...new Set(names)].sort().join();
      number = this.numbers.get(id) ?? this.numbers.size + 1;
      this.numbers.set(id, number);
      this.numbersByList.set(names, number);
    }
    return number;
  }
}
