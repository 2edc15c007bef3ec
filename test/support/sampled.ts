import { isLongRun, shuffled } from './seed';

/** How often something repeats itself: at each commit, and in the long run. */
export interface Repetitions {
  readonly sample: number;
  /** In the suite beside it that ends in `.deep.spec.ts`. Where there is one, the other makes its sample alone. */
  readonly deep?: number;
  readonly full: number;
}

/**
 * A random test makes a sample of its runs at each commit, more of them in `npm run test:deep` where a suite of that
 * name is beside it, and all of them in the long run: `LAUREL_TEST_FULL=1`, at night and before a release.
 */
export function sampled({ sample, deep, full }: Repetitions): number {
  if (deep === undefined) return isLongRun ? full : sample;
  if (!expect.getState().testPath?.endsWith('.deep.spec.ts')) return sample;
  return isLongRun ? full : deep;
}

/**
 * Of cases of one kind, so many at each commit, drawn by the run's seed, and all of them in the long run. The suite
 * announces the seed; the names of its tests say what was drawn.
 */
export function sampleOf<Case>(cases: readonly Case[], count: number): Case[] {
  const drawn = new Set(shuffled(cases).slice(0, sampled({ sample: count, full: cases.length })));
  return cases.filter((one) => drawn.has(one));
}
