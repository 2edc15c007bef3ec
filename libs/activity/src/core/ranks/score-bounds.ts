import type { Ranking } from '@laurel/leaderboard';
import { faultsError } from '../errors/errors';
import type { Standings } from '../extensions/standings';
import { pointsWithin, unitsOf } from '../points/decimals';
import { readingOf } from '../schema/schema';
import type { PageRead } from './page-assembler';
import { allowed, type StandingsQuery } from './rank.dto';

/** Scores in whole units, both included. */
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

/** The bounds of a query, in units; null: it has none. @throws ActivityError `invalidQuery` */
export function scoreBounds(
  { minScore, maxScore }: Pick<StandingsQuery, 'minScore' | 'maxScore'>,
  decimals: number,
): ScoreBounds | null {
  if (minScore === undefined && maxScore === undefined) return null;
  const [least, most] = allowed.score;
  const bound = (path: string, points: number | undefined, otherwise: number) => {
    if (points === undefined) return otherwise;
    const reading = readingOf(pointsWithin(decimals, { min: least, max: most }), points, path, 'body');
    if ('faults' in reading) throw faultsError('invalidQuery', reading.faults);
    return unitsOf(points, decimals);
  };
  const { min, max } = { min: bound('minScore', minScore, least), max: bound('maxScore', maxScore, most) };
  if (min <= max) return { min, max };
  throw faultsError('invalidQuery', [{ path: 'minScore', message: 'must not be greater than maxScore' }]);
}

/**
 * As {@link pageBetween}, from the last entry up; `offset` passes over the last ones. Two round trips, in an archive
 * one for each time that the entries can be halved where there are bounds.
 */
export async function pageFromWorst(
  standings: Standings,
  bounds: ScoreBounds | null,
  { limit, offset, ranking }: Omit<BoundedPage, 'cursor'>,
): Promise<PageRead> {
  const [total, above, end] = await Promise.all([
    standings.size(),
    bounds ? standings.countBetween(bounds.max + 1, Infinity) : 0,
    bounds ? standings.countBetween(bounds.min, Infinity) : Infinity,
  ]);
  const last = Math.min(end, total) - offset;
  const count = Math.min(limit, last - above);
  if (count <= 0) return { total, entries: [], next: null };
  const { entries } = await standings.page({ offset: last - count }, count, { ranking });
  return { total, entries: entries.reverse(), next: null };
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
