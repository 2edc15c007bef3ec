import { Period, systemClock } from '@laurel/leaderboard';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../support/run-cli';
import { settledKeys } from '../../support/keys';
import { holdSettling, keepArchiveElsewhere, settlingKey } from '../../support/settling';
import { temporaryFolder } from '../../support/temporary-folder';
import { apiKey, dayMs, testRedis, TinyApp, waitUntil } from '../activity/support';

const nowMs = systemClock.now();
/** Three days ago at noon: closed, and kept. */
const agoMs = Math.floor(nowMs / dayMs) * dayMs - 3 * dayMs + dayMs / 2;
const day = new Date(agoMs).toISOString().slice(0, 10);

const cli = commands();
const { run } = cli;
const line = (userId: string, occurredAtMs: number, activity = { action: 'view', subject: '1' }) =>
  `${JSON.stringify({ userId, ...activity, occurredAt: new Date(occurredAtMs) })}\n`;
const imported = (...lines: readonly string[]) =>
  run(['import', '-', '--json'], { env: { LAUREL_LATENESS_S: '864000' }, stdin: lines.join('') });
const settled = async () => {
  const keys = await testRedis().keys(settledKeys.period(cli.prefix, '*', 'day'));
  const texts = await Promise.all(keys.map((key) => testRedis().get(key)));
  return texts.map((text) => JSON.parse(text ?? '') as { readonly period: string; readonly checksum: string });
};

describe('laurel settle', () => {
  beforeEach(async () => {
    const { out } = await imported(line('ann', agoMs), line('bob', agoMs + 1), line('ann', agoMs - dayMs));
    expect(JSON.parse(out)).toMatchObject({ outcomes: { granted: 3 } });
  });

  it('settles what is due, and tells the checksums', async () => {
    const first = await run(['settle', '--leaderboard', 'day']);
    const { checksum } = (await settled()).find(({ period }) => period === day) ?? {};
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(first.out).toContain(`day ${day}: 2 entries, sha256 ${checksum}\n`);
    expect(first.out.trim().split('\n')).toHaveLength(2);
  });

  it('settles one period alone', async () => {
    const { out } = await run(['settle', '--leaderboard', 'day', '--period', day]);
    expect(out).toMatch(new RegExp(`^day ${day}: 2 entries, sha256 \\w{64}\n$`));
    expect(await settled()).toHaveLength(1);
  });

  it('retires a listener that the app no longer has, and names those that there are', async () => {
    await testRedis().sadd(`{${cli.prefix}}:settled-listeners`, 'prizes', 'letters');
    expect(await run(['settle', '--retire', 'no-such'])).toMatchObject({
      ...{ exitCode: 1, err: 'No listener is named "no-such": there are letters, prizes.\n' },
    });
    expect(await run(['settle', '--retire', 'prizes', '--dry-run'])).toMatchObject({ exitCode: 1 });
    expect(await run(['settle', '--retire', 'prizes'])).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^The listener "prizes" is .*: end it first, then retire it again.\n$/),
    });
    expect(await testRedis().smembers(`{${cli.prefix}}:settled-listeners`)).toEqual(['letters']);
  });

  it('refuses a leaderboard that is not there, naming those that are', async () => {
    expect(await run(['settle', '--leaderboard', 'dai'])).toMatchObject({
      exitCode: 1,
      err: 'No leaderboard is named "dai": there are day, week, month, all, category-week, category-month, authors.\n',
    });
  });

  it('leaves it to the app where that keeps its archive elsewhere', async () => {
    await keepArchiveElsewhere(testRedis(), cli.prefix);
    expect(await run(['settle'], { interruptAt: 'waiting for a running instance' })).toMatchObject({
      exitCode: 130,
      err: 'The app has its own archive or title rules: waiting for a running instance to settle.\nInterrupted.\n',
    });
    expect(await settled()).toEqual([]);
  });
});

it('nothing is settled where nothing is due, which is said', async () => {
  await run(['import', '-'], { stdin: '{ "userId": "ann", "action": "view", "subject": "1" }' });
  expect(await run(['settle'])).toMatchObject({ exitCode: 0, out: expect.stringContaining('Nothing is due') });
});

it('nothing is settled while a file is imported', async () => {
  const redis = testRedis();
  const held = await holdSettling(redis, cli.prefix);
  const importing = imported(line('ann', agoMs));
  // It asks whether the lease is free before anything is written, and draws no token meanwhile.
  await waitUntil(async () => String(await redis.client('LIST')).includes('cmd=exists'));
  expect(await redis.get(`${settlingKey(cli.prefix)}:token`)).toBe('1');
  expect(await redis.keys(`{${cli.prefix}:*}:board:*`)).toEqual([]);
  await held.release();
  expect(JSON.parse((await importing).out)).toMatchObject({ outcomes: { granted: 1 } });
  expect(await redis.exists(settlingKey(cli.prefix))).toBe(0);
});

describe('laurel erase', () => {
  beforeEach(() => imported(line('ann', nowMs), line('bob', nowMs)));
  const erase = (...args: readonly string[]) => run(['erase', '--user', 'ann', ...args]);

  it('erases a user and prints the receipt; once more there is nothing', async () => {
    const operations = `{${cli.prefix}}:operations`;
    await testRedis().lpush(operations, JSON.stringify({ userId: 'ann' }));
    const first = await erase();
    expect(first).toMatchObject({ exitCode: 0, err: expect.stringMatching(/^Left out: dead letters .*--url.*\n$/) });
    expect(await testRedis().llen(operations)).toBe(0);
    for (const told of ['boards: 4\n', 'ledgers: 1\n', 'Erased "ann".\n']) expect(first.out).toContain(told);
    const left = await testRedis().keys(`{${cli.prefix}:*`);
    expect(left.filter((key) => key.endsWith(':ann'))).toEqual([]);
    expect(left.some((key) => key.endsWith(':bob'))).toBe(true);
    expect((await erase()).out.match(/: [1-9]/g)).toBeNull();
    const { out } = await run(['erase', '--user', 'bob', '--json']);
    expect(JSON.parse(out)).toMatchObject({ userId: 'bob', erased: { ledgers: 1 } });
  });

  it('keeps out what comes of the user afterwards, until they are readmitted', async () => {
    await erase();
    expect((await imported(line('ann', nowMs))).out).toContain('rejected');
    const readmit = () => run(['readmit', '--user', 'ann']);
    expect(await readmit()).toMatchObject({ exitCode: 0, out: '"ann" may come in again.\n' });
    expect((await readmit()).out).toContain('was not refused');
    expect((await imported(line('ann', nowMs))).out).toContain('granted');
  });

  it('leaves what the app keeps elsewhere to the app, and asks it where it is named', async () => {
    await keepArchiveElsewhere(testRedis(), cli.prefix);
    expect(await erase()).toMatchObject({ exitCode: 1, err: expect.stringContaining('--url') });
    const app = await TinyApp.start({ options: { prefix: cli.prefix } });
    const asked = async (key: string) =>
      run(['erase', '--user', 'ann', '--url', await app.nest.getUrl()], { env: { LAUREL_API_KEY: key } });
    expect(await asked(apiKey)).toMatchObject({ exitCode: 0, out: expect.stringContaining('ledgers: 1\n') });
    expect(await asked('wrong')).toMatchObject({ exitCode: 1, err: expect.stringContaining('The app answered 403') });
  });
});

const merge = (...args: readonly string[]) =>
  run(['merge', '--from', 'old', '--into', 'ann', ...args], { env: { LAUREL_API_KEY: apiKey } });

it('laurel merge makes two accounts one, by itself or by the app, and prints the receipt; once more it is refused', async () => {
  await imported(line('ann', nowMs), line('old', nowMs), line('old', nowMs, { action: 'view', subject: '2' }));
  const first = await merge();
  expect(first).toMatchObject({ exitCode: 0, err: expect.stringMatching(/^Left out: dead letters .*--url.*\n$/) });
  for (const told of ['facts: 2\n', 'boards: 4\n', 'Merged "old" into "ann".\n']) expect(first.out).toContain(told);
  expect(await merge()).toMatchObject({ exitCode: 1, err: expect.stringContaining('was erased') });
  const app = await TinyApp.start({ options: { prefix: cli.prefix } });
  expect(await app.page('/ranks/month')).toEqual([[1, 'ann', 2]]);
  await app.record({ userId: 'older', action: 'view', subject: '3' });
  const { out } = await merge('--from', 'older', '--url', await app.nest.getUrl(), '--json');
  expect(JSON.parse(out)).toMatchObject({ from: 'older', into: 'ann', merged: { facts: 1 }, erased: { ledgers: 1 } });
  expect(await app.page('/ranks/month')).toEqual([[1, 'ann', 3]]);
});

const told = (...args: readonly string[]) =>
  run(['user-data', '--user', 'ann', ...args], { env: { LAUREL_API_KEY: apiKey } });

it('laurel user-data writes all that is kept about a user, by itself or by the app', async () => {
  await imported(line('ann', agoMs), line('ann', nowMs), line('bob', nowMs));
  const days = [{ date: day, points: 1 }, { lines: [{ action: 'view', subject: '1' }] }];
  const { exitCode, out, err } = await told();
  expect(JSON.parse(out)).toMatchObject({ userId: 'ann', exclusions: [], operations: [], settled: [], days });
  expect([exitCode, out.includes('bob'), err.includes('dead letters')]).toEqual([0, false, true]);
  const app = await TinyApp.start({ options: { prefix: cli.prefix } });
  const url = await app.nest.getUrl();
  const byApp = await told('--url', url);
  expect([JSON.parse(byApp.out), byApp.err]).toMatchObject([{ userId: 'ann', reviews: [], days }, '']);
  await keepArchiveElsewhere(testRedis(), cli.prefix);
  expect(await told()).toMatchObject({ exitCode: 1, err: expect.stringContaining('--url') });
});

describe('a dry run', () => {
  beforeEach(() => imported(line('ann', agoMs), line('ben', agoMs + 1)));
  /** All that lies under the prefix, without what only the clock changes. */
  const content = async () => {
    const redis = testRedis();
    const dumped = async (key: string) => [key, (await redis.dumpBuffer(key))?.toString('hex')];
    return Promise.all((await redis.keys(`{${cli.prefix}*`)).sort().map(dumped));
  };

  it('of an import checks the file, and records nothing', async () => {
    const before = await content();
    expect(await run(['import', '-', '--dry-run'], { stdin: line('cyd', agoMs) })).toMatchObject({
      ...{ exitCode: 0, out: '1 activities could be recorded: every line is good.\n' },
    });
    expect(await run(['import', '-', '--dry-run', '--json'], { stdin: '{ "userId": "cyd" }' })).toMatchObject({
      ...{ exitCode: 1, out: '', err: expect.stringContaining('stdin:1: action is missing') },
    });
    expect(await content()).toEqual(before);
  });

  it('of a settlement names what is due, as lines of JSON too, and settles nothing', async () => {
    const before = await content();
    const args = ['settle', '--leaderboard', 'day', '--dry-run'];
    expect(await run(args)).toMatchObject({ exitCode: 0, out: `day ${day}: is due\n` });
    const { out } = await run([...args, '--json']);
    expect(JSON.parse(out)).toEqual({ leaderboard: 'day', period: day, state: 'due' });
    expect(await content()).toEqual(before);
    const settled = await run(['settle', '--leaderboard', 'day', '--json']);
    expect(JSON.parse(settled.out)).toMatchObject({ leaderboard: 'day', period: day, state: 'settled', total: 2 });
  });

  it('of a move to more shards says from where to where, and moves nothing', async () => {
    const before = await content();
    const moved = async (shards: string) => (await run(['reshard', '--shards', shards, '--dry-run'])).out;
    expect(await moved('4')).toBe(`${cli.prefix}: lies in 1 shards, would be moved to 4.\n`);
    expect(await moved('1')).toBe(`${cli.prefix}: lies in 1 shards.\n`);
    expect(await content()).toEqual(before);
  });
});

describe('laurel export', () => {
  const month = Period.of('month', new Date(nowMs), 'UTC').key;
  const exported = (...args: readonly string[]) => run(['export', ...args]);
  const folder = temporaryFolder();

  /** Two points for each praise: as many for the first user as there are users, one fewer for each next. */
  const record = (users: readonly string[]) =>
    run(['import', '-'], {
      env: { LAUREL_SHARDS: '3' },
      stdin: users
        .flatMap((userId, i) =>
          Array.from({ length: users.length - i }, (_, n) =>
            line(userId, nowMs, { action: 'praise', subject: `article:${n}` }),
          ),
        )
        .join(''),
    });

  it('writes everybody in rank order, as JSON lines', async () => {
    const users = Array.from({ length: 40 }, (_, i) => `user-${i}`);
    await record(users);
    const { exitCode, out, err } = await exported('--leaderboard', 'month');
    expect(exitCode).toBe(0);
    const lines = out.trim().split('\n');
    const entries = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(entries.map(({ rank, userId, score }) => [rank, userId, score])).toEqual(
      users.map((userId, i) => [i + 1, userId, 2 * (users.length - i)]),
    );
    expect(Date.parse(String(entries[0]?.reachedAt))).toBeLessThanOrEqual(systemClock.now());
    expect(err).toContain('40 entries written.');
  });

  it('writes a table to a new file, with ids that a spreadsheet takes for text', async () => {
    await record(['\n=cmd|"x"', 'a,b']);
    const file = join(folder, 'month.csv');
    const args = ['--leaderboard', 'month', '--period', month, '--format', 'csv', '--out', file];
    expect((await exported(...args)).exitCode).toBe(0);
    expect((await exported('--leaderboard', 'dya', '--out', file)).exitCode).toBe(1);
    const [head, first, second, end] = (await readFile(file, 'utf8')).split('\r\n');
    expect(head).toBe('rank,userId,score,reachedAt');
    expect(first).toMatch(/^1,"'\n=cmd\|""x""",4,\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(second).toMatch(/^2,"a,b",2,/);
    expect(end).toBe('');
    expect(await exported(...args)).toMatchObject({
      ...{ exitCode: 1, err: expect.stringContaining('exists already: name another file, or remove this one.') },
    });
  });

  it('writes nothing of a period without anybody, and says what is possible', async () => {
    await record(['ann']);
    expect(await exported('--leaderboard', 'day', '--period', '2020-01-01')).toMatchObject({ exitCode: 0, out: '' });
    for (const [args, told] of [
      [['dya', '--out', join(folder, 'new')], 'use one of day, week, month'],
      [['day', '--format', 'xml'], 'use one of ndjson, csv'],
      [['day', '--out', join(folder, 'no/where')], '(ENOENT)'],
    ] as const) {
      expect((await exported('--leaderboard', ...args)).err).toContain(told);
    }
  });
});
