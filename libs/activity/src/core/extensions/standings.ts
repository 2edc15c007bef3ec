import type { BoardPage, BoardReader, RankingOption } from '@laurel/leaderboard';

/** What is read of a live board, and of archived standings with the same answers. */
type Reads =
  'size' | 'head' | 'after' | 'countBetween' | 'at' | 'entry' | 'entries' | 'ranks' | 'aroundWithSize' | 'standings';

/** The standings of one period of a leaderboard, read as the engine reads a board. */
export interface Standings extends Pick<BoardReader, Reads> {
  /** A page that passes over the first `offset` entries. */
  page(from: { readonly offset: number }, count: number, options?: RankingOption): Promise<BoardPage>;
}
