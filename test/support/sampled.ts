/** How often something repeats itself: at each commit, and in the long run. */
export interface Repetitions {
  readonly sample: number;
  readonly full: number;
}

/**
 * A random test makes a sample of its runs at each commit, by a fresh seed each time, and all of them in the long run:
 * `LAUREL_TEST_FULL=1`, at night and before a release.
 */
export function sampled({ sample, full }: Repetitions): number {
  return process.env.LAUREL_TEST_FULL === '1' ? full : sample;
}
