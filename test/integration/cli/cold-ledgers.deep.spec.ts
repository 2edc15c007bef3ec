import { ActivityService, ColdLedgersModule } from '@laurel/activity';
import { ColdMover } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { activityEnvironment } from '@laurel/settings';
import { RedisColdLedgers } from '../../support/cold';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
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
  const start = async (name: string | null) => {
    const clock = new ManualClock(systemClock.now() - 2 * 3_600_000);
    const { redis: _, ...environment } = activityEnvironment({});
    const of = (ledger: string) => new RedisColdLedgers(own.client, ledger);
    const cold = ColdLedgersModule.forRoot({ moves: false, ...(name !== null && { stores: { name, of } }) });
    const options = { ...environment, redis: { url: own.servers.url }, clock, prefix, settlement: false } as const;
    const { nest } = await TinyApp.start({ options, imports: [cold] });
    const occurredAt = new Date(clock.now() - 100 * 86_400_000);
    await nest.get(ActivityService).record({ userId: 'ann', action: 'praise', subject: 'article:7', occurredAt });
    clock.set(systemClock.now());
    await nest.get(ColdMover).move();
  };
  const run = (...args: readonly string[]) =>
    runCli(args, { env: { REDIS_URL: own.servers.url, LAUREL_PREFIX: prefix } });

  it('reach what lies in Redis: verify proves all time, erase leaves nothing', async () => {
    await start(null);
    const { exitCode, out } = await run('verify');
    expect([exitCode, out]).toEqual([0, expect.stringContaining(': 0 differences.')]);
    expect(await mentions(own.client, prefix, 'ann')).not.toEqual([]);
    expect((await run('erase', '--user', 'ann')).exitCode).toBe(0);
    expect(await mentions(own.client, prefix, 'ann')).toEqual([]);
  });

  it('say so where they do not: what verify cannot prove, and why nothing is erased or imported', async () => {
    await start('vault');
    const verified = await run('verify');
    expect([verified.exitCode, `${verified.out}${verified.err}`]).toEqual([0, expect.stringContaining('all')]);
    const erased = await run('erase', '--user', 'ann');
    expect([erased.exitCode, erased.err]).toEqual([1, expect.stringContaining('The app keeps old ledgers elsewhere')]);
  });
});
