import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOfRepository } from '../../support/temporary-folder';
import { run } from '../../support/run';

const spread = { median: 1, min: 1, max: 2 };
const measured = {
  ...{ date: '2026-11-22T10:00:00.000Z', commit: '0123456789', options: '' },
  ...{ node: 'v20.20.2', redis: '7.0.15', cpu: 'Some CPU', cores: 2, loadBefore: 0.1 },
};
const report = {
  measured,
  results: [
    {
      ...{ benchmark: 'one', name: 'first figure', setting: '10 members', unit: 'µs', baselineName: 'b' },
      ...{ subject: spread, baseline: spread, ratio: spread, target: { of: 'ratio', atMost: 1.1 } },
    },
  ],
  failures: [{ name: 'two', title: 'second figure', message: 'no server' }],
  seconds: { one: 60, two: 3 },
};
const comparison = {
  ...{ measured: { ...measured, options: '--against v1' }, against: 'abcdef0123', added: [], failures: [] },
  changes: [
    {
      ...{ benchmark: 'one', name: 'first figure', setting: '10 members', unit: 'µs', verdict: 'slower' },
      ...{ before: spread, after: spread, ratio: { median: 1.5, min: 1.2, max: 2 } },
    },
  ],
};

const page = `# Figures

<!-- bench: run -->
<!-- /bench -->

<!-- bench: one two -->
<!-- /bench -->

<!-- bench: against -->
<!-- /bench -->
`;

describe('node tools/bench-tables.mjs', () => {
  const { folder: clone, put } = copyOfRepository(['tools', 'apps/bench/src/harness'], 'each test');
  const tables = (...args: string[]) => run(process.execPath, ['tools/bench-tables.mjs', ...args], { cwd: clone });
  const text = () => readFile(join(clone, 'docs/benchmarks.md'), 'utf8');

  beforeEach(async () => {
    await put('docs/benchmarks.md', page);
    await put('.data/bench/2026-11-22T10-00-00-000Z.json', JSON.stringify(report));
  });

  it('writes the newest run into the page: its figures, failures, commit, day and machine', async () => {
    await tables('--write');
    expect(await text()).toContain(
      'Measured at 0123456789 on 2026-11-22 by `npm run bench`, in 2 minutes: ' +
        'Some CPU, 2 cores, Node v20.20.2, Redis 7.0.15, load 0.1 before it began.',
    );
    expect(await text()).toMatch(
      /\| first figure +\| 10 members +\| 1\.00 \(1\.00–2\.00\) µs +\|.*\| ≤ 1\.1, reached \|\n\| second figure +\| FAILED: no server \|/,
    );
  });

  it('keeps the run when it takes a comparison of two commits', async () => {
    await tables('--write');
    await put('.data/bench/2026-11-22T11-00-00-000Z.json', JSON.stringify(comparison));
    await tables('--write');
    expect(await text()).toContain(
      'Measured at abcdef0123 and 0123456789 on 2026-11-22 by `npm run bench -- --against v1`:',
    );
    expect(await text()).toContain('- first figure, 10 members: 1.50 (1.20–2.00)');
    expect(await text()).toContain('Measured at 0123456789 on 2026-11-22 by `npm run bench`, in 2 minutes:');
  });

  it('lets a run of some rows stand in for these until the next run of all', async () => {
    await tables('--write');
    const [first] = report.results;
    const younger = {
      ...report,
      measured: { ...measured, commit: 'abcdef0123', options: '--only two' },
      results: [{ ...first, benchmark: 'two', name: 'second figure' }],
      failures: [],
      seconds: { two: 3 },
    };
    await put('.data/bench/2026-11-22T11-00-00-000Z.json', JSON.stringify(younger));
    await tables('--write');
    expect(await text()).toMatch(/\| first figure .*\n\| second figure +\| 10 members/);
    expect(await text()).not.toContain('FAILED');
    expect(await text()).toContain('Measured at 0123456789 on 2026-11-22 by `npm run bench`, in 2 minutes:');
    expect(await text()).toContain(
      '`two`: Measured at abcdef0123 on 2026-11-22 by `npm run bench -- --only two`, in 1 minute:',
    );
    await put('.data/bench/2026-11-22T12-00-00-000Z.json', JSON.stringify(report));
    await tables('--write');
    expect(await text()).toContain('FAILED');
    expect(await text()).not.toContain('abcdef0123');
  });

  it('fails by --check where a figure was written by hand', async () => {
    await tables('--write');
    await tables('--check');
    await put('docs/benchmarks.md', (await text()).replace('1.00 (1.00–2.00) µs', '0.90 (0.90–2.00) µs'));
    await expect(tables('--check')).rejects.toMatchObject({
      stderr: 'docs/benchmarks.md is stale: run `npm run generate` and commit it.\n',
    });
  });

  it('refuses a run with a row that the page has no table for', async () => {
    await put('docs/benchmarks.md', page.replace('one two', 'one'));
    await expect(tables('--write')).rejects.toMatchObject({
      stderr: expect.stringContaining('docs/benchmarks.md has no table for two: put `<!-- bench: <row> -->`') as string,
    });
  });
});
