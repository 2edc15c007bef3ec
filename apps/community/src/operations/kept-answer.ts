import { performance } from 'node:perf_hooks';

/** What is found out once for all who ask at a time, and holds for `keptMs` from then on, a failure too. */
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
