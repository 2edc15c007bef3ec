import type { Stop } from './watch';

/** Work that goes on while the page is looked at. */
export interface WhileLookedAt {
  /** Breaks off the turn that is under way; the next begins when the page is shown or the network is back. */
  readonly pause: () => void;
  readonly stop: Stop;
}

/**
 * Runs `turn` repeatedly, one at a time. Each turn returns the milliseconds until the next. A hidden page rests; a turn
 * begins at once when the page is shown again, and when the browser is online again.
 * @param turn its signal aborts when the turn is interrupted; its result is ignored then.
 */
export function whileLookedAt(turn: (signal: AbortSignal) => Promise<number>): WhileLookedAt {
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(signal: AbortSignal): Promise<void> {
    const nextMs = await turn(signal);
    if (!signal.aborted) timer = setTimeout(() => void run(signal), nextMs);
  }

  function pause(): void {
    abort.abort();
    clearTimeout(timer);
  }

  function restart(): void {
    pause();
    abort = new AbortController();
    if (!document.hidden) void run(abort.signal);
  }

  document.addEventListener('visibilitychange', restart);
  window.addEventListener('online', restart);
  restart();
  return {
    pause,
    stop: () => {
      pause();
      document.removeEventListener('visibilitychange', restart);
      window.removeEventListener('online', restart);
    },
  };
}
