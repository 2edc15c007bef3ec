import { type PostgresServer, startPostgres, startRedis } from '@laurel/servers';
import { freePort } from './community';
import { startProgram, stopProgram } from './program';

/** Private servers lose what they have in a crash, to be fast; a server that has data to lose does not. */
const safe = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB'];

/** A PostgreSQL server with the tables of the community, which made them at a start of its own and has ended. */
export async function startArchiveDatabase(): Promise<PostgresServer> {
  const database = await startPostgres({ args: safe.flatMap((setting) => ['-c', setting]) });
  const redis = await startRedis();
  try {
    const port = await freePort();
    const env = {
      ...{ PORT: String(port), REDIS_URL: redis.url, DATABASE_URL: database.url, NODE_ENV: 'production' },
      ...{ AUTH_SECRET: 'bench-bench-bench-bench', LAUREL_API_KEY: 'bench-bench-bench' },
    };
    await stopProgram(await startProgram('community/src/main', env, `http://127.0.0.1:${port}/health/ready`));
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    await redis.stop();
  }
}
