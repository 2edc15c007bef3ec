import type { Clock } from '@laurel/leaderboard';

/** How long values are cached, by which clock, and how much they may weigh together. */
export interface TimedCacheOptions {
  readonly clock: Clock;
  /** 0: nothing is cached. Infinity: until others take the room. */
  readonly ttlMs: number;
  /** Beyond it the oldest values are dropped. */
  readonly maxWeight: number;
}

interface Cached<Value> {
  readonly value: Value;
  readonly setAtMs: number;
  readonly weight: number;
}

/** The shortest time between two purges of a cache that nobody uses. */
const purgeMs = 1_000;

/**
 * Values that are cached for a time, by the app's clock: the one cache of the module. Expired values are dropped
 * whatever is asked for next, and also while nobody asks.
 */
export class TimedCache<Value> {
  // A Map keeps the order of insertion: the first is the oldest.
  private readonly values = new Map<string, Cached<Value>>();
  /** Goes on from the oldest: a new walk would pass over the place of each value that was dropped before. */
  private walk = this.values.entries();
  private oldest: [string, Cached<Value>] | undefined;
  private totalWeight = 0;
  private purging: NodeJS.Timeout | undefined;

  constructor(private readonly options: TimedCacheOptions) {}

  /** The weight of all values. */
  get weight(): number {
    return this.totalWeight;
  }

  get(key: string): Value | undefined {
    this.purge();
    const cached = this.values.get(key);
    // After the clock was set back, an old value may stand behind a young one.
    return cached && this.isYoung(cached) ? cached.value : undefined;
  }

  set(key: string, value: Value, weight = 1): void {
    const { ttlMs, maxWeight, clock } = this.options;
    if (ttlMs === 0) return;
    this.delete(key);
    this.dropWhile(() => this.totalWeight + weight > maxWeight);
    this.values.set(key, { value, setAtMs: clock.now(), weight });
    this.totalWeight += weight;
    this.purgeLater();
  }

  delete(key: string): void {
    this.totalWeight -= this.values.get(key)?.weight ?? 0;
    this.values.delete(key);
  }

  private isYoung({ setAtMs }: Cached<Value>): boolean {
    const ageMs = this.options.clock.now() - setAtMs;
    // A clock that was set back would keep a value for longer.
    return ageMs >= 0 && ageMs < this.options.ttlMs;
  }

  private purge(): void {
    this.dropWhile((oldest) => !this.isYoung(oldest));
  }

  private dropWhile(isOver: (oldest: Cached<Value>) => boolean): void {
    while (this.values.size > 0) {
      const [key = '', cached] = this.oldest ?? [];
      if (cached && this.values.get(key) === cached) {
        if (!isOver(cached)) return;
        this.delete(key);
      }
      this.oldest = this.walk.next().value;
      if (!this.oldest) this.walk = this.values.entries();
    }
  }

  private purgeLater(): void {
    if (this.purging !== undefined || this.options.ttlMs === Infinity) return;
    const purge = () => {
      this.purging = undefined;
      this.purge();
      if (this.values.size > 0) this.purgeLater();
    };
    this.purging = setTimeout(purge, Math.max(this.options.ttlMs, purgeMs)).unref();
  }
}

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
