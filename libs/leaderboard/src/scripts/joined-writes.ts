import type { Redis } from 'ioredis';
import type { Writable } from 'node:stream';

/** Connections with a command in this turn of the event loop, and whether later ones of the turn are held back. */
const turns = new WeakMap<Writable, { isCorked: boolean }>();

/**
 * Lets commands that are sent in one turn of the event loop go out in two writes: the first at once, all others together
 * when the turn is over. ioredis alone writes each for itself, which costs both processes more than most of our reads. To be
 * called before each command; their order stays.
 */
export function joinWrites(redis: Redis): void {
  // Not there before the first connection.
  const stream: Writable | undefined = redis.stream;
  if (!stream) return;
  const turn = turns.get(stream);
  if (turn) {
    if (!turn.isCorked) stream.cork();
    turn.isCorked = true;
    return;
  }
  const begun = { isCorked: false };
  turns.set(stream, begun);
  process.nextTick(() => {
    turns.delete(stream);
    if (begun.isCorked) stream.uncork();
  });
}
