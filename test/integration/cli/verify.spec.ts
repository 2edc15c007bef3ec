import { ActivityService, Exclusions, type Activity } from '@laurel/activity';
import { BoardAudits } from '@laurel/activity/tools';
import { activityEnvironment } from '@laurel/settings';
import { Period, systemClock } from '@laurel/leaderboard';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keys } from '../../support/keys';
import { shardOf, shardTags } from '../../../libs/leaderboard/src/keys/shard';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli, type CliInput, type CliResult } from '../../support/run-cli';
import { announceSeed, drawer } from '../../support/seed';
import { stopTinyApps, TinyApp } from '../activity/support/tiny-app';

beforeAll(announceSeed);
afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each([1, 8])('laurel verify and rebuild, on %d shards', (shards) => {
  let prefix: string;
  let app: TinyApp;
  /** The CLI goes by the machine's clock: what it is to find happens a moment before now. */
  const today = Period.of('day', new Date(systemClock.now()), 'UTC').key;
  const month = today.slice(0, 7);

  beforeEach(async () => {
    prefix = freshPrefix();
    // The leaderboards that the CLI knows.
    const { redis: _, ...environment } = activityEnvironment({});
    app = await TinyApp.start({
      options: { ...environment, prefix, shards, cacheMs: 0 },
    });
  });

  const run = (args: readonly string[], input: Partial<CliInput> = {}): Promise<CliResult> =>
    runCli(args, {
      ...input,
      env: { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix, LAUREL_SHARDS: `${shards}`, ...input.env },
    });
  const service = () => app.nest.get(ActivityService);
  const tagOf = (userId: string) => shardTags(shards)[shardOf(userId, shards)] as string;
  const boardOf = (userId: string, board = 'day', key = today) => keys.board(prefix, tagOf(userId), board, key);
  const asideOf = (userId: string) => keys.aside(prefix, tagOf(userId), 'day', today);
  const praise = (userId: string, subject: string): Activity => ({ userId, action: 'praise', subject });

  /** Some 40 users with grants, repetitions, cancellations, an adjustment and an exclusion. */
  async function live(): Promise<void> {
    const draw = drawer();
    const changes = Array.from({ length: 400 }, () => ({
      userId: `user ${draw(40)}`,
      action: ['praise', 'collect', 'comment', 'view'][draw(4)] as string,
      subject: `article:${draw(12)}`,
    }));
    await service().apply(
      changes.map((change) => ({ ...change, revoke: change.action === 'praise' && draw(3) === 0 })),
    );
    await service().apply([praise('ann', 'a'), praise('bob', 'a'), praise('bob', 'b')]);
    await app.nest.get(Exclusions).exclude('user 7');
  }

  it('finds nothing where nothing is wrong, while recording goes on', async () => {
    await live();
    let isOver = false;
    const recording = (async () => {
      for (let i = 0; !isOver; i++) {
        const revoke = i % 3 === 2;
        await service().apply([{ ...praise(`user ${i % 40}`, `later:${Math.floor(i / 3) % 5}`), revoke }]);
      }
      return true;
    })();
    const { exitCode, out } = await run(['verify']);
    isOver = true;
    expect(await recording).toBe(true);
    expect(out).toMatch(/^\d+ entries in \d+ open periods compared with \d+ ledgers: 0 differences\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('names each thing that is wrong, and rebuild puts it right', async () => {
    await live();
    const redis = testRedis();
    const before = await redis.zscore(boardOf('bob'), 'bob');
    // One who has other points, one who is missing, one of whom nothing is known, one who stands twice, one misplaced.
    await redis.zincrby(boardOf('bob'), 2 ** 32, 'bob');
    await redis.zrem(boardOf('ann', 'month', month), 'ann');
    await redis.zadd(boardOf('mallory'), String(await redis.zscore(boardOf('bob'), 'bob')), 'mallory');
    await service().apply([praise('carl', 'c')]);
    await redis.zadd(asideOf('carl'), String(await redis.zscore(boardOf('carl'), 'carl')), 'carl');

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
    expect(await redis.zscore(boardOf('bob'), 'bob')).toBe(before);
  });

  it('shows what it would do before it does it, keeps what it replaces, and puts it back', async () => {
    await live();
    const redis = testRedis();
    await redis.zincrby(boardOf('bob'), 2 ** 33, 'bob');
    const damaged = await redis.zscore(boardOf('bob'), 'bob');
    for (const shown of [await run(['rebuild', '--dry-run']), await run(['rebuild'], { isTerminal: true })]) {
      expect(shown).toMatchObject({
        exitCode: 1,
        out: expect.stringMatching(/bob: .*\n[^]*: 1 differences\. Nothing was changed: --yes puts them right\.\n$/),
      });
      expect(await redis.zscore(boardOf('bob'), 'bob')).toBe(damaged);
    }
    const done = await run(['rebuild', '--yes'], { isTerminal: true });
    expect(done).toMatchObject({ exitCode: 0, err: expect.stringContaining('rebuild --undo, or --forget.') });
    expect(await redis.zscore(boardOf('bob'), 'bob')).not.toBe(damaged);
    expect((await run(['rebuild', '--undo'])).out).toBe(
      '1 entries put back; 0 left, as they have changed since; 0 left on settled boards.\n',
    );
    expect(await redis.zscore(boardOf('bob'), 'bob')).toBe(damaged);
    await run(['rebuild']);
    expect((await run(['rebuild', '--forget'])).out).toBe('Dropped what was replaced of 1 users.\n');
    expect((await run(['rebuild', '--undo'])).out).toMatch(/^0 entries put back/);
    expect(await run(['rebuild', '--undo', '--yes'])).toMatchObject({
      exitCode: 1,
      err: '--dry-run, --yes, --undo and --forget exclude one another: give one of them.\n',
    });
  });

  it('restores boards that are gone as a whole, users kept off them included', async () => {
    await live();
    const redis = testRedis();
    const boardKeys = shardTags(shards).flatMap((tag) => [
      keys.board(prefix, tag, 'day', today),
      keys.board(prefix, tag, 'month', month),
      keys.aside(prefix, tag, 'day', today),
      keys.periods(prefix, 'day'),
    ]);
    const scores = async () => {
      const { body } = await app.get<{ entries: { userId: string; score: number }[] }>(`/ranks/day?limit=100`);
      return body.entries.map(({ userId, score }) => [userId, score] as const).sort();
    };
    const before = await scores();
    const excluded = (await app.get<{ score: number }>(`/ranks/day/users/user%207`)).body;
    await Promise.all(boardKeys.map((key) => redis.del(key)));
    expect((await run(['verify', '--leaderboard', 'day'])).exitCode).toBe(1);
    expect((await run(['rebuild'])).exitCode).toBe(0);
    expect(await scores()).toEqual(before);
    expect((await app.get<{ score: number }>(`/ranks/day/users/user%207`)).body).toEqual(excluded);
    expect(await redis.pttl(boardOf('ann'))).toBeGreaterThan(0);
    expect((await run(['verify'])).exitCode).toBe(0);
  });

  it('rebuilds while recording goes on, to the same boards', async () => {
    await live();
    const redis = testRedis();
    let isOver = false;
    const recording = (async () => {
      for (let i = 0; !isOver; i++) {
        await service().apply([{ ...praise(`user ${i % 40}`, `later:${i % 7}`), revoke: i % 3 === 2 }]);
        if (i % 10 === 0) await redis.zrem(boardOf(`user ${i % 40}`), `user ${i % 40}`);
      }
      return true;
    })();
    await run(['rebuild']);
    isOver = true;
    expect(await recording).toBe(true);
    expect((await run(['rebuild'])).exitCode).toBe(0);
    expect((await run(['verify'])).out).toMatch(/: 0 differences\.\n$/);
  });

  it('leaves nothing worse where a rebuild is killed in the middle, and the next one ends it', async () => {
    await live();
    const redis = testRedis();
    const everyone = Array.from({ length: 40 }, (_, n) => `user ${n}`);
    const raw = async () => {
      const all = everyone.flatMap((userId) =>
        [boardOf(userId), boardOf(userId, 'month', month)].map((key) => [key, userId]),
      );
      return Promise.all(all.map(([key = '', userId = '']) => redis.zscore(key, userId)));
    };
    const before = await raw();
    for (const userId of everyone) await redis.zincrby(boardOf(userId, 'month', month), 2 ** 33, userId);
    const wrong = async () => {
      const { differences } = await app.nest.get(BoardAudits).verify();
      return differences;
    };
    const all = await wrong();
    expect(all).toBeGreaterThanOrEqual(40);
    expect(await runMortal(15)).toBe('SIGKILL');
    const left = await wrong();
    expect(left).toBeLessThan(all);
    expect(left).toBeGreaterThan(0);
    expect((await run(['rebuild'])).out).toContain(`: ${left} differences, ${left} put right.`);
    expect(await wrong()).toBe(0);
    // Those kept off the board, and those whose grants were repeated, among them: times stay as they were.
    expect(await raw()).toEqual(before);
  });

  /** Another process that rebuilds until it dies; says of what. */
  async function runMortal(dieAt: number): Promise<string | null> {
    const root = join(__dirname, '../../..');
    const own = { LAUREL_PREFIX: prefix, LAUREL_SHARDS: `${shards}`, REDIS_URL: testRedisUrl() };
    const args = ['-r', './tools/register-typescript.cjs', 'test/support/mortal-cli.ts', 'rebuild'];
    const env = { ...process.env, ...own, LAUREL_TEST_DIE_AT: `${dieAt}` };
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal;
  }

  it('finds an entry that lies on the board of one who is kept off it', async () => {
    await live();
    const redis = testRedis();
    await redis.zadd(keys.excluded(prefix, tagOf('bob')), 1, 'bob');
    const found: string[] = [];
    const report = await app.nest
      .get(BoardAudits)
      .rebuild({ onDifference: ({ fault, member }) => found.push(`${fault} ${member}`) });
    expect(new Set(found)).toEqual(new Set(['misplaced bob']));
    expect(report.healed).toBe(report.differences);
    expect(await redis.zscore(boardOf('bob'), 'bob')).toBeNull();
    expect(await redis.zscore(asideOf('bob'), 'bob')).not.toBeNull();
  });

  it('says what is wrong with what it is asked, and prints JSON', async () => {
    await live();
    expect((await run(['verify', '--leaderboard', 'dya'])).err).toContain('No leaderboard has this name');
    expect((await run(['verify', '--period', today])).err).toContain('give --leaderboard, too');
    expect((await run(['verify', '--leaderboard', 'day', '--period', '2026-99'])).err).toContain('has no such period');
    const { out } = await run(['verify', '--leaderboard', 'day', '--period', today, '--json']);
    expect(JSON.parse(out)).toMatchObject({ summary: { differences: 0, gaps: [] } });
  });
});
