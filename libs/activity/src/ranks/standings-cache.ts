import type { Clock } from '@laurel/leaderboard';

interface Copy<T> {
  readonly readAtMs: number;
  readonly value: Promise<T>;
}

/** The most copies kept: more pages than anyone looks at within a copy's life. */
const maxCopies = 500;

/**
 * Copies of what was read a moment ago. All who ask for one thing while it is being read share that read. How old a copy
 * may be counts from the start of its read; failures are shared with those who wait, and not kept.
 */
export class StandingsCache<T> {
  private readonly copies = new Map<string, Copy<T>>();

  /** @param maxAgeMs 0: every call reads for itself. */
  constructor(
    private readonly clock: Clock,
    private readonly maxAgeMs: number,
  ) {}

  /** The copy under `key` where one is young enough, else what `read` gives. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    if (this.maxAgeMs === 0) return read();
    const now = this.clock.now();
    const copy = this.copies.get(key);
    if (copy) {
      const ageMs = now - copy.readAtMs;
      // A clock that was set back would keep a copy for longer.
      if (ageMs >= 0 && ageMs < this.maxAgeMs) return copy.value;
      this.copies.delete(key);
    }
    const value = read();
    this.makeRoom();
    const made = { readAtMs: now, value };
    this.copies.set(key, made);
    value.catch(() => {
      if (this.copies.get(key) === made) this.copies.delete(key);
    });
    return value;
  }

  private makeRoom(): void {
    if (this.copies.size < maxCopies) return;
    // A Map keeps the order of insertion: the first is the oldest.
    const [oldest] = this.copies.keys();
    if (oldest !== undefined) this.copies.delete(oldest);
  }
}
