import { asApiError, type ApiError } from '../http/api-error';
import type { Stop } from './watch';
import { whileLookedAt } from './while-looked-at';

const slowestRetryMs = 10_000;

/** A repeated read, and the functions that take its answers and faults. */
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
  let failures = 0;
  return whileLookedAt(async (signal) => {
    try {
      const found = await ask(signal);
      if (signal.aborted) return everyMs;
      failures = 0;
      answer(found);
      return everyMs;
    } catch (error) {
      if (signal.aborted) return everyMs;
      const read = asApiError(error);
      const nextMs = Math.min(read.retryAfterMs ?? everyMs * 2 ** Math.min(failures, 4), slowestRetryMs);
      failures += 1;
      fault(read);
      return nextMs;
    }
  }).stop;
}
