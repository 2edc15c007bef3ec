import { Exclusions, RankService, type ActivityModuleOptions } from '@laurel/activity';
import { BoardAudits } from '@laurel/reports';
import { systemClock } from '@laurel/leaderboard';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { stopTinyApps, testRedis, testRedisUrl, TinyApp } from '../activity/support';

/** An app of one's own: none of its leaderboards but `day` and `month` is one that the environment describes. */
const leaderboards: NonNullable<ActivityModuleOptions['leaderboards']> = [
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month' },
  { name: 'week', period: 'week', weekStart: 'sunday' },
  { name: 'spring', contest: { from: '2020-03-01', to: '2099-03-31' } },
  { name: 'recent', rolling: { days: 7 } },
  { name: 'writers', period: 'month', actions: ['comment'], points: { comment: 50 } },
  { name: 'shanghai', period: 'day', timezone: 'Asia/Shanghai', tallies: ['given:comment'] },
];

describe('commands on the data of an app with settings of its own', () => {
  const timezone = 'Europe/Berlin';
  const cli = commands();
  const { run } = cli;
  let app: TinyApp;
  const folder = temporaryFolder();

  beforeEach(async () => {
    await writeFile(join(folder, 'rules.json'), '[{ "action": "view", "points": 1, "revocable": false }]');
    app = await TinyApp.start({
      options: { prefix: cli.prefix, shards: 4, timezone, weekStart: 'sunday', leaderboards, cacheMs: 0 },
    });
    for (let n = 0; n < 30; n += 1) {
      await app.record(
        { userId: `user ${n % 10}`, action: 'comment', subject: `${n}` },
        { userId: `user ${n % 7}`, action: 'praise', subject: `${n}`, ownerId: 'user 3' },
      );
    }
    await app.nest.get(Exclusions).exclude('user 5');
  });

  async function everything(): Promise<ReadonlyMap<string, string>> {
    const redis = testRedis();
    const keys = (await redis.keys(`{${cli.prefix}*`)).sort();
    // A dump has a large hash in the order of its table, which Redis still changes after a write.
    const heldBy = async (key: string) =>
      (await redis.type(key)) === 'hash'
        ? JSON.stringify(Object.entries(await redis.hgetall(key)).sort())
        : ((await redis.dumpBuffer(key))?.toString('hex') ?? '');
    return new Map(await Promise.all(keys.map(async (key) => [key, await heldBy(key)] as const)));
  }

  it('take time zone, week start, shards and boards from there: no difference, and no board of another app', async () => {
    await stopTinyApps();
    const before = await everything();
    const verified = await run(['verify']);
    expect(verified.out).toMatch(/: 0 differences\.\n$/);
    expect(verified.exitCode).toBe(0);
    expect((await run(['rebuild'])).out).toMatch(/: 0 differences, 0 put right\.\n$/);
    expect(new Set((await everything()).keys())).toEqual(new Set(before.keys()));
  });

  it('write nothing where they only read', async () => {
    // A window of days is put together when it is read.
    await app.nest.get(RankService).standings('recent', {});
    await stopTinyApps();
    const before = await everything();
    for (const args of [
      ['verify'],
      ['export', '--leaderboard', 'spring'],
      ['rings', '--period', 'current'],
      ['simulate', '--rules', join(folder, 'rules.json'), '--period', 'current'],
    ]) {
      expect(await run(args)).toMatchObject({ exitCode: 0 });
      expect(await everything()).toEqual(before);
    }
  });

  it.each([
    ['LAUREL_TIMEZONE', 'America/New_York', 'Europe/Berlin'],
    ['LAUREL_SHARDS', '8', '4'],
  ])('refuse %s of %s, naming both values, and change nothing', async (variable, value, stored) => {
    await stopTinyApps();
    const before = await everything();
    const { host } = new URL(testRedisUrl());
    for (const command of ['verify', 'rebuild']) {
      expect(await run([command], { env: { [variable]: value } })).toEqual({
        ...{ exitCode: 1, out: '' },
        err: `${variable} is ${value}, but the data under the prefix "${cli.prefix}" on Redis at ${host} has ${stored}: leave ${variable} out, or correct it, LAUREL_PREFIX or REDIS_URL.\n`,
      });
    }
    expect(await everything()).toEqual(before);
  });

  it('import and settle by the app’s leaderboards, which stay as they are', async () => {
    const layout = await testRedis().hgetall(`{${cli.prefix}}:layout`);
    const occurredAt = new Date(systemClock.now() - 40 * 86_400_000);
    const stdin = JSON.stringify({ userId: 'late', action: 'comment', subject: '1', occurredAt });
    const env = { LAUREL_LATENESS_S: '10000000', LAUREL_RETENTION: 'none' };
    expect(await cli.json(['import', '-'], { stdin, env })).toMatchObject({ outcomes: { granted: 1 } });
    expect(await testRedis().hgetall(`{${cli.prefix}}:layout`)).toEqual(layout);
    expect((await run(['settle', '--leaderboard', 'writers'])).out).toMatch(/^writers \d{4}-\d\d: 1 entries/);
    expect(await app.nest.get(BoardAudits).verify()).toMatchObject({ differences: 0 });
  });
});
