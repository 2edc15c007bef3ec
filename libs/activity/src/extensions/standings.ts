import type { BoardHead, BoardPage, Entry, RankingOption } from '@laurel/leaderboard';

/**
 * One period of a leaderboard, wherever it lies: a live board of the engine is one as it is, archived standings are made
 * one by {@link ArchivedStandings}. The same questions get the same answers from both.
 */
export interface Standings {
  size(): Promise<number>;
  /** How many there are and the first `count` of them, for first pages of any ranking. */
  head(count: number): Promise<BoardHead>;
  /** A page behind a cursor, from the top for null. */
  after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage>;
  /** A page that passes over the first `offset` entries. */
  pageAt(offset: number, count: number, options?: RankingOption): Promise<BoardPage>;
  /** The entry at an ordinal rank; null beyond the last. */
  at(rank: number, options?: RankingOption): Promise<Entry | null>;
  entry(userId: string, options?: RankingOption): Promise<Entry | null>;
  /** The users' entries in the order asked, null in the place of one who is not on it. */
  entries(userIds: readonly string[], options?: RankingOption): Promise<(Entry | null)[]>;
  /** As {@link entries}, the ranks alone. */
  ranks(userIds: readonly string[], options?: RankingOption): Promise<(number | null)[]>;
  /** The user in the middle of his neighbours, the window filled up at the ends; none where he is not on it. */
  around(userId: string, options: { readonly radius: number } & RankingOption): Promise<Entry[]>;
  /** The entry of a user who is kept off it, without a rank; null where he is not, or has no points. */
  hiddenEntry(userId: string): Promise<Omit<Entry, 'rank'> | null>;
  /** 0 to 100: the share of the others who stand behind the user; null where he is not on it. */
  percentile(userId: string): Promise<number | null>;
}
