// Private: Jest runs this before its map of names is in force.
import { startRedis } from '../../libs/servers/src';
import { redisDatabases, redisUrlVariable, sharedServers } from './shared-servers';

/** One real Redis for the complete run. Jest calls this once for each project: the first call starts the server. */
export default async function globalSetup(): Promise<void> {
  sharedServers.redis ??= startRedis({
    args: ['--databases', String(redisDatabases)],
    log: (line) => process.env.LAUREL_TEST_LOG && console.log(line),
  });
  process.env[redisUrlVariable] = (await sharedServers.redis).url;
}
