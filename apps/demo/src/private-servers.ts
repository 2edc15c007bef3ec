import { ServersError, startPostgres, startRedis } from '@laurel/servers';
import { dataDirFrom, redisVariableNames, textOf, type Variables } from '@laurel/settings';
import type { LoggerService } from '@nestjs/common';
import { join } from 'node:path';
import { readEnvironment, type Environment } from '../../community/src/environment/environment';
import type { Running } from '../../community/src/lifecycle/run-until-stopped';
import { StartError } from '../../community/src/lifecycle/start-error';

/**
 * Starts something with a private Redis and a private PostgreSQL, with files under `LAUREL_DATA_DIR`, where the
 * environment names none. They stop when it has stopped, or could not start.
 * @throws ActivityError `invalidOption` before any is started, as `readEnvironment` does; StartError if one cannot be.
 */
export async function withServers<T extends Running>(
  variables: Variables,
  logger: LoggerService,
  start: (environment: Environment) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirFrom(variables);
  const log = (line: string) => void logger.debug?.(line, 'Servers');
  const redis = { dataDir: join(dataDir, 'redis'), programsDir: join(dataDir, 'programs'), log };
  const postgres = { dataDir: join(dataDir, 'postgres'), log };
  const missing = [
    { names: redisVariableNames, name: 'REDIS_URL', usual: 'redis://127.0.0.1', run: () => startRedis(redis) },
    { names: [], name: 'DATABASE_URL', usual: 'postgres://127.0.0.1/laurel', run: () => startPostgres(postgres) },
  ].filter(({ names, name }) => [...names, name].every((one) => textOf(variables, one) === undefined));
  const environmentWith = (urls: readonly string[]) =>
    readEnvironment({ ...variables, ...Object.fromEntries(missing.map(({ name }, index) => [name, urls[index]])) });
  environmentWith(missing.map(({ usual }) => usual));
  const starts = await Promise.allSettled(missing.map(({ run }) => run()));
  const servers = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stopServers = () => Promise.all(servers.map((server) => server.stop()));
  try {
    const failed = starts.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason instanceof ServersError ? new StartError(failed.reason.message) : failed.reason;
    const running = await start(environmentWith(servers.map(({ url }) => url)));
    const stop = async () => {
      await running.stop();
      await stopServers();
    };
    return { ...running, stop };
  } catch (error) {
    await stopServers();
    throw error;
  }
}
