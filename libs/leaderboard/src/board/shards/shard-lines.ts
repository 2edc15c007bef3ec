import type { Clock } from '../../time/clock';
import type { BoardLayout } from '../layouts/layout';
import type { Bound, Line, Score } from '../order/order';
import type { ShardKeys } from './shard-calls';

/** Lines of one shard, how many of it stand ahead of them, and how many of it stand ahead of the range asked for. */
export interface LinesOfRange extends Run {
  readonly base: number;
}

/** The lines between two bounds. */
export interface LineRange {
  readonly from: Bound;
  readonly until: Bound;
}

/** Lines that follow one another, on the whole board unless said otherwise, and how many stand ahead of them. */
export interface Run {
  readonly ahead: number;
  readonly lines: readonly Line[];
}

/** A member's line among its neighbours, null without the member; how many lines there are, and one of them. */
export interface Standing {
  readonly window: Run | null;
  readonly size: number;
  readonly marked: Line | null;
}

/** The beginning of one shard: how many lines it has, and the first of them. */
export interface ShardHead {
  readonly size: number;
  readonly lines: readonly Line[];
}

/** Places of one shard at even distances. */
export interface Steps {
  /** From 0. */
  readonly first: number;
  /** From 1. */
  readonly distance: number;
}

/** Lines of one shard at even distances, and how many it has. */
export interface Sample extends ShardHead {
  /** Where the first of them stands, from 0 to 1, in distances. */
  readonly start: number;
}

export interface BoardShardsOptions<S extends Score = Score> extends ShardKeys {
  readonly layout: BoardLayout<S>;
  /** Lines of lower raw scores do not exist. They are the last of their shard: descending boards only. */
  readonly minScore: number;
  /** How old the first lines of several shards may be that a standing names beside the member's. Default 0. */
  readonly headMaxAgeMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A line, and how many lines of all shards stand ahead of its place. */
export interface Placed {
  readonly line: Line;
  readonly ahead: number;
}
