import type { LoggerService } from '@nestjs/common';
import type { Variables } from '@laurel/settings';
import { type Environment, readEnvironment } from '../../community/src/environment/environment';
import { type RunningCommunity, startCommunity } from '../../community/src/start-community';
import { withServers } from './private-servers';

/**
 * Starts the community without demo data, and private servers where its environment names none. Where `NODE_ENV` is
 * `production` none is started.
 * @throws ActivityError `invalidOption`; StartError
 */
export async function startAlone(variables: Variables, logger: LoggerService): Promise<RunningCommunity> {
  const start = (environment: Environment) => startCommunity(environment, logger);
  return variables['NODE_ENV'] === 'production'
    ? start(readEnvironment(variables))
    : withServers(variables, logger, start);
}
