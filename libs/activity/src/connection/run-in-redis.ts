import { ActivityError } from '../errors';
import type { RedisConnection } from './redis-connection';
import { isRedisFault } from './redis-faults';

/**
 * Runs work of many round trips, as long as it takes; it must be safe to repeat.
 * @throws ActivityError `unavailable`: at once while Redis is away, and where Redis, or an archive, fails on the way.
 */
export async function runInRedis<T>(connection: RedisConnection, work: () => Promise<T>): Promise<T> {
  connection.assertNotRefused();
  if (!connection.isReady) throw new ActivityError('unavailable', 'Redis is away: try again in a moment.');
  try {
    return await work();
  } catch (error) {
    if (!isRedisFault(error)) throw error;
    throw new ActivityError('unavailable', 'It could not be finished now; repeating it is safe.', { cause: error });
  }
}
