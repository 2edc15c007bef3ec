import { faultCode } from '../redis/redis-faults';
import { sqlStateOf } from '../redis/sql-state';

/**
 * What logs tell of an error that nobody expected: its words and where it came from. Of a database's, or of a query
 * builder's for it: its code and SQL instead of its words, as these hold the values of the query, which users typed.
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
