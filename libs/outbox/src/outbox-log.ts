import type { OutboxEvent } from './outbox-event';
import type { OutboxStore, Place, Stretch } from './outbox-store';
import { type OutboxPool, storeOf } from './store-of';

/** The stored events of a span of time, delivered or waiting. */
export class OutboxLog {
  private constructor(
    private readonly store: OutboxStore,
    private readonly stretch: Stretch,
  ) {}

  /** Counts the events written since then, up to now. One round trip. */
  static async open(pool: OutboxPool, since: Date): Promise<OutboxLog> {
    const store = storeOf(pool);
    return new OutboxLog(store, await store.stretchSince(since));
  }

  /** How many there are. */
  get total(): number {
    return this.stretch.total;
  }

  /**
   * Passes all events to `take`, in the order in which they were written, one page in memory at a time: the next page
   * once `take` has resolved, until it resolves with false. An erasure waits for the page under way; no later page
   * names the erased user.
   */
  async handOver(size: number, take: (events: readonly OutboxEvent[]) => Promise<boolean>): Promise<void> {
    let after: Place | null = this.stretch.start;
    while (after) after = await this.handOverPage(after, size, take);
  }

  /** Null where it was the last. */
  private handOverPage(
    after: Place,
    size: number,
    take: (events: readonly OutboxEvent[]) => Promise<boolean>,
  ): Promise<Place | null> {
    return this.store.handOver(async (statements) => {
      const events = await statements.page(after, this.stretch.until, size);
      const last = events.at(-1);
      if (!last) return null;
      return (await take(events)) ? last : null;
    });
  }
}
