import { startRedis } from '../../libs/servers/src';
import { redisUrlVariable, sharedServers } from './shared-servers';

/** One real Redis for the whole run. Jest calls this once for each project that asks for it: the first call starts it. */
export default async function globalSetup(): Promise<void> {
  sharedServers.redis ??= startRedis({ log: (line) => process.env.LAUREL_TEST_LOG && console.log(line) });
  process.env[redisUrlVariable] = (await sharedServers.redis).url;
}
