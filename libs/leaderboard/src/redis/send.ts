import type { ChainableCommander, Redis } from 'ioredis';
import { joinWrites } from './joined-writes';
import type { RedisClient } from './redis-client';
import { served } from './served';

/** A command's name, in small letters (ioredis parses the reply by it), and arguments: the key first. */
export type Command = readonly [name: string, ...args: (string | number)[]];

/** Up to this many commands are sent one by one, without waiting: a pipeline would cost Node more than it saves. */
const fewCommands = 4;

/**
 * Sends commands together: one round trip of one Redis, as many at once as there are nodes on a Cluster, where a
 * pipeline may not span slots. Replies come in the order of the commands.
 * @throws LeaderboardError `unavailable` if no master of a Cluster serves a slot.
 */
export async function sendTogether(redis: RedisClient, commands: readonly Command[]): Promise<unknown[]> {
  const [first] = commands;
  if (first && commands.length === 1) return [await sendOne(redis, first)];
  if (redis.isCluster || commands.length <= fewCommands) {
    return Promise.all(commands.map((command) => sendOne(redis, command)));
  }
  joinWrites(redis as Redis);
  const pipeline: ChainableCommander = redis.pipeline();
  for (const [name, ...args] of commands) pipeline.call(name, ...args);
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

function sendOne(redis: RedisClient, [name, ...args]: Command): Promise<unknown> {
  return served(redis, String(args[0]), () => redis.call(name, ...args));
}
