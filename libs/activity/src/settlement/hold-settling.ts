import type { RedisClient } from '@laurel/leaderboard';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError } from '../core/errors/errors';
import { Lease } from '../core/redis/lease';

/** How others are kept from settling. */
export interface HoldOptions {
  /** How long to wait for an instance that settles. Default 600,000. */
  readonly patienceMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** How long others stay out when Redis no longer answers. Default five minutes: recording gives up long before. */
  readonly holdMs?: number;
  /** How often it is made sure that they are kept out. Default 5,000. */
  readonly renewEveryMs?: number;
}

/** How often Redis is asked whether the lease is free. */
const askMs = 250;

/**
 * Does some work while it holds the lease of the instance that settles.
 * @param work is given a signal that is aborted where the lease was lost.
 * @throws ActivityError `unavailable`
 */
export async function holdSettling<T>(
  redis: RedisClient,
  key: string,
  work: (lost: AbortSignal) => Promise<T>,
  { patienceMs = 600_000, signal, holdMs = 300_000, renewEveryMs = 5_000 }: HoldOptions = {},
): Promise<T> {
  const untilMs = performance.now() + patienceMs;
  // A token is drawn only where the lease seems to be free.
  const take = async () => ((await redis.exists(key)) === 0 ? Lease.take(redis, key, holdMs, renewEveryMs) : null);
  let lease = await take();
  for (; !lease; lease = await take()) {
    if (performance.now() >= untilMs) {
      throw new ActivityError('unavailable', 'Another instance is still settling: try again later.');
    }
    await delay(askMs, undefined, signal && { signal }).catch((cause: unknown) => {
      throw new ActivityError('unavailable', 'Waiting for an instance that settles was interrupted.', { cause });
    });
  }
  let isDone = false;
  try {
    const done = await work(lease.lost);
    isDone = true;
    await lease.confirm();
    return done;
  } catch (cause) {
    if (!isDone && !lease.lost.aborted) throw cause;
    throw new ActivityError(
      'unavailable',
      'The lock was lost because Redis did not answer, and other instances may have begun to settle. Run it again: ' +
        'settled periods are kept.',
      { cause },
    );
  } finally {
    await lease.release();
  }
}
