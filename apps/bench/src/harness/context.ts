import type { Comparison } from './sample';

/** What every benchmark is given. */
export interface BenchContext {
  /** Sizes of boards to measure on. */
  readonly memberCounts: readonly number[];
  /** Rounds that count. */
  readonly rounds: number;
  /** Shortens what one round does, to try the benchmarks out. */
  readonly isQuick: boolean;
  /** Told comparisons as they are done. */
  readonly report: (comparisons: readonly Comparison[]) => void;
  /** Told what is going on. */
  readonly say: (line: string) => void;
}

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  run(context: BenchContext): Promise<void>;
}
