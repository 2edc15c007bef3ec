import { randomInt } from 'node:crypto';

/** Whether every case of every random test runs, with seeds nobody has seen: at night and before a release. */
export const isLongRun = process.env.LAUREL_TEST_FULL === '1';

/**
 * The seed of this run's random tests: the same each time, a fresh one in the long run. `LAUREL_TEST_SEED` repeats an
 * earlier run, or asks what nobody has asked yet.
 */
export const seed = Number(process.env.LAUREL_TEST_SEED ?? (isLongRun ? randomInt(2 ** 31) : 20_261_123));

// Once in every suite that draws at random, so that a run can be repeated.
process.stdout.write(`seed ${seed} (repeat with LAUREL_TEST_SEED=${seed})\n`);

/** The items in an order drawn from the run's {@link seed}: Fisher and Yates. */
export function shuffled<T>(items: readonly T[]): T[] {
  const draw = drawer();
  const drawn = [...items];
  for (let i = drawn.length - 1; i > 0; i--) {
    const j = draw(i + 1);
    [drawn[i], drawn[j]] = [drawn[j] as T, drawn[i] as T];
  }
  return drawn;
}

/** Draws whole numbers below a bound from the run's {@link seed}, by a Lehmer generator. */
export function drawer(): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
