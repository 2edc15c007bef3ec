import { performance } from 'node:perf_hooks';

/** An answer that is found once for all callers of a moment and cached for `keptMs` from then on; so is a failure. */
export class KeptAnswer<T> {
  private last: Promise<T> | null = null;
  private keptUntilMs = 0;

  constructor(
    private readonly find: () => Promise<T>,
    private readonly keptMs: number,
  ) {}

  get(): Promise<T> {
    if (this.last && performance.now() < this.keptUntilMs) return this.last;
    this.keptUntilMs = Infinity;
    const keep = () => void (this.keptUntilMs = performance.now() + this.keptMs);
    this.last = this.find();
    this.last.then(keep, keep);
    return this.last;
  }
}
