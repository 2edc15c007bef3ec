import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait, how often to look, and whether there is still something to wait for. */
export interface PollOptions {
  readonly withinMs: number;
  /** Time between two looks (25). */
  readonly everyMs?: number;
  /** Checked before each look: once true, waiting ends. */
  readonly until?: () => boolean;
}

/**
 * Looks until `probe` finds something and gives it back. A probe that throws has found nothing yet.
 * @returns what was found, or undefined when the time is over or `until` says so.
 */
export async function poll<T>(probe: () => Promise<T | undefined>, options: PollOptions): Promise<T | undefined> {
  const { withinMs, everyMs = 25, until } = options;
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && !until?.()) {
    const found = await probe().catch(() => undefined);
    if (found !== undefined) return found;
    await delay(everyMs);
  }
  return undefined;
}
