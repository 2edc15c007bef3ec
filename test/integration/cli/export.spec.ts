import { ActivityService } from '@laurel/activity';
import { Period, systemClock } from '@laurel/leaderboard';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeTestRedis, freshPrefix, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { stopTinyApps, TinyApp } from '../activity/support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('laurel export', () => {
  let prefix: string;
  let folder: string;
  beforeEach(async () => {
    prefix = freshPrefix();
    folder = await mkdtemp(join(tmpdir(), 'laurel-export-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (...args: readonly string[]) =>
    runCli(['export', ...args], { env: { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix, LAUREL_SHARDS: '8' } });
  /** The CLI goes by the machine's clock. */
  const now = systemClock.now();
  const month = Period.of('month', new Date(now), 'UTC').key;

  async function record(users: readonly string[]): Promise<void> {
    const app = await TinyApp.start({ options: { prefix, shards: 8 } });
    const activities = users.flatMap((userId, i) =>
      Array.from({ length: users.length - i }, (_, n) => ({ userId, action: 'praise', subject: `article:${n}` })),
    );
    await app.nest.get(ActivityService).record(activities);
  }

  it('writes everybody in rank order, as JSON lines', async () => {
    const users = Array.from({ length: 40 }, (_, i) => `user-${i}`);
    await record(users);
    const { exitCode, out, err } = await run('--leaderboard', 'month');
    expect(exitCode).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ rank, userId, score }) => [rank, userId, score])).toEqual(
      users.map((userId, i) => [i + 1, userId, 2 * (users.length - i)]),
    );
    expect(Date.parse(String(lines[0]?.reachedAt))).toBeLessThanOrEqual(systemClock.now());
    expect(err).toContain('40 entries written.');
  });

  it('writes a table to a new file, with ids that a spreadsheet takes for text', async () => {
    await record(['=cmd|"x"', 'a,b']);
    const file = join(folder, 'month.csv');
    const args = ['--leaderboard', 'month', '--period', month, '--format', 'csv', '--out', file];
    expect((await run(...args)).exitCode).toBe(0);
    const [head, first, second, end] = (await readFile(file, 'utf8')).split('\r\n');
    expect(head).toBe('rank,userId,score,reachedAt');
    expect(first).toMatch(/^1,"'=cmd\|""x""",4,\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(second).toMatch(/^2,"a,b",2,/);
    expect(end).toBe('');
    const again = await run(...args);
    expect(again.exitCode).toBe(1);
    expect(again.err).toContain('exists already: name another file, or remove this one.');
  });

  it('writes nothing of a period without anybody, and says what is possible', async () => {
    await record(['ann']);
    expect(await run('--leaderboard', 'day', '--period', '2020-01-01')).toMatchObject({ exitCode: 0, out: '' });
    expect((await run('--leaderboard', 'dya')).err).toContain('use one of day, month.');
    expect((await run('--leaderboard', 'day', '--format', 'xml')).err).toContain('use one of ndjson, csv');
    expect((await run('--leaderboard', 'day', '--out', join(folder, 'no/where'))).err).toContain('(ENOENT)');
  });
});
