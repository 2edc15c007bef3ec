import { LeaderboardError } from '@laurel/leaderboard';
import { ActivityError } from '../errors';
import { causesOf } from './sql-state';

/** Replies of a Redis that will answer soon: it loads, fails over or is busy. */
const passing = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS)\b/;

/** Whether a call of Redis failed by Redis or the way to it, not by a fault of ours or of the caller's. */
export function isRedisFault(error: unknown): error is Error {
  if (error instanceof LeaderboardError) return error.code === 'unavailable';
  if (error instanceof ActivityError || !(error instanceof Error)) return false;
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}

/** Whether the same call may well succeed in a moment: the connection was lost, or Redis said so. */
export function isPassing(error: unknown): boolean {
  return isRedisFault(error) && (error.name !== 'ReplyError' || passing.test(error.message));
}

/**
 * What a fault of Redis, or of a database, is called in logs: its code or that of its cause, never a message that could
 * hold what a user typed.
 */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  for (const cause of causesOf(error)) if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return error.name === 'ReplyError' ? (error.message.split(' ', 1)[0] ?? 'ERR') : error.name;
}
