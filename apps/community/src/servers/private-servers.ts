import type { RedisOptions } from '@laurel/activity';
import { startPostgres, startRedis } from '@laurel/servers';
import { join } from 'node:path';
import type { Environment } from '../environment/environment';

/** The app's servers, and how to stop those that were started for it. */
export interface DataServers {
  readonly redis: RedisOptions;
  readonly databaseUrl: string;
  /** Stops what was started here; servers that the environment names are left alone. */
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Finds the servers that the environment names, and starts private ones, with files under `dataDir`, for those it does
 * not.
 * @throws ServersError if a server cannot be started; those that had started are stopped.
 */
export async function startMissingServers(
  { activity, databaseUrl, dataDir }: Pick<Environment, 'activity' | 'databaseUrl' | 'dataDir'>,
  log: (line: string) => void,
): Promise<DataServers> {
  const started: Stoppable[] = [];
  const stop = async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  };
  const keep = async <Server extends Stoppable>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const [redis, database] = await Promise.allSettled([
    activity.redis ??
      keep(startRedis({ dataDir: join(dataDir, 'redis'), programsDir: join(dataDir, 'programs'), log })).then(
        ({ url }) => ({ url }),
      ),
    databaseUrl ?? keep(startPostgres({ dataDir: join(dataDir, 'postgres'), log })).then(({ url }) => url),
  ]);
  if (redis.status === 'fulfilled' && database.status === 'fulfilled') {
    return { redis: redis.value, databaseUrl: database.value, stop };
  }
  await stop();
  throw redis.status === 'rejected' ? redis.reason : (database as PromiseRejectedResult).reason;
}
