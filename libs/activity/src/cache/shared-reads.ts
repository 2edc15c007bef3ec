import { TimedCache } from './timed-cache';

/**
 * Reads that everyone shares who asks within `ttlMs` of a read's start. Callers that wait for a read share its failure
 * too; a failure is not kept.
 */
export class SharedReads<T> extends TimedCache<Promise<T>> {
  /** The read under `key`, else a new one, which weighs `weight` while it is kept. */
  read(key: string, read: () => Promise<T>, weight = 1): Promise<T> {
    const kept = this.get(key);
    if (kept) return kept;
    const made = read();
    this.set(key, made, weight);
    made.catch(() => {
      if (this.get(key) === made) this.delete(key);
    });
    return made;
  }
}
