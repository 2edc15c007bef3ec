import { asApiError, type ApiError } from '../http/api-error';
import type { Stop } from './watch';

const slowestRetryMs = 10_000;

/** What is asked again and again, and who hears of it. */
export interface Poll<Answer> {
  readonly everyMs: number;
  ask: (signal: AbortSignal) => Promise<Answer>;
  answer: (answer: Answer) => void;
  fault: (error: ApiError) => void;
}

/**
 * Asks, one question at a time, and not while nobody looks. After faults it asks less often, as the server wishes where
 * it says so, and at once when the browser finds the network again.
 */
export function poll<Answer>({ everyMs, ask, answer, fault }: Poll<Answer>): Stop {
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    let nextMs = everyMs;
    try {
      const found = await ask(signal);
      if (signal.aborted) return;
      failures = 0;
      answer(found);
    } catch (error) {
      if (signal.aborted) return;
      const { retryAfterMs } = asApiError(error);
      nextMs = Math.min(retryAfterMs ?? everyMs * 2 ** Math.min(failures, 4), slowestRetryMs);
      failures += 1;
      fault(asApiError(error));
    }
    if (!signal.aborted) timer = setTimeout(() => void turn(signal), nextMs);
  }

  function rest(): void {
    abort.abort();
    clearTimeout(timer);
  }

  function restart(): void {
    rest();
    abort = new AbortController();
    if (!document.hidden) void turn(abort.signal);
  }

  document.addEventListener('visibilitychange', restart);
  window.addEventListener('online', restart);
  restart();
  return () => {
    rest();
    document.removeEventListener('visibilitychange', restart);
    window.removeEventListener('online', restart);
  };
}
