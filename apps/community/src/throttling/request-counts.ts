/** How many requests of one sender are taken, in how long, and how many senders are counted at once. */
export interface RequestBounds {
  readonly max: number;
  readonly windowMs: number;
  /** Beyond it the first counted are forgotten. */
  readonly maxSenders: number;
}

/** Counts requests by their senders, from a sender's first request on until the time is over. */
export class RequestCounts {
  // A Map keeps the order of insertion: the first began first.
  private readonly counted = new Map<string, { requests: number; readonly endsMs: number }>();

  constructor(
    private readonly bounds: RequestBounds,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts a request. Gives the milliseconds after which the next is taken; 0 where this one is. */
  count(sender: string): number {
    const { max, windowMs, maxSenders } = this.bounds;
    const nowMs = this.nowMs();
    const counted = this.counted.get(sender);
    if (counted && counted.endsMs > nowMs) return ++counted.requests <= max ? 0 : counted.endsMs - nowMs;
    this.counted.delete(sender);
    const [first] = this.counted.size < maxSenders ? [] : this.counted.keys();
    if (first !== undefined) this.counted.delete(first);
    this.counted.set(sender, { requests: 1, endsMs: nowMs + windowMs });
    return 0;
  }
}
