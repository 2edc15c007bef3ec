import { TimedCache } from './timed-cache';

/**
 * Reads that everyone shares who asks within `ttlMs` of a read's start. Callers that wait for a read share its failure
 * too; a failure is not kept.
 */
export class SharedReads<T> extends TimedCache<Promise<T>> {
  private readonly given = new WeakMap<Promise<T>, T>();

  /** What a kept read under `key` has given already; undefined where it would have to be waited for. */
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
