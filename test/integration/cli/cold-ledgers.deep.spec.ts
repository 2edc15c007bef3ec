import { ActivityService, ColdLedgersModule } from '@laurel/activity';
import { ColdMover } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { activityEnvironment } from '@laurel/settings';
import { ManualClock } from '../../support/clock';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { stopTinyApps, TinyApp } from '../activity/support/tiny-app';

afterEach(stopTinyApps);

describe('commands on the data of an app with old ledgers elsewhere than in Redis', () => {
  const own = ownRedis();
  let prefix: string;
  beforeEach(() => (prefix = freshPrefix()));

  /** An app that granted something a hundred days ago, and moved it to the store. */
  const start = async () => {
    const clock = new ManualClock(systemClock.now() - 2 * 3_600_000);
    const { redis: _, ...environment } = activityEnvironment({});
    const cold = ColdLedgersModule.forRoot({ moves: false });
    const options = { ...environment, redis: { url: own.servers.url }, clock, prefix, settlement: false } as const;
    const { nest } = await TinyApp.start({ options, imports: [cold] });
    const occurredAt = new Date(clock.now() - 100 * 86_400_000);
    await nest.get(ActivityService).record({ userId: 'ann', action: 'praise', subject: 'article:7', occurredAt });
    clock.set(systemClock.now());
    await nest.get(ColdMover).move();
  };
  const run = (...args: readonly string[]) =>
    runCli(args, { env: { REDIS_URL: own.servers.url, LAUREL_PREFIX: prefix } });

  it('do not reach them, and say so: what verify cannot prove, and why nothing is erased or imported', async () => {
    await start();
    const verified = await run('verify');
    expect([verified.exitCode, `${verified.out}${verified.err}`]).toEqual([0, expect.stringContaining('all')]);
    const erased = await run('erase', '--user', 'ann');
    expect([erased.exitCode, erased.err]).toEqual([1, expect.stringContaining('The app keeps old ledgers elsewhere')]);
    const imported = await run('import', '-');
    expect([imported.exitCode, imported.err]).toEqual([1, expect.stringContaining('which no command reaches')]);
  });
});
