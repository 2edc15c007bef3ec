import type { OutboxState } from './outbox-store';
import { type OutboxPool, storeOf } from './store-of';

/** What waits now, by the database's clock. One round trip; costs what waits. */
export function outboxState(pool: OutboxPool): Promise<OutboxState> {
  return storeOf(pool).state();
}

/** How many are forgotten at once: a short transaction each. */
const forgottenAtOnce = 5_000;

/** Deletes what was acknowledged and written longer ago than this. Gives how many. Never touches what waits. */
export async function forgetDone(pool: OutboxPool, keptMs: number): Promise<number> {
  const store = storeOf(pool);
  let forgotten = 0;
  for (;;) {
    const count = await store.forgetDone(keptMs, forgottenAtOnce);
    forgotten += count;
    if (count < forgottenAtOnce) return forgotten;
  }
}
