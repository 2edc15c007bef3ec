import { TimedCache } from './timed-cache';

/**
 * Reads that all callers within `ttlMs` of their start share. Callers that wait for a read share its failure too; a
 * failure is not cached.
 */
export class SharedReads<T> extends TimedCache<Promise<T>> {
  private readonly given = new WeakMap<Promise<T>, T>();

  /** The cached result under `key`; undefined if the read is not done. */
  peek(key: string): T | undefined {
    const kept = this.get(key);
    return kept && this.given.get(kept);
  }

  /** The read under `key`, else a new one, which weighs `weight` while it is kept. */
  read(key: string, read: () => Promise<T>, weight = 1): Promise<T> {
    const kept = this.get(key);
    if (kept) return kept;
    const made = read();
    this.set(key, made, weight);
    made.then(
      (value) => this.given.set(made, value),
      () => {
        if (this.get(key) === made) this.delete(key);
      },
    );
    return made;
  }
}
