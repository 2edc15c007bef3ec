import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaderboardError } from '../errors';
import type { RedisClient } from '../scripts/run';

/** However long a call took, so long at most is waited after it. */
const longestRestMs = 20;

/** So many calls wait for their turn at most. */
const maxWaiting = 1_000;

interface Turns {
  last: Promise<unknown>;
  waiting: number;
}

const turnsOf = new WeakMap<RedisClient, Turns>();

/**
 * Makes calls of long reads one after the other, whichever reads they are of, with a rest after each as long as the call
 * took: Redis is busy with them half of its time at most, and never for longer than one call.
 * @throws LeaderboardError `unavailable` where too many are waiting.
 */
export async function inTurn<T>(redis: RedisClient, call: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(redis) ?? { last: Promise.resolve(), waiting: 0 };
  turnsOf.set(redis, turns);
  if (turns.waiting >= maxWaiting) {
    throw new LeaderboardError('unavailable', 'Too many long reads wait for their turn: try again in a moment.');
  }
  turns.waiting += 1;
  let tookMs = 0;
  const called = turns.last.then(async () => {
    turns.waiting -= 1;
    const begunAtMs = performance.now();
    try {
      return await call();
    } finally {
      tookMs = performance.now() - begunAtMs;
    }
  });
  const rest = () => delay(Math.min(tookMs, longestRestMs), undefined, { ref: false });
  turns.last = called.then(rest, rest);
  return called;
}
