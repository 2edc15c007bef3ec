import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '../scripts/run';

/** However long a call took, so long at most is waited after it. */
const longestRestMs = 20;

/** The last of the calls in turn, by client. */
const turns = new WeakMap<RedisClient, Promise<unknown>>();

/**
 * Makes calls of long reads one after the other, whichever reads they are of, with a rest after each as long as the call
 * took: Redis is busy with them half of its time at most, and never for longer than one call.
 */
export function inTurn<T>(redis: RedisClient, call: () => Promise<T>): Promise<T> {
  const before = turns.get(redis) ?? Promise.resolve();
  let tookMs = 0;
  const called = before.then(async () => {
    const begunAtMs = performance.now();
    try {
      return await call();
    } finally {
      tookMs = performance.now() - begunAtMs;
    }
  });
  const rest = () => delay(Math.min(tookMs, longestRestMs), undefined, { ref: false });
  turns.set(redis, called.then(rest, rest));
  return called;
}
