import { performance } from 'node:perf_hooks';

/** When a relay's loops wait, and until when. */
export class RelayClock {
  private readonly idlers = new Set<() => void>();
  private readonly pausers = new Set<() => void>();
  /** Woken while none was idle: the next that would be idle looks once more. */
  private isWoken = false;
  private endMs = Infinity;

  get isStopping(): boolean {
    return this.endMs < Infinity;
  }

  /** Whether the time to stop is over as well. */
  get isOver(): boolean {
    return performance.now() >= this.endMs;
  }

  /** Ends one idle wait, or the next. */
  wake(): void {
    const [idler] = this.idlers;
    if (idler) idler();
    else this.isWoken = true;
  }

  /** Ends all waits. */
  stop(withinMs: number): void {
    this.endMs = performance.now() + withinMs;
    for (const end of [...this.idlers, ...this.pausers]) end();
  }

  /** Resolves when woken or stopped, at the latest after so long. */
  async idle(ms: number): Promise<void> {
    if (!this.isWoken) await wait(this.idlers, ms);
    this.isWoken = false;
  }

  /** Resolves when stopped, at the latest after so long. */
  async pause(ms: number): Promise<void> {
    await wait(this.pausers, ms);
  }
}

function wait(waiters: Set<() => void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      waiters.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    waiters.add(end);
  });
}
