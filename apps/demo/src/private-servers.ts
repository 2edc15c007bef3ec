import { ServersError, startPostgres, startRedis } from '@laurel/servers';
import { dataDirFrom, redisVariableNames, textOf, type Variables } from '@laurel/settings';
import { join } from 'node:path';
import { readEnvironment, type Environment } from '../../community/src/environment/environment';
import { StartError } from '../../community/src/lifecycle/start-error';

/** The environment with servers in it, and how to stop those that were started. */
export interface WithServers {
  readonly environment: Environment;
  /** Stops what was started here; servers that the environment names are left alone. */
  stop(): Promise<void>;
}

interface Stoppable {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a private Redis and a private PostgreSQL, with files under `LAUREL_DATA_DIR`, where none is named.
 * @throws ActivityError `invalidOption` before any is started, as `readEnvironment` does; StartError if a server cannot
 *   be started, and those that had started are stopped.
 */
export async function startMissingServers(variables: Variables, log: (line: string) => void): Promise<WithServers> {
  const dataDir = dataDirFrom(variables);
  const started: Stoppable[] = [];
  const stop = async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  };
  const start = async (name: string, starting: () => Promise<Stoppable>): Promise<Record<string, string>> => {
    const server = await starting();
    started.push(server);
    return { [name]: server.url };
  };
  const isNamed = (...names: readonly string[]) => names.some((name) => textOf(variables, name) !== undefined);
  const [hasRedis, hasPostgres] = [isNamed(...redisVariableNames), isNamed('DATABASE_URL')];
  readEnvironment({
    ...variables,
    ...(!hasRedis && { REDIS_URL: 'redis://127.0.0.1' }),
    ...(!hasPostgres && { DATABASE_URL: 'postgres://127.0.0.1/laurel' }),
  });
  const starts = [
    ...(hasRedis
      ? []
      : [
          start('REDIS_URL', () =>
            startRedis({ dataDir: join(dataDir, 'redis'), programsDir: join(dataDir, 'programs'), log }),
          ),
        ]),
    ...(hasPostgres ? [] : [start('DATABASE_URL', () => startPostgres({ dataDir: join(dataDir, 'postgres'), log }))]),
  ];
  const servers = await Promise.allSettled(starts);
  const failed = servers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (failed) {
    await stop();
    throw failed.reason instanceof ServersError ? new StartError(failed.reason.message) : failed.reason;
  }
  const urls = servers.map((server) => (server as PromiseFulfilledResult<Record<string, string>>).value);
  return { environment: readEnvironment(Object.assign({ ...variables }, ...urls) as Variables), stop };
}
