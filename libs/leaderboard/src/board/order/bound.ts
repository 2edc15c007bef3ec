import type { Line, Order } from './line';

/**
 * A cut through a board's order: some lines stand ahead of it, the rest behind. Lines of a better score than `score`
 * are ahead; what happens to equal scores is written in `place`, in the form that the scripts read.
 */
export interface Bound {
  readonly score: number;
  readonly place: string;
}

/** Ahead of it: better scores. */
export function beforeScore(score: number): Bound {
  return { score, place: '(' };
}

/** Ahead of it: better scores and this one. */
export function afterScore(score: number): Bound {
  return { score, place: '[' };
}

/** Ahead of it: what stands ahead of `line`. */
export function beforeLine(line: Line): Bound {
  return { score: line.score, place: `<${line.element}` };
}

/** Ahead of it: what stands ahead of `line`, and `line`. */
export function afterLine(line: Line): Bound {
  return { score: line.score, place: `=${line.element}` };
}

/** Ahead of all lines of a board. */
export function aheadOfAll(order: Order): Bound {
  return afterScore(order === 'desc' ? Infinity : -Infinity);
}
