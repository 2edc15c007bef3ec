import type { Clock } from '@laurel/leaderboard';

interface Copy<T> {
  readonly readAtMs: number;
  readonly weight: number;
  readonly value: Promise<T>;
}

/** What the copies may weigh together where nothing else is said: so many that weigh 1 each. */
const usualMaxWeight = 500;

/** How often copies are looked through while nobody asks, at the most. */
const tidyMs = 1_000;

/**
 * Copies of what was read a moment ago. All who ask for one thing while it is being read share that read. How old a copy
 * may be counts from the start of its read; failures are shared with those who wait, and not kept. What is too old is let
 * go whatever is asked next, and also while nobody asks: memory is full of what is of use alone.
 */
export class StandingsCache<T> {
  // A Map keeps the order of insertion: the first is the oldest.
  private readonly copies = new Map<string, Copy<T>>();
  private kept = 0;
  private tidying: NodeJS.Timeout | undefined;

  /**
   * @param maxAgeMs 0: every call reads for itself.
   * @param maxWeight beyond it the oldest copies are let go.
   */
  constructor(
    private readonly clock: Clock,
    private readonly maxAgeMs: number,
    private readonly maxWeight = usualMaxWeight,
  ) {}

  /** What all copies that are kept weigh. */
  get weight(): number {
    return this.kept;
  }

  /** The copy under `key` where one is young enough, else what `read` gives, which weighs `weight` while it is kept. */
  get(key: string, read: () => Promise<T>, weight = 1): Promise<T> {
    if (this.maxAgeMs === 0) return read();
    this.forgetOld();
    const copy = this.copies.get(key);
    // With a clock that was set back, an old one may stand behind a young one.
    if (copy && this.isYoung(copy)) return copy.value;
    this.forget(key, copy);
    const made = { readAtMs: this.clock.now(), weight, value: read() };
    this.makeRoom(weight);
    this.copies.set(key, made);
    this.kept += weight;
    made.value.catch(() => this.forget(key, made));
    this.tidyLater();
    return made.value;
  }

  private isYoung({ readAtMs }: Copy<T>): boolean {
    const ageMs = this.clock.now() - readAtMs;
    // A clock that was set back would keep a copy for longer.
    return ageMs >= 0 && ageMs < this.maxAgeMs;
  }

  private forgetOld(): void {
    for (const [key, copy] of this.copies) {
      if (this.isYoung(copy)) return;
      this.forget(key, copy);
    }
  }

  private makeRoom(weight: number): void {
    for (const [key, copy] of this.copies) {
      if (this.kept + weight <= this.maxWeight) return;
      this.forget(key, copy);
    }
  }

  /** Another may have taken its place. */
  private forget(key: string, copy: Copy<T> | undefined): void {
    if (!copy || this.copies.get(key) !== copy) return;
    this.copies.delete(key);
    this.kept -= copy.weight;
  }

  private tidyLater(): void {
    if (this.tidying !== undefined) return;
    const tidy = () => {
      this.tidying = undefined;
      this.forgetOld();
      if (this.copies.size > 0) this.tidyLater();
    };
    this.tidying = setTimeout(tidy, Math.max(this.maxAgeMs, tidyMs));
    this.tidying.unref();
  }
}
