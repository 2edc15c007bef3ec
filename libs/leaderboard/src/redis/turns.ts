import { LeaderboardError } from '../errors/errors';
import type { RedisClient } from './run';

/** So many calls wait for their turn at most. */
const maxWaiting = 1_000;

interface Turns {
  last: Promise<unknown>;
  waiting: number;
}

const turnsOf = new WeakMap<RedisClient, Turns>();

/**
 * Makes calls of long reads one after the other, whichever reads they are of: between two of them Redis does what others
 * ask, who never wait for more than one call.
 * @throws LeaderboardError `unavailable` where too many are waiting.
 */
export async function inTurn<T>(redis: RedisClient, call: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(redis) ?? { last: Promise.resolve(), waiting: 0 };
  turnsOf.set(redis, turns);
  if (turns.waiting >= maxWaiting) {
    throw new LeaderboardError('unavailable', 'Too many long reads wait for their turn: try again in a moment.');
  }
  turns.waiting += 1;
  const called = turns.last.then(() => {
    turns.waiting -= 1;
    return call();
  });
  turns.last = called.catch(() => undefined);
  return called;
}
