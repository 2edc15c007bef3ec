import { systemClock } from '@laurel/leaderboard';
import { dataDirFrom } from '@laurel/settings';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runUntilStopped } from '../../community/src/lifecycle/run-until-stopped';
import { createLog } from '../../community/src/logging/log';
import { startCommunity } from '../../community/src/start-community';
import { Chance } from './chance/chance';
import { contestsOf } from './contests';
import { kept } from './data-dir';
import { DemoClient } from './demo-client';
import { imaginePast } from './past/imagine-past';
import { liveThrough } from './past/live-through';
import { guide } from './people/people';
import { withServers } from './private-servers';
import { Traffic } from './traffic';

/** A year, so that the calendar is full, and some weeks more: the past is read like any other. */
const days = 365;
const retention = 'day=430,week=430,month=800,ledger=430';

/** The past is the same in every clone, but for the days on which it ends. */
const seed = 1843;

const log = createLog('text');

/** The community with inhabitants and a year behind it: starts it, and keeps its people busy over its HTTP routes. */
runUntilStopped(async () => {
  const { logger } = log;
  const dataDir = dataDirFrom(process.env);
  const ownSecret = (name: string) => kept(dataDir, name, randomBytes(32).toString('base64url'));
  const secret = process.env.AUTH_SECRET ?? (await ownSecret('demo-secret'));
  const apiKey = process.env.LAUREL_API_KEY ?? (await ownSecret('demo-api-key'));
  /** The same at each start, another in each demo. */
  const passwordOf = (name: string) => createHmac('sha256', secret).update(name).digest('base64url');
  console.log('Starting Redis, PostgreSQL and the community …');
  const own = { AUTH_SECRET: secret, LAUREL_API_KEY: apiKey };
  // Its people all sign in from one address.
  const variables = { LAUREL_THROTTLE: 'off', LAUREL_RETENTION: retention, ...process.env, ...own };
  return withServers(variables, logger, async (environment) => {
    const now = new Date(systemClock.now()).toISOString();
    const begun = await kept(dataDir, 'demo-begun', now);
    const begunAt = new Date(begun);
    const { leaderboards = [], timezone = 'UTC' } = environment.activity;
    const activity = { ...environment.activity, leaderboards: [...leaderboards, ...contestsOf(begunAt, timezone)] };
    const built = { ...environment, activity };
    const isNew = !existsSync(join(dataDir, 'demo-past'));
    if (isNew) {
      const past = imaginePast({ seed, endMs: begunAt.getTime(), days, timezone });
      const onDay = (done: number) => {
        if (done % 36 === 1) console.log(`Living through a year: day ${done} of ${days}`);
      };
      // A start that was interrupted goes on with the same past.
      await liveThrough(past, { community: built, passwordOf, isResumed: begun !== now, onDay, logger });
      await kept(dataDir, 'demo-past', begun);
    }
    // What runs this program from its sources builds the pages meanwhile.
    await (globalThis as { readonly pagesBuilt?: Promise<unknown> }).pagesBuilt;
    const community = await startCommunity(built, logger);
    const client = new DemoClient(community.url);
    const hours = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' });
    const hour = () => Number(hours.format(systemClock.now()));
    const traffic = new Traffic(client, passwordOf, hour, new Chance(systemClock.now()));
    traffic.start();
    // `npm run dev` serves the pages itself. The address is shown as people type it.
    const url = process.argv[2] ?? community.url.replace('//127.0.0.1:', '//localhost:');
    console.log(`
  Laurel is running:  ${url}

  Sign in as          ${guide}
  with the password   ${passwordOf(guide)}

  Operators:          ${url}/operators
  with the API key    ${apiKey}

  Ranks move as you watch. Ctrl-C stops everything.
`);
    if (isNew) void untilSettled(client.as(() => Promise.resolve(apiKey))).catch(() => undefined);
    const stop = async () => {
      await traffic.stop();
      await community.stop();
    };
    return { ...community, stop };
  });
}, log);

/** Says so once the running community has settled every period of the past that is over. */
async function untilSettled(operator: DemoClient): Promise<void> {
  while (/"isDue":true/.test(JSON.stringify(await operator.expect('GET', '/activity/settlement')))) await delay(1_000);
  console.log('Every period of the year is settled, and has its titles.');
}
