import type { Clock } from '../../time/clock';

interface Dated<T> {
  readonly table: T;
  readonly readAtMs: number;
}

/** Keeps a table, once for all callers, while it is used, and reads it anew on a timer; if that fails, it stays. */
export class Estimator<T> {
  private current: Dated<T> | null = null;
  private reading: Promise<Dated<T>> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private used = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly refreshMs: number,
    private readonly clock: Clock,
  ) {}

  /** When the table was read; null without one. */
  get readAt(): Date | null {
    return this.current && new Date(this.current.readAtMs);
  }

  /** The table, read first where it is not there. Rejects as the reading does; the next call tries again. */
  async whenRead(): Promise<T> {
    this.used = true;
    return (this.current ?? (await this.refresh())).table;
  }

  /** Stops the timer and drops the table. */
  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = this.current = this.reading = null;
  }

  private refresh(): Promise<Dated<T>> {
    if (this.reading) return this.reading;
    const readAtMs = this.clock.now();
    const reading: Promise<Dated<T>> = this.read()
      .then((table) => {
        const dated = { table, readAtMs };
        // Closed in between: answer the waiting readers, and stop.
        if (this.reading !== reading) return dated;
        this.current = dated;
        this.timer ??= setInterval(() => this.tick(), this.refreshMs).unref();
        return dated;
      })
      .finally(() => {
        if (this.reading === reading) this.reading = null;
      });
    this.reading = reading;
    return reading;
  }

  private tick(): void {
    if (!this.used) return this.close();
    this.used = false;
    // A failure leaves the old table, and its age says so.
    this.refresh().catch(() => undefined);
  }
}
