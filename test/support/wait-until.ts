import { setTimeout as delay } from 'node:timers/promises';

/** How long {@link waitUntil} waits (30 s, for what hangs), how often it looks (20 ms), and its name in the error. */
export interface WaitOptions {
  readonly withinMs?: number;
  readonly everyMs?: number;
  readonly what?: string;
}

/**
 * Waits until a condition holds: until it gives something truthy, and gives that back. A condition that throws does
 * not hold yet.
 * @throws Error when the time is over, with the condition's last error as its cause.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 20, what = 'the condition' }: WaitOptions = {},
): Promise<NonNullable<Awaited<T>>> {
  const deadline = performance.now() + withinMs;
  let cause: unknown;
  do {
    try {
      const held = await condition();
      if (held) return held;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(everyMs);
  } while (performance.now() < deadline);
  throw new Error(`${what} did not come to hold within ${withinMs} ms.`, { cause });
}
