import { type Bound, type Line, type Order, type Score, compareBytes } from '../order/order';

/** The score class of a line, comparable with `<`: lines with equal scores have the same. */
export type Group = number | string;

/** The order of a board's groups: negative where `a` is the better. */
export function groupOrder(order: Order): (a: Group, b: Group) => number {
  const ascending = (a: Group, b: Group): number =>
    typeof a === 'string' || typeof b === 'string' ? compareBytes(String(a), String(b)) : a - b;
  return order === 'asc' ? ascending : (a, b) => ascending(b, a);
}

/** A line's group for scripts: its score by `unit`, at most `most` either way, or `length` bytes of its element. */
export type Grouping =
  | { readonly by: 'score'; readonly unit: number; readonly most: number }
  | { readonly by: 'prefix'; readonly length: number };

/** How a write treats a member's present score: it replaces it, adds to it, or keeps the better of the two. */
export type Update = 'set' | 'increment' | 'best';

/** How the writing script keeps a layout's scores: its ARGV of the same names. */
export interface WritingShape {
  readonly layout: 'plain' | 'packed' | 'lexical';
  readonly shape: string | number;
  readonly maxPoints: number;
}

/** How the entries of a board lie in Redis' sorted sets: everything that reads and writes must know of a layout. */
export interface BoardLayout<S extends Score = number> {
  /** Tells layouts apart that cannot read each other's boards; part of cursors. */
  readonly id: string;
  readonly order: Order;
  readonly grouping: Grouping;
  /** How many numbers a score has; 0 where it is one number, not a list. */
  readonly dimensions: number;
  /** The entry that `line` holds. */
  read(line: Line): { readonly member: string; readonly score: S; readonly reachedAt: Date | null };
  /** The score class of `line`. */
  group(line: Line): Group;
  /**
   * The group of all lines with this score.
   * @throws LeaderboardError `invalidArgument` where it is no score.
   */
  groupOf(score: S): Group;
  /** The cut ahead of all lines whose score equals that of `line`. */
  beforeGroup(line: Line): Bound;
  /**
   * The cuts ahead of and behind all lines with scores from `min` to `max`, both included.
   * @throws LeaderboardError `invalidArgument` where either is no score.
   */
  between(min: S, max: S): { readonly from: Bound; readonly to: Bound };
  readonly writing: WritingShape;
  /**
   * A line of the writing script: the score as it takes it, and the time.
   * @throws LeaderboardError `scoreOutOfRange` where the layout cannot hold the score, or its change, or the moment.
   */
  argument(score: S, update: Update, atMs: number): readonly [score: string, time: number];
  /** A member's line, by what Redis has of it: the score, or on a lexical board the vector. */
  written(member: string, value: string): Line;
}
