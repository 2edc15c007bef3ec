import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from './context';
import { machineOf, tableOf, writeReport } from './report';
import { runBenchmarks } from './run-benchmarks';
import type { Comparison } from './sample';

const spread = { median: 1, min: 1, max: 1 };
const comparison = (name: string): Comparison => ({
  ...{ name, setting: 's', unit: 'u', baselineName: 'b', target: null },
  ...{ subject: spread, baseline: spread, ratio: spread },
});
const good = (name: string): Benchmark => ({
  name,
  title: `title of ${name}`,
  run: ({ report }) => Promise.resolve(report([comparison(name)])),
});
const bad: Benchmark = {
  name: 'bad',
  title: 'title of bad',
  run: ({ report }) => {
    report([comparison('bad, first part')]);
    return Promise.reject(new Error('it was answered 429 | by itself\nsecond line'));
  },
};
const context = {
  ...{ memberCounts: [1], rounds: 1, isQuick: true },
  ...{ say: () => undefined, report: () => undefined },
};

describe('running benchmarks', () => {
  it('keeps what the others measured when one fails, and says which failed and why', async () => {
    const { comparisons, failures } = await runBenchmarks([good('one'), bad, good('two')], context);
    expect(comparisons.map(({ name }) => name)).toEqual(['one', 'bad, first part', 'two']);
    expect(failures).toEqual([
      { name: 'bad', title: 'title of bad', message: 'it was answered 429 | by itself\nsecond line' },
    ]);
  });

  it('has a row for a benchmark that failed, in the table and in the JSON', async () => {
    const results = await runBenchmarks([good('one'), bad], context);
    const rows = tableOf(results).split('\n');
    expect(rows.at(-1)).toBe('| title of bad | FAILED: it was answered 429 \\| by itself | | | | |');
    const folder = await mkdtemp(join(tmpdir(), 'laurel-bench-'));
    try {
      const file = await writeReport(folder, 'now', machineOf('7.0'), results);
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
        results: [{ name: 'one' }, { name: 'bad, first part' }],
        failures: [{ name: 'bad' }],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
