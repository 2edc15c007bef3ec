import type { RelayObserver, RelayReceiver } from './relay-receiver';
import type { OutboxPool } from './store-of';

/** Options of a `Relay`; those with a default may be left out. */
export interface RelayOptions<T> {
  /** A pool of pg or `mysql2/promise` for the relay alone: each loop holds one connection while it delivers. */
  readonly pool: OutboxPool;
  /** Receives the events. */
  readonly receiver: RelayReceiver<T>;
  /** Notified of what happens, for metrics and logs. */
  readonly observer: RelayObserver;
  /** Batches under way at once. @defaultValue `2` */
  readonly concurrency?: number;
  /** Most events in one batch. @defaultValue `256` */
  readonly batchSize?: number;
  /** How often it polls; events of a crashed process wait so long at most. @defaultValue `500` */
  readonly pollMs?: number;
  /** How long a lane waits after its first refusal; each further one doubles it. @defaultValue `1_000` */
  readonly retryMs?: number;
  /** How long a lane waits at most after a refusal. @defaultValue `300_000`, five minutes */
  readonly maxRetryMs?: number;
  /**
   * How long an event that may be skipped waits for a receiver that takes it, such as another version's.
   * @defaultValue `60_000`
   */
  readonly passAfterMs?: number;
  /**
   * The longest pause while the receiver or the database is away: it begins at 50 ms and doubles. @defaultValue `1_000`
   */
  readonly maxPauseMs?: number;
}
