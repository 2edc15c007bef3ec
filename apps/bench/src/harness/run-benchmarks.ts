import type { Benchmark, BenchContext } from './context';
import type { Comparison } from './sample';

/** A benchmark that gave no figures. */
export interface Failure {
  readonly name: string;
  readonly title: string;
  /** Why. */
  readonly message: string;
}

/** What a run of several benchmarks came to. */
export interface Results {
  readonly comparisons: readonly Comparison[];
  readonly failures: readonly Failure[];
}

/** Runs benchmarks one after the other. A benchmark that fails is noted; what the others measured is kept. */
export async function runBenchmarks(benchmarks: readonly Benchmark[], context: BenchContext): Promise<Results> {
  const comparisons: Comparison[] = [];
  const failures: Failure[] = [];
  const report = (done: readonly Comparison[]) => {
    comparisons.push(...done);
    context.report(done);
  };
  for (const benchmark of benchmarks) {
    const { name, title } = benchmark;
    context.say(`\n${name}: ${title}`);
    try {
      await benchmark.run({ ...context, report });
    } catch (error) {
      context.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      failures.push({ name, title, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { comparisons, failures };
}
