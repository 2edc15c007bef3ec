import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { LeaderboardError } from '../errors/errors';
import { joinClusterWrites, joinWrites } from './joined-writes';
import type { RedisClient } from './redis-client';

/** A script with keys of several slots met one that is served elsewhere, or on its way there. Nothing was done then. */
const split = /non local key/;

/** The server lets no script have keys of several slots. */
const unspanned = /same slot|shebang/;

/** How long a call waits for a slot that is on its way to another master. */
const patienceMs = 10_000;

/** The pause between two tries: ioredis tries for about a second itself. */
const retryAfterMs = 50;

/** While a slot moves, both masters refuse a call of several keys unless one has them all. Nothing was done then. */
const moving = /(^|: )(TRYAGAIN|ASK|MOVED) /;

/** No master serves the slot, or the way to it is lost. */
const down =
  /CLUSTERDOWN|MASTERDOWN|LOADING|Connection is closed|Too many Cluster redirections|slots cache|startup nodes/;

/**
 * Sends a command or script of one slot, given one of its keys. On a Cluster whose slot is on its way to another master
 * it is sent again for up to ten seconds, until the slot has arrived.
 * @throws LeaderboardError `unavailable` where no master of a Cluster serves the slot; all else as ioredis gives it.
 */
export function served<T>(redis: RedisClient, key: string, send: (key: string) => Promise<T>): Promise<T> {
  if (redis.isCluster) return servedByCluster(redis, key, send);
  joinWrites(redis as Redis);
  return send(key);
}

/** Why a script of several slots did not run: `moved`: the master has not all now; `refused`: it never does. */
export function splitOf(error: unknown): 'moved' | 'refused' | null {
  if (!(error instanceof Error)) return null;
  if (split.test(error.message)) return 'moved';
  return unspanned.test(error.message) ? 'refused' : null;
}

async function servedByCluster<T>(redis: RedisClient, key: string, send: (key: string) => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      joinClusterWrites(redis as Cluster);
      return await send(key);
    } catch (error) {
      // A client that was closed says "Connection is closed" too.
      if (redis.status === 'end' || !(error instanceof Error)) throw error;
      const isMoving = moving.test(error.message);
      if (!isMoving && !down.test(error.message)) throw error;
      if (!isMoving || performance.now() >= deadline) throw unavailable(key, isMoving, error);
    }
    await delay(retryAfterMs);
  }
}

function unavailable(key: string, isMoving: boolean, cause: Error): LeaderboardError {
  const tag = key.slice(0, key.indexOf('}') + 1);
  const why = isMoving ? `: it has been moving for ${patienceMs / 1_000} s` : '';
  const message = `No master of the Redis Cluster serves the slot of ${tag} now${why}. Try again in a moment.`;
  return new LeaderboardError('unavailable', message, { cause });
}
