import { systemClock } from '@laurel/leaderboard';
import { dataDirFrom } from '@laurel/settings';
import { runUntilStopped } from '../../community/src/lifecycle/run-until-stopped';
import { createLog } from '../../community/src/logging/log';
import { startCommunity } from '../../community/src/start-community';
import { arrive, passwordFor } from './arrive';
import { begin } from './begun';
import { Chance } from './chance/chance';
import { contestsOf } from './contests';
import { DemoClient } from './demo-client';
import { giveItAPast } from './demo-past';
import { demoSecret } from './demo-secret';
import { guide } from './people/people';
import { startMissingServers } from './private-servers';
import { Traffic } from './traffic';

/** A year and some weeks: the past is read like any other. */
const retention = 'day=430,week=430,month=800,ledger=430';

const log = createLog('text');

/** The community with inhabitants and a year behind it: starts it, and keeps its people busy over its HTTP routes. */
runUntilStopped(async () => {
  const dataDir = dataDirFrom(process.env);
  const secret = process.env.AUTH_SECRET ?? (await demoSecret(dataDir, 'demo-secret'));
  const apiKey = process.env.LAUREL_API_KEY ?? (await demoSecret(dataDir, 'demo-api-key'));
  const { logger } = log;
  console.log('Starting Redis, PostgreSQL and the community …');
  const variables = {
    // Its people all sign in from one address.
    LAUREL_THROTTLE: 'off',
    LAUREL_RETENTION: retention,
    ...process.env,
    AUTH_SECRET: secret,
    LAUREL_API_KEY: apiKey,
  };
  const { environment, ...servers } = await startMissingServers(
    variables,
    (line) => void logger.debug(line, 'Servers'),
  );
  try {
    const begun = await begin(dataDir, new Date(systemClock.now()));
    const { leaderboards = [], timezone = 'UTC' } = environment.activity;
    const activity = {
      ...environment.activity,
      leaderboards: [...leaderboards, ...contestsOf(begun.at, timezone)],
    };
    const built = { ...environment, activity };
    const passwordOf = (name: string) => passwordFor(secret, name);
    await giveItAPast({ community: built, begun, dataDir, passwordOf, logger });
    const community = await startCommunity(built, logger);
    const client = new DemoClient(community.url);
    const traffic = new Traffic(
      (person) => arrive(client, person, secret),
      () => hourIn(timezone),
      new Chance(systemClock.now()),
    );
    traffic.start();
    // `npm run dev` serves the pages itself.
    const url = process.argv[2] ?? shownUrl(community.url);
    console.log(`
  Laurel is running:  ${url}

  Sign in as          ${guide}
  with the password   ${passwordOf(guide)}

  Operators:          ${url}/operators
  with the API key    ${apiKey}

  Ranks move as you watch. Ctrl-C stops everything.
`);
    return {
      stopWithinMs: community.stopWithinMs,
      stop: async () => {
        await traffic.stop();
        await community.stop();
        await servers.stop();
      },
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}, log);

/** What hour it is in a zone, 0 to 23. */
function hourIn(timeZone: string): number {
  return Number(
    new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(systemClock.now()),
  );
}

/** The address as people type it. */
function shownUrl(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}
