import { shuffled } from './seed';

/** How often something repeats itself: at each commit, and in the long run. */
export interface Repetitions {
  readonly sample: number;
  readonly full: number;
}

const isLongRun = process.env.LAUREL_TEST_FULL === '1';

/**
 * A random test makes a sample of its runs at each commit, by a fresh seed each time, and all of them in the long run:
 * `LAUREL_TEST_FULL=1`, at night and before a release.
 */
export function sampled({ sample, full }: Repetitions): number {
  return isLongRun ? full : sample;
}

/**
 * Of cases of one kind, so many at each commit, drawn by the run's seed, and all of them in the long run. The suite
 * announces the seed; the names of its tests say what was drawn.
 */
export function sampleOf<Case>(cases: readonly Case[], count: number): Case[] {
  const drawn = new Set(shuffled(cases).slice(0, sampled({ sample: count, full: cases.length })));
  return cases.filter((one) => drawn.has(one));
}
