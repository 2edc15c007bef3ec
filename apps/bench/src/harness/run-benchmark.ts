import type { Benchmark, BenchContext } from './context';
import type { Comparison } from './sample';

/** A figure, and the benchmark that measured it. */
export interface Measured extends Comparison {
  readonly benchmark: string;
}

/** A benchmark that did not end. */
export interface Failure {
  readonly name: string;
  readonly title: string;
  /** Why. */
  readonly message: string;
}

/** The result of a run of benchmarks. */
export interface Results {
  readonly comparisons: readonly Measured[];
  readonly failures: readonly Failure[];
  /** How long each benchmark took, its preparation included. */
  readonly seconds: Readonly<Record<string, number>>;
}

export const noResults: Results = { comparisons: [], failures: [], seconds: {} };

export function together(one: Results, other: Results): Results {
  return {
    comparisons: [...one.comparisons, ...other.comparisons],
    failures: [...one.failures, ...other.failures],
    seconds: { ...one.seconds, ...other.seconds },
  };
}

/** Runs a benchmark in this process. Where it fails, that is noted, and what it had measured is kept. */
export async function runBenchmark(benchmark: Benchmark, context: BenchContext): Promise<Results> {
  const { name, title } = benchmark;
  const comparisons: Measured[] = [];
  const report = (done: readonly Comparison[]) => {
    comparisons.push(...done.map((comparison) => ({ ...comparison, benchmark: name })));
    context.report(done);
  };
  const failures: Failure[] = [];
  const startedMs = performance.now();
  context.say(`\n${name}: ${title}`);
  try {
    await benchmark.run({ ...context, report });
  } catch (error) {
    context.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    failures.push({ name, title, message: error instanceof Error ? error.message : String(error) });
  }
  return { comparisons, failures, seconds: { [name]: Math.round((performance.now() - startedMs) / 1_000) } };
}
