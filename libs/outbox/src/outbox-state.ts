import type { OutboxState } from './outbox-store';
import { type OutboxPool, storeOf } from './store-of';

/** How many events wait now, by the database's clock. One round trip, which takes longer the more of them there are. */
export function outboxState(pool: OutboxPool): Promise<OutboxState> {
  return storeOf(pool).state();
}

/** How many are forgotten at once: a short transaction each. */
const forgottenAtOnce = 5_000;

/** Deletes acknowledged events that were written longer ago than this; returns how many. Never deletes waiting ones. */
export async function forgetDone(pool: OutboxPool, keptMs: number): Promise<number> {
  const store = storeOf(pool);
  let forgotten = 0;
  for (;;) {
    const count = await store.forgetDone(keptMs, forgottenAtOnce);
    forgotten += count;
    if (count < forgottenAtOnce) return forgotten;
  }
}
