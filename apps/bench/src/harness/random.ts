/** Numbers from 0 to 1 that a seed repeats: Lehmer's generator (Park and Miller, 1988). */
export function lehmer(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

/** Draws one of `count` users; how often each comes is what a benchmark's setting says. */
export type DrawUser = () => number;

/** Every user as often as any other. */
export function uniform(count: number, random: () => number): DrawUser {
  return () => Math.floor(random() * count);
}

/** Draws user k as often as 1 / k: a few users do most, as in real communities. By inversion of the summed weights. */
export function zipf(count: number, random: () => number): DrawUser {
  const sums = new Float64Array(count);
  let total = 0;
  for (let i = 0; i < count; i++) sums[i] = total += 1 / (i + 1);
  return () => {
    const wanted = random() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
