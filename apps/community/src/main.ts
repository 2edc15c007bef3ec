import { ConsoleLogger } from '@nestjs/common';
import { readEnvironment } from './environment/environment';
import { runUntilStopped } from './lifecycle/run-until-stopped';
import { startCommunity } from './start-community';

runUntilStopped(async () => {
  const logger = new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'] });
  const community = await startCommunity(readEnvironment(process.env), logger);
  console.log(`Listening on ${community.url}`);
  return community;
});
