import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RedisServer } from '@laurel/servers';

/** Tells the suites, which run in other processes, where the run's Redis is. */
export const redisUrlVariable = 'LAUREL_TEST_REDIS_URL';

const tests = join(__dirname, '..');
const suites = readdirSync(tests, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.spec.ts'))
  .sort();

/** One for each suite. */
export const redisDatabases = suites.length;

/** The database of a suite on the run's Redis, by the path of its file: no other suite has it. */
export function databaseOf(suite: string): number {
  const database = suites.indexOf(relative(tests, suite));
  if (database === -1) throw new Error(`${suite} is no suite below test/: only these have a database of their own.`);
  return database;
}

interface SharedServers {
  redis: Promise<RedisServer> | undefined;
}

// Jest loads this file anew for each project's setup and teardown: what they share hangs on the process' own object.
const holder = globalThis as { laurelTestServers?: SharedServers };

/** The servers of this Jest run, started in setup and stopped in teardown. */
export const sharedServers: SharedServers = (holder.laurelTestServers ??= { redis: undefined });
