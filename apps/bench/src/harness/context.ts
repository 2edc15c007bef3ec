import { join } from 'node:path';
import type { Comparison } from './sample';

/** Where the command writes its reports, below the folder that it is started in. */
export const reportFolder = join('.data', 'bench');

/** The argument of every benchmark. */
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

/** One row of `npm run bench`: what belongs together and needs the same data. */
export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** Sizes of boards in a usual run, so that all rows end in 25 minutes; 10,000 members where a row does not say. */
  readonly members?: readonly number[];
  /** Rounds of a usual run; 5 where a row does not say. */
  readonly rounds?: number;
  run(context: BenchContext): Promise<void>;
}
