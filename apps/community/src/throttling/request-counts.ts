/** How many requests of one sender are taken, in how long, and how many senders are counted at once. */
export interface RequestBounds {
  readonly max: number;
  readonly windowMs: number;
  /** Beyond it the first counted are forgotten. */
  readonly maxSenders: number;
}

/** The requests of a sender since their first. */
interface Counted {
  requests: number;
  endsMs: number;
}

/**
 * Counts requests by their senders, from a sender's first request on until the time is over. Answers at once: the
 * promises of a general limiter cost more than a cached answer.
 */
export class RequestCounts {
  // A Map keeps the order of insertion: the first began first.
  private readonly counted = new Map<string, Counted>();

  constructor(
    private readonly bounds: RequestBounds,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts a request. Gives the milliseconds after which the next is taken; 0 where this one is. */
  count(sender: string): number {
    const nowMs = this.nowMs();
    const counted = this.counted.get(sender);
    if (!counted || counted.endsMs <= nowMs) {
      this.begin(sender, nowMs);
      return 0;
    }
    counted.requests += 1;
    return counted.requests <= this.bounds.max ? 0 : counted.endsMs - nowMs;
  }

  private begin(sender: string, nowMs: number): void {
    this.counted.delete(sender);
    for (const [first, { endsMs }] of this.counted) {
      if (endsMs > nowMs && this.counted.size < this.bounds.maxSenders) break;
      this.counted.delete(first);
    }
    this.counted.set(sender, { requests: 1, endsMs: nowMs + this.bounds.windowMs });
  }
}
