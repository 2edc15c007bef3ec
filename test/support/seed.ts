import { randomInt } from 'node:crypto';

/** The seed of this run's random tests: `LAUREL_TEST_SEED` repeats an earlier run. */
export const seed = Number(process.env.LAUREL_TEST_SEED ?? randomInt(2 ** 31));

/** Says the seed, so that a run can be repeated: call it once in every suite that draws at random. */
export function announceSeed(): void {
  process.stdout.write(`seed ${seed} (repeat with LAUREL_TEST_SEED=${seed})\n`);
}
