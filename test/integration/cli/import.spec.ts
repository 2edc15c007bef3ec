import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keysLike, testRedis } from '../../support';
import { commands } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';

const always = { LAUREL_LATENESS_S: '10000000000', LAUREL_RETENTION: 'none' };

const praise = (userId: string, subject: string, more: object = {}): string =>
  JSON.stringify({ userId, action: 'praise', subject, occurredAt: '2026-11-20T08:12:01.123Z', ...more });

describe('laurel import', () => {
  const folder = temporaryFolder();
  const cli = commands(['import'], always);
  const { run, json } = cli;

  const file = async (content: string | Buffer, name = 'activities.ndjson'): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const keys = async (): Promise<string[]> => {
    const found = await keysLike(testRedis(), `*${cli.prefix}*`);
    return found.filter((key) => /:(ledger|board):/.test(key));
  };

  it('records every line, once, however often it is run', async () => {
    const lines = [
      praise('a', 'article:1'),
      praise('b', 'article:1'),
      praise('a', 'article:1', { revoke: true, sequence: 1 }),
    ];
    const path = await file(`${lines.join('\n')}\n`);

    expect(await json([path])).toMatchObject({ activities: 3, points: 2, outcomes: { granted: 2, revoked: 1 } });
    expect(await json([path])).toMatchObject({ activities: 3, points: 0, outcomes: { duplicate: 3 } });
  });

  it('ends with a table of the outcomes that occurred, and tells its progress in plain lines', async () => {
    const { out, err } = await run([await file(praise('a', 'x'))]);
    expect(out).toBe(
      [
        '  granted                1',
        `  ${'-'.repeat(24)}`,
        '  activities             1',
        '  points                 2',
        '',
      ].join('\n'),
    );
    expect(err).toContain('Importing: 1 of 1\n');
  });

  it('reads what gzip compressed, whatever it is called, and the standard input', async () => {
    const content = gzipSync([praise('a', '1'), praise('a', '2')].join('\n'));
    expect(await json([await file(content, 'activities')])).toMatchObject({ points: 4 });
    expect(await json(['-'], { stdin: content })).toMatchObject({ outcomes: { duplicate: 2 } });
  });

  it('imports nothing of a file with a bad line, and says which lines are bad and why', async () => {
    const lines = [
      praise('a', '1'),
      '{"userId":',
      JSON.stringify({ userId: 'a', action: 'praise' }),
      praise('', '1'),
      praise('a', '1', { action: 'applaud' }),
      praise('a', '1', { occurredAt: '2026-02-30T00:00:00Z' }),
      '[]',
      praise('a', '1', { points: 100 }),
      praise('b', '1'),
    ];
    const { exitCode, out, err } = await run([await file(lines.join('\n'))]);
    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(err).toContain('activities.ndjson:2: is not JSON\n');
    expect(err).toContain('activities.ndjson:3: subject is missing\n');
    expect(err).toMatch(/activities\.ndjson:4: userId must /);
    expect(err).toContain('activities.ndjson:5: action must be one of collect, comment, follow, praise, publish, view');
    expect(err).toContain('activities.ndjson:6: occurredAt must be a moment');
    expect(err).toContain('activities.ndjson:7: must be object');
    expect(err).toContain('activities.ndjson:8: points is not a known property');
    expect(err).toContain('7 of 9 lines cannot be imported, so nothing was');
    expect(await keys()).toEqual([]);
  });

  it('shows twenty bad lines and counts the others', async () => {
    const { err } = await run([await file('x\n'.repeat(25))]);
    expect(err.match(/is not JSON/g)).toHaveLength(20);
    expect(err).toContain('... and 5 more\n');
  });

  it('refuses a damaged archive before anything is imported', async () => {
    const whole = gzipSync(Array.from({ length: 5_000 }, (_, n) => praise(`user-${n}`, `${n * 7_919}`)).join('\n'));
    const { exitCode, err } = await run([await file(whole.subarray(0, whole.length - 100), 'cut.gz')]);
    expect(exitCode).toBe(1);
    expect(err).toContain('cut.gz cannot be read to its end: unexpected end of file.');
    expect(await keys()).toEqual([]);
  });

  it('says that activities are too old, and what to do about it', async () => {
    const path = await file(praise('a', '1', { occurredAt: '2004-04-15T00:00:00Z' }));
    const { out, err } = await run([path, '--json'], { env: { LAUREL_LATENESS_S: '', LAUREL_RETENTION: 'ledger=31' } });
    expect(JSON.parse(out)).toMatchObject({ outcomes: { closed: 1 } });
    expect(err).toContain('Too old for every leaderboard: 1. See --help.');
  });

  it('says that an activity without a date counts as of now', async () => {
    const { err } = await run([await file(praise('a', '1', { occurredAt: undefined }))]);
    expect(err).toContain('Without occurredAt: 1. They count as of now');
  });

  it('stops where it is interrupted, and goes on when it is run again', async () => {
    const path = await file(Array.from({ length: 5_000 }, (_, n) => praise(`user-${n}`, 'x')).join('\n'));
    const { exitCode, err } = await run([path], { interruptAt: 'Importing' });
    expect(exitCode).toBe(130);
    expect(err).toMatch(
      /Interrupted\. At least [1-4],[05]00 of 5,000 activities are recorded\. Run the same command again/,
    );
    const { points } = await json<{ points: number }>([path]);
    expect(points).toBeGreaterThan(0);
    expect(points).toBeLessThan(10_000);
  });

  it('imports nothing when it is interrupted while it checks', async () => {
    const path = await file(Array.from({ length: 5_000 }, (_, n) => praise(`user-${n}`, 'x')).join('\n'));
    const { exitCode, err } = await run([path], { interruptAt: 'Checking' });
    expect(exitCode).toBe(130);
    expect(err).toContain('Interrupted: nothing was imported.');
    expect(await keys()).toEqual([]);
  });

  it.each<[string, string[], RegExp, NodeJS.ProcessEnv?]>([
    ['a file that is not there', ['nowhere.ndjson'], /nowhere\.ndjson cannot be read: no such file or directory\.$/m],
    ['a folder', [tmpdir()], /is a folder: name a file/],
    ['no file', [], /missing required argument 'file'/],
    [
      'a bad variable',
      ['-'],
      /LAUREL_SHARDS is "many": use a whole number from 1 to 1024\./,
      { LAUREL_SHARDS: 'many' },
    ],
    [
      'a Redis that is away',
      ['-'],
      /^Redis at 127\.0\.0\.1:1 does not answer/,
      { REDIS_URL: 'redis://:secret@127.0.0.1:1' },
    ],
  ])('refuses %s in one message', async (_, args, message, env = {}) => {
    const { exitCode, err } = await run(args, { env });
    expect(exitCode).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/secret|\n\s+at /);
  });

  it('refuses data that lies in another number of shards, naming both', async () => {
    const path = await file(praise('a', '1'));
    await run([path], { env: { LAUREL_SHARDS: '2' } });
    const { exitCode, err } = await run([path], { env: { LAUREL_SHARDS: '8' } });
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^LAUREL_SHARDS is 8, but the data under the prefix .* has 2: leave LAUREL_SHARDS out/m);
  });

  it('has help', async () => {
    const { out } = await run(['--help']);
    expect(out).toContain('Usage: laurel import [options] <file>');
    expect(out).toContain('POST /activity/events');
  });
});
