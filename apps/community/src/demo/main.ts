import { ConsoleLogger } from '@nestjs/common';
import { dataDirFrom, readEnvironment } from '../environment/environment';
import { runUntilStopped } from '../run-until-stopped';
import { startCommunity } from '../start-community';
import { DemoClient } from './demo-client';
import { demoSecret } from './demo-secret';
import { seed } from './seed';
import { Traffic } from './traffic';

/** The community with inhabitants: starts it, fills it through its own HTTP routes, and keeps them busy. */
runUntilStopped(async () => {
  const secret = process.env.AUTH_SECRET ?? (await demoSecret(dataDirFrom(process.env)));
  // Its people all sign in from one address.
  const environment = readEnvironment({ LAUREL_THROTTLE: 'off', ...process.env, AUTH_SECRET: secret });
  console.log('Starting Redis, PostgreSQL and the community …');
  const community = await startCommunity(environment, new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'] }));
  try {
    console.log('Inviting its people …');
    const people = await seed(new DemoClient(community.url), secret);
    const traffic = new Traffic(people);
    traffic.start();
    console.log(
      `\n  Laurel is running:  ${shownUrl(community.url)}\n\n  Ranks move as you watch. Ctrl-C stops everything.\n`,
    );
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
