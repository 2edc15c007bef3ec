import type { LoggerService } from '@nestjs/common';
import type { Variables } from '@laurel/settings';
import { readEnvironment } from '../../community/src/environment/environment';
import { type RunningCommunity, startCommunity } from '../../community/src/start-community';
import { startMissingServers } from './private-servers';

/**
 * Starts the community without demo data, and private servers where its environment names none. Where `NODE_ENV` is
 * `production` none is started.
 * @throws ActivityError `invalidOption`; StartError
 */
export async function startAlone(variables: Variables, logger: LoggerService): Promise<RunningCommunity> {
  if (variables['NODE_ENV'] === 'production') return startCommunity(readEnvironment(variables), logger);
  const { environment, ...servers } = await startMissingServers(variables, (line) => {
    logger.debug?.(line, 'Servers');
  });
  try {
    const community = await startCommunity(environment, logger);
    const stop = async () => {
      await community.stop();
      await servers.stop();
    };
    return { ...community, stop };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
