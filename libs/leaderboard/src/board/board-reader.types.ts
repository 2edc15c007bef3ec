import type { Clock } from '../time/clock';
import type { Entry, Ranking, Score } from './order/order';
import type { EstimateOptions } from './estimates/estimate';
import type { BoardShardsOptions } from './shards/shard-lines';

/** The options of a `BoardReader`. */
export interface BoardReaderOptions<S extends Score = number> extends Omit<BoardShardsOptions<S>, 'minScore'> {
  /** Reads leave out entries with lower raw scores. For descending boards only. Default: none is left out. */
  readonly minScore?: number;
  /** How equal scores are numbered where a call does not say. Default `ordinal`. */
  readonly ranking?: Ranking;
  /** The best one's rank. Default 1. */
  readonly firstRank?: 0 | 1;
  /**
   * Maximum age of the cached distinct scores of dense ranks; twenty times the time it took to find them (4 s for
   * 100,000), if that is longer. Default 0: each read finds them anew.
   */
  readonly denseMaxAgeMs?: number;
  /** How ranks are estimated. */
  readonly estimates?: EstimateOptions | undefined;
  readonly clock?: Clock;
}

/** Says how a read numbers equal scores. */
export interface RankingOption {
  readonly ranking?: Ranking;
}

/** An entry, and its rank among those it was asked with. */
export interface EntryAmong<S extends Score = number> extends Entry<S> {
  readonly among: number;
}

/** Entries in rank order, and the cursor behind the last of them: null where nothing follows. */
export interface BoardPage<S extends Score = number> {
  readonly entries: Entry<S>[];
  readonly next: string | null;
}

/** The first entries of a board, as they were read: pages of any size and ranking are cut from them without Redis. */
export interface BoardHead<S extends Score = number> {
  /** How many entries the board has. */
  readonly size: number;
  /** The first entries, by ordinal rank. */
  readonly entries: readonly Entry<S>[];
  /** As `BoardReader.after` from the top; at most as many entries as the head was read with. */
  page(count: number, options?: RankingOption): Promise<BoardPage<S>>;
}

/** Where a member stands: what the page of one member shows. */
export interface BoardStanding<S extends Score = number> {
  /** How many entries the board has. */
  readonly size: number;
  /** The member's; null where it is missing. */
  readonly entry: Entry<S> | null;
  /** As `BoardReader.percentile`. */
  readonly percentile: number | null;
  /** As `BoardReader.around`, by ordinal rank. */
  readonly around: readonly Entry<S>[];
  /** The entry at the ordinal rank that was asked for; null beyond the last. */
  readonly at: Entry<S> | null;
}
