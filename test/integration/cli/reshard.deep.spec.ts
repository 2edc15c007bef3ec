import { ActivityService, RankService } from '@laurel/activity';
import { activityEnvironment } from '@laurel/settings';
import { runCli } from '../../support/run-cli';
import { freshPrefix, testRedis, testRedisUrl, TinyApp, waitUntil } from '../activity/support';

const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'recent', rolling: { days: 7, refreshMs: 1_000 } },
  { name: 'shanghai', period: 'day', timezone: 'Asia/Shanghai' },
] as const;

const start = (prefix: string, shards: number) => TinyApp.start({ options: { prefix, shards, leaderboards } });

describe('laurel reshard', () => {
  const prefix = freshPrefix();
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
  const reshard = (...args: string[]) => runCli(['reshard', '--grace', '3', ...args], { env });

  it('moves every ledger of running apps, which go on, and lets others start with the new number alone', async () => {
    const [one, two] = [await start(prefix, 2), await start(prefix, 2)];
    const views = Array.from({ length: 60 }, (_, n) => ({ userId: `user ${n % 20}`, action: 'view', subject: `${n}` }));
    await one.record(...views);
    let goesOn = true;
    let told = 0;
    const acting = (async () => {
      for (; goesOn; told += 1) {
        const app = told % 2 === 0 ? one : two;
        const { body } = await app.record({ userId: `user ${told % 20}`, action: 'view', subject: `more ${told}` });
        expect(body.results).toMatchObject([{ outcome: 'granted' }]);
      }
    })();
    const [first, moved] = [
      await reshard('--shards', '5', '--from', '3'),
      await reshard('--shards', '5', '--from', '2'),
    ];
    goesOn = false;
    await acting;
    expect(first).toMatchObject({ exitCode: 1, err: expect.stringMatching(/lies in 2 shards/) });
    expect(moved).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/2 to 5 shards[^]*@shanghai: 2 to 5[^]*Set LAUREL_SHARDS=5/),
    });
    expect(moved.err).toMatch(/Copying: .* of [^]*Switching[^]*Waiting: 3,000 of 3,000[^]*Cleaning/);
    expect(told).toBeGreaterThan(20);
    for (const app of [one, two]) {
      const ranks = app.nest.get(RankService);
      for (const board of ['day', 'shanghai', 'recent']) {
        const sum = async () => {
          const { entries } = await ranks.standings(board, { limit: 100 });
          return entries.reduce((total, { score }) => total + score, 0);
        };
        await waitUntil(async () => (await sum()) === 60 + told, { what: `all points on ${board}` });
      }
    }
    expect(await one.nest.get(ActivityService).record(views.map((view) => ({ ...view })))).toEqual(
      views.map(() => expect.objectContaining({ outcome: 'duplicate' }) as unknown),
    );
    await expect(start(prefix, 2)).rejects.toMatchObject({ code: 'shardCountMismatch' });
    const three = await start(prefix, 5);
    expect((await three.nest.get(RankService).standings('day', { limit: 1 })).total).toBe(20);
    const redis = testRedis();
    const left = (await redis.keys(`{${prefix}*:2-*}:*`)).filter((key) => !key.endsWith(':moving'));
    expect(left).toEqual([]);
  });

  it('has nothing to do where all lies so already, and says what is missing', async () => {
    expect(await reshard('--shards', '5')).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/lies in 5 shards/),
    });
    expect(await runCli(['reshard', '--shards', '5'], { env: { ...env, LAUREL_PREFIX: freshPrefix() } })).toMatchObject(
      {
        exitCode: 2,
        err: expect.stringMatching(/Nothing is stored under the prefix/),
      },
    );
    expect((await reshard('--shards', '0')).err).toMatch(/whole number from 1 to 1024/);
    expect((await reshard()).err).toMatch(/required option '--shards/);
  });

  it('goes on where it was interrupted', async () => {
    const own = freshPrefix();
    // The boards of an app that is configured by its environment, as the commands are.
    const { leaderboards: usual = [], firstDays } = activityEnvironment({});
    const app = await TinyApp.start({ options: { prefix: own, shards: 1, leaderboards: usual, firstDays } });
    await app.record(...Array.from({ length: 50 }, (_, n) => ({ userId: `user ${n}`, action: 'view', subject: '1' })));
    const ownEnv = { ...env, LAUREL_PREFIX: own };
    const cut = await runCli(['reshard', '--shards', '3'], { env: ownEnv, interruptAt: 'Waiting' });
    expect(cut).toMatchObject({ exitCode: 130, err: expect.stringMatching(/Interrupted\. Run it again\./) });
    const other = await runCli(['reshard', '--shards', '4'], { env: ownEnv });
    expect(other.err).toMatch(/on its way from 1 to 3 shards: finish that first/);
    expect(await runCli(['reshard', '--shards', '3', '--grace', '3'], { env: ownEnv })).toMatchObject({ exitCode: 0 });
    const { total } = await app.nest.get(RankService).standings('day', { limit: 1 });
    expect(total).toBe(50);
    const verified = await runCli(['verify'], { env: { ...ownEnv, LAUREL_SHARDS: '3' } });
    expect(verified).toMatchObject({ exitCode: 0 });
  });
});
