import { performance } from 'node:perf_hooks';

/** The requests of one user or address since its first. */
interface CountedWindow {
  count: number;
  readonly endsAtMs: number;
}

/** Counts requests by a key, in windows that begin with the first request of each. */
export class RequestCounts {
  // A Map keeps the order of insertion: the window that began first is the first.
  private readonly windows = new Map<string, CountedWindow>();

  /** @param maxWindows beyond it the window that began first is forgotten. */
  constructor(
    private readonly windowMs: number,
    private readonly maxWindows: number,
  ) {}

  /** Counts a request: how many there are in its window, and in how many milliseconds that ends. */
  add(key: string): { readonly count: number; readonly endsInMs: number } {
    const nowMs = performance.now();
    let window = this.windows.get(key);
    if (!window || window.endsAtMs <= nowMs) {
      window = { count: 0, endsAtMs: nowMs + this.windowMs };
      this.windows.delete(key);
      const [oldest] = this.windows.size < this.maxWindows ? [] : this.windows.keys();
      if (oldest !== undefined) this.windows.delete(oldest);
      this.windows.set(key, window);
    }
    window.count += 1;
    return { count: window.count, endsInMs: window.endsAtMs - nowMs };
  }
}
