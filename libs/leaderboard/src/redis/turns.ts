import { unavailable } from '../errors/errors';
import type { RedisClient } from './redis-client';

/** The most calls that wait for their turn. */
const maxWaiting = 1_000;

interface Turns {
  last: Promise<unknown>;
  waiting: number;
}

const turnsOf = new WeakMap<RedisClient, Turns>();

/**
 * Runs the calls of all long reads one after the other. Between two of them Redis serves other clients, so nobody waits
 * for more than one call.
 * @throws LeaderboardError `unavailable` if too many calls are waiting.
 */
export async function inTurn<T>(redis: RedisClient, call: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(redis) ?? { last: Promise.resolve(), waiting: 0 };
  turnsOf.set(redis, turns);
  if (turns.waiting >= maxWaiting) {
    throw unavailable('Too many long reads wait for their turn: try again in a moment.');
  }
  turns.waiting += 1;
  const called = turns.last.then(() => {
    turns.waiting -= 1;
    return call();
  });
  turns.last = called.catch(() => undefined);
  return called;
}
