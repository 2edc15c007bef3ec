import type { BoardHead, BoardPage, Entry, RankingOption } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';

/** The standings of one period of a leaderboard: a live board, or archived standings with the same answers. */
export interface Standings {
  size(): Promise<number>;
  /** The size and the first `count` entries, for first pages of any ranking. */
  head(count: number): Promise<BoardHead>;
  /** A page behind a cursor, from the top for null. */
  after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage>;
  /** A page that passes over the first `offset` entries. */
  pageAt(offset: number, count: number, options?: RankingOption): Promise<BoardPage>;
  /** How many entries have a higher score. */
  countAbove(score: number): Promise<number>;
  /** The entry at an ordinal rank; null beyond the last. */
  at(rank: number, options?: RankingOption): Promise<Entry | null>;
  entry(userId: string, options?: RankingOption): Promise<Entry | null>;
  /** The users' entries in the order asked; null for a user who is missing. */
  entries(userIds: readonly string[], options?: RankingOption): Promise<(Entry | null)[]>;
  /** As {@link entries}, the ranks alone. */
  ranks(userIds: readonly string[], options?: RankingOption): Promise<(number | null)[]>;
  /** The user between their neighbours, the list filled up at the ends; empty where the user is missing. */
  around(userId: string, options: { readonly radius: number } & RankingOption): Promise<Entry[]>;
  /** Where a user stands: the entry, one neighbour on each side, and the entry at the ordinal rank `at`. */
  standing(userId: string, options: { readonly at: number } & RankingOption): Promise<BoardStanding>;
  /** The entry of an excluded user, without a rank; null where the user is not excluded or has no points. */
  hiddenEntry(userId: string): Promise<Omit<Entry, 'rank'> | null>;
}
