import { createHash } from 'node:crypto';
import type { RedisServer } from '@laurel/servers';

/** Tells the suites, which run in other processes, where the run's Redis is. */
export const redisUrlVariable = 'LAUREL_TEST_REDIS_URL';

/** More of them would cost Redis time: it looks for expired keys in a few databases at a time. */
export const redisDatabases = 512;

/** The database of a suite on the run's Redis, by the path of its file. */
export function databaseOf(suite: string): number {
  return createHash('sha1').update(suite).digest().readUInt16BE() % redisDatabases;
}

interface SharedServers {
  redis: Promise<RedisServer> | undefined;
}

// Jest loads this file anew for each project's setup and teardown: what they share hangs on the process' own object.
const holder = globalThis as { laurelTestServers?: SharedServers };

/** The servers of this Jest run, started in setup and stopped in teardown. */
export const sharedServers: SharedServers = (holder.laurelTestServers ??= { redis: undefined });
