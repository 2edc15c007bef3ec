import { LeaderboardError, Period } from '@laurel/leaderboard';
import { invalidQuery } from '../errors/errors';
import { identifierFault, maxUserIdBytes } from './activity';

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
