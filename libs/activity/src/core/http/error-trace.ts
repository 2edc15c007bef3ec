import { faultCode } from '../redis/redis-faults';
import { sqlStateOf } from '../redis/sql-state';

/**
 * An unexpected error as logs show it: its message and stack. For an error of a database or a query builder, its
 * code and SQL instead of the message, which holds values that users typed.
 */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return `A value that is not an Error was thrown: ${typeof error}`;
  const isQuery = 'query' in error && typeof error.query === 'string';
  if (!isQuery && sqlStateOf(error) === null) return error.stack ?? error.message;
  const sql = isQuery ? ` in: ${String(error.query)}` : '';
  return `A database's error, ${faultCode(error)}${sql}${framesOf(error)}`;
}

/** Where an error came from, without its words, in whatever lines these are. */
function framesOf({ stack = '', message }: Error): string {
  const startsAt = stack.indexOf(message);
  return startsAt < 0 ? '' : stack.slice(startsAt + message.length);
}
