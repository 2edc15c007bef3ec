import type { RedisClient } from '@laurel/leaderboard';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError } from '../core/errors/errors';
import { Lease } from '../core/redis/lease';

/** How others are kept from settling. */
export interface HoldOptions {
  /** How long to wait for who is at it. Default 600,000. */
  readonly patienceMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** How the leases are held. */
interface HoldTimes {
  /**
   * How long the others stay out when Redis no longer answers. Default five minutes: recording gives up long before.
   */
  readonly holdMs?: number;
  /** How often it is made sure that they are kept out. Default 5,000. */
  readonly renewEveryMs?: number;
}

/** How often it is asked whether who is at it has ended: the first and the longest wait. */
const askMs = [100, 1_000] as const;

/**
 * Does some work while it holds leases, those of all who settle.
 * @param work is given a signal that is aborted where a lease was lost.
 * @throws ActivityError `unavailable`
 */
export async function holdSettling<T>(
  redis: RedisClient,
  keys: readonly string[],
  work: (lost: AbortSignal) => Promise<T>,
  { patienceMs = 600_000, signal, ...times }: HoldOptions & HoldTimes = {},
): Promise<T> {
  const leases: Lease[] = [];
  const untilMs = performance.now() + patienceMs;
  try {
    for (const key of keys) leases.push(await waitFor(redis, key, { ...times, untilMs, signal }));
    const lost = AbortSignal.any(leases.map((lease) => lease.lost));
    const done = await work(lost).catch((cause: unknown) => {
      throw lost.aborted ? lostError(cause) : cause;
    });
    await Promise.all(leases.map((lease) => lease.confirm())).catch((cause: unknown) => {
      throw lostError(cause);
    });
    return done;
  } finally {
    await Promise.all(leases.map((lease) => lease.release()));
  }
}

/** Takes a lease as soon as nobody has it. */
async function waitFor(
  redis: RedisClient,
  key: string,
  {
    holdMs = 300_000,
    renewEveryMs = 5_000,
    untilMs,
    signal,
  }: HoldTimes & { readonly untilMs: number; readonly signal: AbortSignal | undefined },
): Promise<Lease> {
  let [pauseMs] = askMs as readonly [number, number];
  for (;;) {
    // A token is drawn only where there seems to be something to take.
    const isFree = (await redis.exists(key)) === 0;
    const lease = isFree ? await Lease.take(redis, key, holdMs, renewEveryMs) : null;
    if (lease) return lease;
    if (performance.now() >= untilMs) {
      throw new ActivityError('unavailable', 'Another instance is still settling: try again later.');
    }
    await delay(pauseMs, undefined, signal && { signal }).catch((cause: unknown) => {
      throw new ActivityError('unavailable', 'Waiting for an instance that settles was interrupted.', { cause });
    });
    pauseMs = Math.min(askMs[1], pauseMs * 2);
  }
}

function lostError(cause: unknown): ActivityError {
  return new ActivityError(
    'unavailable',
    'The lock was lost because Redis did not answer, and other instances may have begun to settle. Run it again: ' +
      'settled periods are kept.',
    { cause },
  );
}
