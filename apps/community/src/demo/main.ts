import { dataDirFrom } from '@laurel/settings';
import { ConsoleLogger } from '@nestjs/common';
import { readEnvironment } from '../environment/environment';
import { runUntilStopped } from '../lifecycle/run-until-stopped';
import { startCommunity } from '../start-community';
import { DemoClient } from './demo-client';
import { demoSecret } from './demo-secret';
import { seed } from './seed';
import { Traffic } from './traffic';

/** The community with inhabitants: starts it, fills it through its own HTTP routes, and keeps them busy. */
runUntilStopped(async () => {
  const dataDir = dataDirFrom(process.env);
  const secret = process.env.AUTH_SECRET ?? (await demoSecret(dataDir, 'demo-secret'));
  const apiKey = process.env.LAUREL_API_KEY ?? (await demoSecret(dataDir, 'demo-api-key'));
  const environment = readEnvironment(
    // Its people all sign in from one address.
    { LAUREL_THROTTLE: 'off', ...process.env, AUTH_SECRET: secret, LAUREL_API_KEY: apiKey },
    { arePrivateServersMeant: true },
  );
  console.log('Starting Redis, PostgreSQL and the community …');
  const community = await startCommunity(environment, new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'] }));
  try {
    console.log('Inviting its people …');
    const people = await seed(new DemoClient(community.url), secret);
    const traffic = new Traffic(people);
    traffic.start();
    const url = shownUrl(community.url);
    console.log(`
  Laurel is running:  ${url}

  Operators:          ${url}/operators
  with the API key    ${apiKey}

  Ranks move as you watch. Ctrl-C stops everything.
`);
    return {
      stopWithinMs: community.stopWithinMs,
      stop: async () => {
        await traffic.stop();
        await community.stop();
      },
    };
  } catch (error) {
    await community.stop();
    throw error;
  }
});

/** The address as people type it. */
function shownUrl(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}
