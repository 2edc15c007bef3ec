import type { RelayObserver, RelayReceiver } from './relay-receiver';
import type { OutboxPool } from './store-of';

/** Options of a `Relay`; those with a default may be left out. */
export interface RelayOptions<T> {
  /** Of pg or of `mysql2/promise`. Its own: each loop holds one connection while it delivers. */
  readonly pool: OutboxPool;
  readonly receiver: RelayReceiver<T>;
  readonly observer: RelayObserver;
  /** Batches under way at once (2). */
  readonly concurrency?: number;
  /** Most events in one batch (256). */
  readonly batchSize?: number;
  /** How often it looks without being woken (500 ms): what other processes left behind waits so long at most. */
  readonly pollMs?: number;
  /** How long a lane waits after its first refusal (1 s), doubled with each further one up to a bound (5 minutes). */
  readonly retryMs?: number;
  readonly maxRetryMs?: number;
  /**
   * How long an event that may be skipped waits for a receiver that takes it, such as another version's. Default 1
   * minute.
   */
  readonly passAfterMs?: number;
  /** How long everything waits while the receiver or the database is away: from 50 ms, doubled up to 1 s. */
  readonly maxPauseMs?: number;
}
