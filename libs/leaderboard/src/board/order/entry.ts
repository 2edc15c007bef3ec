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
