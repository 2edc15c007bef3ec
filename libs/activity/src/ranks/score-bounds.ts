import type { Ranking } from '@laurel/leaderboard';
import { faultsError } from '../errors/errors';
import type { Standings } from '../extensions/standings';
import { checkWhole } from './check-query';
import type { PageRead } from './page-assembler';
import { allowed, type StandingsQuery } from './rank.dto';

/** Scores, both included. */
interface ScoreBounds {
  readonly min: number;
  readonly max: number;
}

/** Which of the entries between the bounds. */
interface BoundedPage {
  readonly limit: number;
  /** Passed over, from the first within the bounds on. */
  readonly offset: number;
  readonly cursor: string | undefined;
  readonly ranking: Ranking;
}

/** The bounds of a query; null: it has none. @throws ActivityError `invalidQuery` */
export function scoreBounds({ minScore, maxScore }: StandingsQuery): ScoreBounds | null {
  if (minScore === undefined && maxScore === undefined) return null;
  const { min, max } = { min: minScore ?? allowed.score[0], max: maxScore ?? allowed.score[1] };
  checkWhole('minScore', min, allowed.score);
  checkWhole('maxScore', max, allowed.score);
  if (min <= max) return { min, max };
  throw faultsError('invalidQuery', [{ path: 'minScore', message: 'must not be greater than maxScore' }]);
}

/**
 * Entries with scores between the bounds, with their ranks among all; `total` is that of all. One round trip behind a
 * cursor or without an upper bound, else two, or in an archive one for each time that the entries can be halved.
 */
export async function pageBetween(
  standings: Standings,
  { min, max }: ScoreBounds,
  { limit, offset, cursor, ranking }: BoundedPage,
): Promise<PageRead> {
  const above = cursor === undefined && max < allowed.score[1] ? await standings.countBetween(max + 1, Infinity) : 0;
  const [total, page] = await Promise.all([
    standings.size(),
    cursor === undefined
      ? standings.page({ offset: above + offset }, limit, { ranking })
      : standings.after(cursor, limit, { ranking }),
  ]);
  const entries = page.entries.filter(({ score }) => score >= min && score <= max);
  const last = page.entries.at(-1);
  return { total, entries, next: last && last.score >= min ? page.next : null };
}
