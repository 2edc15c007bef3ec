import { LeaderboardError, Period } from '@laurel/leaderboard';
import { faultsError, invalidQuery } from '../errors/errors';
import { pointsWithin, unitsOf } from '../points/decimals';
import { readingOf, type Schema } from '../schema/schema';
import { identifierFault, maxUserIdBytes } from './activity';

/** A text of at most so many bytes of UTF-8. */
export function identifier(maxBytes: number): Schema<string> {
  return (given, place) => {
    const message = identifierFault(given, maxBytes);
    return message === null ? (given as string) : place.fault(message);
  };
}

/** @throws ActivityError `invalidQuery` */
export function checkUserId(userId: string, path = 'userId'): void {
  const fault = identifierFault(userId, maxUserIdBytes);
  if (fault !== null) throw invalidQuery(path, fault);
}

/** @throws ActivityError `invalidQuery` */
export function checkWhole(path: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalidQuery(path, `must be a whole number from ${min} to ${max}`);
}

/** A day by its key. @throws ActivityError `invalidQuery` */
export function dayIn(path: string, key: string, timezone: string): Period {
  try {
    return Period.parse('day', key, timezone);
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    throw invalidQuery(path, 'must be a day such as 2026-11-20');
  }
}

/** Scores in whole units, both included; of an end that is open, the last safe number. */
export interface ScoreBounds {
  readonly min: number;
  readonly max: number;
}

/** The bounds of a query, in units. @throws ActivityError `invalidQuery` */
export function scoreBounds(
  { minScore, maxScore }: { readonly minScore?: number; readonly maxScore?: number },
  decimals: number,
): ScoreBounds {
  const [least, most] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const bound = (path: string, points: number | undefined, otherwise: number) => {
    if (points === undefined) return otherwise;
    const reading = readingOf(pointsWithin(decimals, { min: least, max: most }), points, path, 'body');
    if ('faults' in reading) throw faultsError('invalidQuery', reading.faults);
    return unitsOf(points, decimals);
  };
  const { min, max } = { min: bound('minScore', minScore, least), max: bound('maxScore', maxScore, most) };
  if (min <= max) return { min, max };
  throw invalidQuery('minScore', 'must not be greater than maxScore');
}
