import { BoardAudits } from '@laurel/reports';
import { shardTags } from '@laurel/leaderboard/internals';
import { activityEnvironment } from '@laurel/settings';
import { keys } from '../../support/keys';
import type { CliInput } from '../../support/run-cli';
import { freshPrefix, testRedis, TinyApp } from '../activity/support';
import { LiveApp, praise } from './support/live-app';

describe('laurel verify and rebuild', () => {
  let live: LiveApp;
  beforeEach(async () => {
    live = await LiveApp.start();
  });
  const run = (args: readonly string[], input: Partial<CliInput> = {}) => live.run(args, input);
  const boardOf = (...of: Parameters<LiveApp['boardOf']>) => live.boardOf(...of);

  it('names each thing that is wrong, and rebuild puts it right', async () => {
    const { today, month } = live;
    const redis = testRedis();
    const before = await redis.zscore(boardOf('bob'), 'bob');
    // One who has other points, one who is missing, one of whom nothing is known, one who stands twice, one misplaced.
    await redis.zincrby(boardOf('bob'), 2 ** 32, 'bob');
    await redis.zrem(boardOf('ann', 'month', month), 'ann');
    await redis.zadd(boardOf('mallory'), String(await redis.zscore(boardOf('bob'), 'bob')), 'mallory');
    await live.app.service.apply([praise('carl', 'c')]);
    await redis.zadd(live.asideOf('carl'), String(await redis.zscore(boardOf('carl'), 'carl')), 'carl');
    const first = await run(['verify']);
    expect(first.exitCode).toBe(1);
    const lines = first.out.trim().split('\n');
    expect(lines).toContain(`month ${month} ann: the ledgers add up to 2 points, there is no entry`);
    expect(lines).toContainEqual(
      expect.stringMatching(
        new RegExp(`^day ${today} bob: the ledgers add up to 4 points, the entry has \\d+ points$`),
      ),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^day ${today} mallory: the entry has \\d+ points, there is no ledger$`)),
    );
    expect(lines).toContain(`day ${today} carl: there is an entry on the board and another beside it`);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/: 4 differences\.$/);

    const healed = await run(['rebuild']);
    expect(healed.out).toMatch(/: 4 differences, 4 put right\.\n$/);
    expect(healed.exitCode).toBe(0);
    expect((await run(['verify'])).out).toMatch(/: 0 differences\.\n$/);
    expect((await run(['rebuild', '--dry-run'])).out).toMatch(/: 0 differences\. Nothing would be changed\.\n$/);
    expect(await redis.zscore(boardOf('bob'), 'bob')).toBe(before);
  });

  it('shows what it would do before it does it', async () => {
    const redis = testRedis();
    const standing = () => redis.zscore(boardOf('bob'), 'bob');
    await redis.zincrby(boardOf('bob'), 2 ** 33, 'bob');
    const damaged = await standing();
    for (const shown of [await run(['rebuild', '--dry-run']), await run(['rebuild'], { isTerminal: true })]) {
      expect(shown).toMatchObject({
        exitCode: 1,
        out: expect.stringMatching(/bob: .*\n[^]*: 1 differences\. Nothing was changed: --yes puts them right\.\n$/),
      });
      expect(await standing()).toBe(damaged);
    }

    const done = await run(['rebuild', '--yes'], { isTerminal: true });
    expect(done).toMatchObject({ exitCode: 0, out: expect.stringMatching(/: 1 differences, 1 put right\.\n$/) });
    expect(await standing()).not.toBe(damaged);
  });

  it('asks before it takes points from many, and takes those of a few', async () => {
    const redis = testRedis();
    const spoil = async (users: number) => {
      for (let n = 0; n < users; n += 1) await redis.zadd(boardOf(`mallory ${n}`), 'INCR', 2 ** 40, `mallory ${n}`);
    };
    await spoil(11);
    const refused = await run(['rebuild', '--yes']);
    expect(refused).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('take points from 11 users') });
    expect(await redis.zscore(boardOf('mallory 3'), 'mallory 3')).not.toBeNull();
    expect(await run(['rebuild', '--yes-take-points'])).toMatchObject({ exitCode: 0 });
    await spoil(10);
    expect(await run(['rebuild'])).toMatchObject({ exitCode: 0 });
    expect(await redis.zscore(boardOf('mallory 3'), 'mallory 3')).toBeNull();
  });

  it('restores boards that are gone as a whole, users kept off them included', async () => {
    const redis = testRedis();
    const { app, today, month } = live;
    const boardKeys = live.tags.flatMap((tag) => [
      keys.board(app.prefix, tag, 'day', today),
      keys.board(app.prefix, tag, 'month', month),
      keys.aside(app.prefix, tag, 'day', today),
      keys.periods(app.prefix, 'day'),
    ]);
    const before = await app.page('/ranks/day?limit=100');
    const excluded = await app.score('user 7');
    await Promise.all(boardKeys.map((key) => redis.del(key)));
    expect((await run(['verify', '--leaderboard', 'day'])).exitCode).toBe(1);
    expect((await run(['rebuild'])).exitCode).toBe(0);
    expect(await app.page('/ranks/day?limit=100')).toEqual(before);
    expect(await app.score('user 7')).toEqual(excluded);
    expect(await redis.pttl(boardOf('ann'))).toBeGreaterThan(0);
    expect((await run(['verify'])).exitCode).toBe(0);
  });

  it('finds an entry that lies on the board of one who is kept off it', async () => {
    const redis = testRedis();
    await redis.zadd(live.excludedOf('bob'), 1, 'bob');
    const found: string[] = [];
    const report = await live.app.nest
      .get(BoardAudits)
      .rebuild({ onDifference: ({ fault, member }) => found.push(`${fault} ${member}`) });
    expect(new Set(found)).toEqual(new Set(['misplaced bob']));
    expect(report.healed).toBe(report.differences);
    expect(await redis.zscore(boardOf('bob'), 'bob')).toBeNull();
    expect(await redis.zscore(live.asideOf('bob'), 'bob')).not.toBeNull();
  });

  it('tells a new leaderboard from a wrong one: rebuild fills its open periods', async () => {
    const { redis: _, ...environment } = activityEnvironment({});
    const former = environment.leaderboards?.filter(({ name }) => name === 'day' || name === 'authors');
    const options = { ...environment, prefix: freshPrefix(), settlement: false } as const;
    const before = await TinyApp.start({ options: { ...options, leaderboards: former } });
    await before.service.record([praise('ann', 'a'), praise('ann', 'b'), praise('bob', 'a')]);
    await before.nest.close();
    const app = await TinyApp.start({ options });
    await app.service.record(praise('ann', 'c'));
    expect(await app.page('/ranks/month')).toEqual([[1, 'ann', 2]]);
    const env = { LAUREL_PREFIX: app.prefix, LAUREL_SHARDS: '1' };
    const verified = await run(['verify'], { env });
    expect(verified).toMatchObject({ exitCode: 0, out: expect.stringContaining(': 0 differences.') });
    expect(verified.err).toMatch(/^month \S+: new since \S+: "rebuild" fills it from the ledgers\n/m);
    // More than its ledgers say is wrong all the same.
    const month = keys.board(app.prefix, shardTags(1)[0] ?? '', 'month', live.month);
    await testRedis().zincrby(month, 2 ** 36, 'ann');
    expect((await run(['verify'], { env })).exitCode).toBe(1);
    expect((await run(['rebuild'], { env })).exitCode).toBe(0);
    const filled = [[1, 'ann', 6], [2, 'bob', 2]]; // prettier-ignore
    expect([await app.page('/ranks/month'), await app.page('/ranks/all')]).toEqual([filled, filled]);
    await testRedis().zrem(month, 'bob');
    expect(await run(['verify'], { env })).toMatchObject({
      exitCode: 1,
      err: expect.not.stringContaining('new since'),
    });
  });

  it('says what is wrong with what it is asked, and prints JSON', async () => {
    for (const [args, told] of [
      [['--leaderboard', 'dya'], 'No leaderboard has this name'],
      [['--period', live.today], 'give --leaderboard, too'],
      [['--leaderboard', 'day', '--period', '2026-99'], 'has no such period'],
    ] as const) {
      expect((await run(['verify', ...args])).err).toContain(told);
    }
    const { out } = await run(['verify', '--leaderboard', 'day', '--period', live.today, '--json']);
    expect(JSON.parse(out)).toMatchObject({ summary: { differences: 0, gaps: [] } });
  });
});
