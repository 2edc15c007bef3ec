import { performance } from 'node:perf_hooks';

/** A moment by which work must be done; its timer runs only while something is waited for. */
export class Deadline {
  /** What {@link race} gives where the moment came first. */
  static readonly missed = Symbol('missed');

  private readonly atMs: number;
  private timer: NodeJS.Timeout | undefined;
  private end: Promise<typeof Deadline.missed> | undefined;

  constructor(withinMs: number) {
    this.atMs = performance.now() + withinMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.atMs;
  }

  /** What `work` gives, or {@link missed}; a late rejection is nobody's. */
  race<T>(work: PromiseLike<T>): Promise<T | typeof Deadline.missed> {
    this.end ??= new Promise((resolve) => {
      this.timer = setTimeout(() => resolve(Deadline.missed), this.atMs - performance.now()).unref();
    });
    return Promise.race([work, this.end]);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

/** What `work` gives or, where that takes longer than `ms`, what `late` returns or throws. */
export async function within<T, Late>(ms: number, work: PromiseLike<T>, late: () => Late): Promise<T | Late> {
  const deadline = new Deadline(ms);
  try {
    const result = await deadline.race(work);
    return result === Deadline.missed ? late() : result;
  } finally {
    deadline.clear();
  }
}
