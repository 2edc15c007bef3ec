import { LeaderboardError } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import type { RedisConnection } from './redis-connection';
import { faultCode, isOutside } from './redis-faults';
import { sqlStateOf } from './sql-state';

const logger = new Logger('RunInRedis');

/**
 * Runs work of many round trips, as long as it takes; it must be safe to repeat. What fails on the way is logged, as a
 * code.
 * @throws ActivityError `unavailable`: at once while Redis is away, and where Redis, an archive or the app's own
 * database fails on the way.
 */
export async function runInRedis<T>(connection: RedisConnection, work: () => Promise<T>): Promise<T> {
  connection.assertNotRefused();
  if (!connection.isReady) throw new ActivityError('unavailable', 'Redis is away: try again in a moment.');
  try {
    return await work();
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    connection.refusals.note(error, { isWrite: false });
    const isDatabases = sqlStateOf(error) !== null;
    logger.warn(`Work was cut short${isDatabases ? ' by the database' : ''}: ${faultCode(error)}.`);
    const what = isDatabases ? 'The database could not finish it now' : 'It could not be finished now';
    // The engine says what to do.
    const message = error instanceof LeaderboardError ? error.message : `${what}; repeating it is safe.`;
    throw new ActivityError('unavailable', message, { cause: error });
  }
}

/** Whether work failed by Redis, by an archive, or by a database of the app's, of which nothing is known. */
export function isStoreFault(error: unknown): error is Error {
  return error instanceof LeaderboardError ? error.code === 'unavailable' : isOutside(error);
}
