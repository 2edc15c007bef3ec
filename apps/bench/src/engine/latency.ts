/** The middle time of a call, one after the other, in microseconds. */
export async function medianMicroseconds(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const started = performance.now();
    await call();
    times[i] = performance.now() - started;
  }
  return (times.sort()[calls >> 1] as number) * 1_000;
}
