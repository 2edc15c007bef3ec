import { LeaderboardError, type LeaderboardErrorCode } from '../../errors/errors';

/** A score: a number, or one number for each of a board's dimensions. */
export type Score = number | readonly number[];

/** How equal scores are numbered: `ordinal` 1234, `competition` 1224, `dense` 1223. */
export type Ranking = 'ordinal' | 'competition' | 'dense';

/** All rankings. */
export const rankings: readonly Ranking[] = ['ordinal', 'competition', 'dense'];

/** One member's line on a board. */
export interface Entry<S extends Score = number> {
  readonly member: string;
  readonly score: S;
  /** The best has the board's first rank: 1, unless it was told to count from 0. */
  readonly rank: number;
  /** When the score was reached; null where the board's layout keeps no time. */
  readonly reachedAt: Date | null;
}

/** @throws LeaderboardError with `code` unless `ranking` is a known one. */
export function checkedRanking(ranking: Ranking, code: LeaderboardErrorCode = 'invalidArgument'): Ranking {
  if (rankings.includes(ranking)) return ranking;
  throw new LeaderboardError(code, `ranking is "${String(ranking)}": use one of ${rankings.join(', ')}.`);
}

/** `desc`: the highest score is first. `asc`: the lowest. */
export type Order = 'desc' | 'asc';

/** One line of a sorted set, as Redis holds it. */
export interface Line {
  readonly score: number;
  /** The member, or on lexical boards its vector and the member. */
  readonly element: string;
}

/** Compares two strings by the bytes of their UTF-8, as Redis does; `<` on strings compares UTF-16 units. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteOrder(x) - byteOrder(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF: they move behind the units from U+E000 to U+FFFF. */
function byteOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The order in which lines stand on a board: negative where `a` stands ahead of `b`. */
export function boardOrder(order: Order): (a: Line, b: Line) => number {
  const ascending = (a: Line, b: Line): number => a.score - b.score || compareBytes(a.element, b.element);
  return order === 'asc' ? ascending : (a, b) => ascending(b, a);
}

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
