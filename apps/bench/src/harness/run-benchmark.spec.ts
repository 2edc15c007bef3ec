import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from './context';
import { machineOf, tableOf, writeReport } from './report';
import { noResults, runBenchmark, together } from './run-benchmark';
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
const all = async (...benchmarks: readonly Benchmark[]) => {
  let results = noResults;
  for (const benchmark of benchmarks) results = together(results, await runBenchmark(benchmark, context));
  return results;
};

describe('running benchmarks', () => {
  it('keeps what the others measured when one fails, and says which failed and why', async () => {
    const { comparisons, failures, seconds } = await all(good('one'), bad, good('two'));
    expect(comparisons.map(({ benchmark, name }) => [benchmark, name])).toEqual([
      ['one', 'one'],
      ['bad', 'bad, first part'],
      ['two', 'two'],
    ]);
    expect(failures).toEqual([
      { name: 'bad', title: 'title of bad', message: 'it was answered 429 | by itself\nsecond line' },
    ]);
    expect(Object.keys(seconds)).toEqual(['one', 'bad', 'two']);
  });

  it('has a row for a benchmark that failed, in the table and in the JSON', async () => {
    const results = await all(good('one'), bad);
    const rows = tableOf(results).split('\n');
    expect(rows.at(-1)).toBe('| title of bad | FAILED: it was answered 429 \\| by itself |  |  |  |  |');
    const folder = await mkdtemp(join(tmpdir(), 'laurel-bench-'));
    try {
      const measured = { ...machineOf(), date: '2026-11-22T10:00:00.000Z', commit: 'abc', redis: '7.0', options: '' };
      const { comparisons, failures, seconds } = results;
      const file = await writeReport(folder, { measured, results: comparisons, failures, seconds });
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
        measured: { commit: 'abc', date: '2026-11-22T10:00:00.000Z' },
        results: [{ benchmark: 'one' }, { benchmark: 'bad', name: 'bad, first part' }],
        failures: [{ name: 'bad' }],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
