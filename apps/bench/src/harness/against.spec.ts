import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runAgainst, type AgainstOptions } from './against';
import { checkOut, commitOf } from './checkout';
import type { Benchmark } from './context';
import { changesTableOf } from './report';
import { runRow, type Program } from './row-process';

const run = promisify(execFile);

/**
 * Benchmarks of a few lines: `rows` has the figures of each round by the row's name. A row without figures fails, one
 * that is not there is refused as the command refuses it.
 */
const tiny = (
  rows: Readonly<Record<string, { unit: string; figures: readonly number[]; setting?: string } | 'fails' | 'hangs'>>,
) => `
const { mkdirSync, appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const rows = ${JSON.stringify(rows)};
const name = process.argv[process.argv.indexOf('--only') + 1];
const row = rows[name];
const log = join(__dirname, 'log');
if (process.argv.includes('--help')) process.exit(0);
if (!row) { console.error('error: There is no "' + name + '": there are others.'); process.exit(1); }
if (row === 'fails') throw new Error('no server');
if (row === 'hangs') setInterval(() => console.error('still here'), 100);
else {
  appendFileSync(log, name + '\\n');
  const round = readFileSync(log, 'utf8').split('\\n').filter((line) => line === name).length - 1;
  const median = row.figures[round];
  const spread = { median, min: median, max: median };
  const one = { name, setting: row.setting ?? 's', unit: row.unit, subject: spread, baseline: spread, ratio: spread };
  mkdirSync('.data/bench', { recursive: true });
  writeFileSync('.data/bench/report.json', JSON.stringify({ results: [one] }));
}
`;

const row = (name: string): Benchmark => ({ name, title: `title of ${name}`, run: () => Promise.resolve() });

describe('two commits in turn', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'laurel-against-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    return join(folder, path);
  };
  const programOf = async (side: string, rows: Parameters<typeof tiny>[0]): Promise<Program> => [
    process.execPath,
    await put(`${side}/main.cjs`, tiny(rows)),
  ];
  const options = (sides: Pick<AgainstOptions, 'before' | 'after'>, said: string[] = []): AgainstOptions => ({
    ...sides,
    ...{ rounds: 3, argsOf: () => [], say: (line) => said.push(line) },
    ...{ timeoutMs: 60_000, signal: new AbortController().signal },
  });

  it('finds what became slower in every round, by time as by rate, and nothing where rounds disagree', async () => {
    const [cost, rate] = ['µs', 'events/s'];
    const before = await programOf('before', {
      slow: { unit: cost, figures: [10, 20, 30] },
      rate: { unit: rate, figures: [10, 20, 30] },
      noise: { unit: cost, figures: [10, 20, 30], setting: '1,138 bytes' },
    });
    const after = await programOf('after', {
      slow: { unit: cost, figures: [11, 22, 36] },
      rate: { unit: rate, figures: [11, 22, 36] },
      noise: { unit: cost, figures: [11, 19, 36], setting: '1,278 bytes' },
    });
    const said: string[] = [];
    const changes = await runAgainst(['slow', 'rate', 'noise'].map(row), options({ before, after }, said));
    expect(changes.changes.map(({ name, setting, verdict }) => [name, setting, verdict])).toEqual([
      ['slow', 's', 'slower'],
      ['rate', 's', 'faster'],
      // What it was measured on is in other words by now.
      ['noise', '1,278 bytes', 'same'],
    ]);
    expect(changes.changes[0]).toMatchObject({
      before: { median: 20, min: 10, max: 30 },
      after: { median: 22, min: 11, max: 36 },
      ratio: { median: 1.1, min: 1.1, max: 1.2 },
    });
    expect(changesTableOf(changes, 'abc').split('\n\n').slice(-2)).toEqual([
      'Slower in every round:',
      '- slow, s: 1.10 (1.10–1.20)',
    ]);
    // The side that begins changes, so that neither always finds the machine as the other left it.
    const turns = said.flatMap((line) => / (before|after):/.exec(line)?.[1] ?? []);
    expect(turns.slice(0, 6)).toEqual(['before', 'after', 'after', 'before', 'before', 'after']);
  });

  it('names rows that only one side has, and rows that fail on a side', async () => {
    const figures = { unit: 'µs', figures: [1, 1, 1] };
    const before = await programOf('before', { broken: figures });
    const after = await programOf('after', { broken: 'fails', fresh: figures });
    const changes = await runAgainst(['broken', 'fresh'].map(row), options({ before, after }));
    expect(changes).toEqual({
      changes: [],
      failures: [{ name: 'broken', title: 'title of broken', message: 'after: Error: no server' }],
      added: ['fresh'],
    });
    const table = changesTableOf(changes, 'abc');
    expect(table).toContain('| title of broken | FAILED: after: Error: no server |');
    expect(table).toContain('abc does not have:\n\n- fresh');
  });

  it('ends a row that hangs, and says so', async () => {
    const program = await programOf('one', { stuck: 'hangs' });
    const signal = new AbortController().signal;
    const results = await runRow(program, row('stuck'), { args: [], say: () => undefined, timeoutMs: 300, signal });
    expect(results.failures).toEqual([
      { name: 'stuck', title: 'title of stuck', message: 'It took longer than 0.3 seconds.' },
    ]);
  });

  it('ends with the process that asked for it', async () => {
    const program = await programOf('one', { stuck: 'hangs' });
    const stop = new AbortController();
    const say = () => stop.abort(new Error('Ended by SIGINT.'));
    const ended = runRow(program, row('stuck'), { args: [], say, timeoutMs: 60_000, signal: stop.signal });
    await expect(ended).rejects.toThrow('Ended by SIGINT.');
  });

  it('puts the other commit beside the files that are worked on, and removes it', async () => {
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    await put(
      'tools/run.mjs',
      `import { createRequire } from 'node:module';
      createRequire(import.meta.url)('./main.cjs');`,
    );
    await put('tools/main.cjs', tiny({ one: { unit: 'µs', figures: [1] } }));
    await put('package-lock.json', '{}');
    await put('.gitignore', '.data\nnode_modules\n');
    await put('node_modules/some/index.js', '');
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-qm', 'one');
    await put('tools/main.cjs', 'broken');
    await put('package-lock.json', '{ }');
    const first = await commitOf(folder);
    expect(first).toMatchObject({ isChanged: true });

    const said: string[] = [];
    const { commit, program, remove } = await checkOut(folder, 'HEAD', (line) => said.push(line));
    expect(commit).toBe(first?.commit);
    expect(said).toEqual([
      `${commit} has another package-lock.json: both sides run with the packages that are installed here.`,
      `Compiling ${commit} ...`,
    ]);
    const signal = new AbortController().signal;
    const { comparisons } = await runRow(program, row('one'), {
      args: [],
      say: () => undefined,
      timeoutMs: 60_000,
      signal,
    });
    expect(comparisons).toMatchObject([{ benchmark: 'one', subject: { median: 1 } }]);
    await remove();
    expect(await readdir(join(folder, '.data/bench'))).toEqual([]);
    expect((await git('worktree', 'list')).stdout.trim().split('\n')).toHaveLength(1);
    await expect(checkOut(folder, 'nowhere', () => undefined)).rejects.toThrow(
      'There is no commit "nowhere": name one that `git log` shows.',
    );
  });
});
