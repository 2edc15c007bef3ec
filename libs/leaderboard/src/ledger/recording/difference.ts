import type { Counted } from '../facts/standing';
import type { BoardPeriod } from '../periods/calendar';

/** A field of a day that comes to count, or ceases to, or counts otherwise. */
export interface Change {
  readonly day: number;
  readonly name: string;
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/** The change of a member's entry on a board. */
export interface Move {
  readonly period: BoardPeriod;
  points: number;
  /** The latest moment since when something stands that did not. */
  cameMs: number | null;
  /** The latest moment since when something stood that does not any more. */
  leftMs: number | null;
}

/** The difference between what stood and what stands, on each board. */
export class Difference {
  readonly moves = new Map<BoardPeriod, Move>();

  copy(): Difference {
    const copy = new Difference();
    for (const [period, move] of this.moves) copy.moves.set(period, { ...move });
    return copy;
  }

  /** Adds what a field came to on the boards of its day. */
  add(periods: readonly BoardPeriod[], before: Counted | null, after: Counted | null): void {
    for (const period of periods) {
      const isTally = period.board.tallyOf != null;
      const [had, has] = [worth(before, isTally), worth(after, isTally)];
      const isOther = had !== has || before?.sinceMs !== after?.sinceMs;
      if (!isOther || (had === 0 && has === 0)) continue;
      const move = this.moves.get(period) ?? { period, points: 0, cameMs: null, leftMs: null };
      this.moves.set(period, move);
      move.points += has - had;
      if (after && has !== 0) move.cameMs = Math.max(move.cameMs ?? 0, after.sinceMs);
      if (before && had !== 0 && (has === 0 || (after as Counted).sinceMs < before.sinceMs)) {
        move.leftMs = Math.max(move.leftMs ?? 0, before.sinceMs);
      }
    }
  }
}

/** On a tally each counts one. */
export function worth(counted: Counted | null, isTally: boolean): number {
  if (!counted) return 0;
  return isTally ? 1 : counted.points;
}
