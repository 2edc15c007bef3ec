import { performance } from 'node:perf_hooks';

/** A moment by which work must be done; its timer runs only while something is waited for. */
export class Deadline {
  /** The result of {@link race} if the moment came first. */
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

  /** The result of `work`, or {@link missed}; a late rejection is ignored. */
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

/** The result of `work`, or of `late` if that takes longer than `ms`. */
export async function within<T, Late>(ms: number, work: PromiseLike<T>, late: () => Late): Promise<T | Late> {
  const deadline = new Deadline(ms);
  try {
    const result = await deadline.race(work);
    return result === Deadline.missed ? late() : result;
  } finally {
    deadline.clear();
  }
}

/** The answer of the app or of an optional module. @throws Error with the code `timeout:<who>` if it comes too late. */
export async function answerWithin<T>(ms: number, who: string, ask: () => PromiseLike<T> | T): Promise<T> {
  return within(ms, Promise.resolve(ask()), () => {
    throw Object.assign(new Error(`${who} did not answer within ${ms} ms`), { code: `timeout:${who}` });
  });
}
