import type { RelayObserver, RelayReceiver } from './relay-receiver';
import type { OutboxPool } from './store-of';

/** Options of a `Relay`; those with a default may be left out. */
export interface RelayOptions<T> {
  /** Of pg or of `mysql2/promise`. Its own: each loop holds one connection while it delivers. */
  readonly pool: OutboxPool;
  /** Takes the events. */
  readonly receiver: RelayReceiver<T>;
  /** Is told of what happens: for metrics and the log. */
  readonly observer: RelayObserver;
  /** Batches under way at once. @defaultValue `2` */
  readonly concurrency?: number;
  /** Most events in one batch. @defaultValue `256` */
  readonly batchSize?: number;
  /** How often it looks without being woken: what others left behind waits so long at most. @defaultValue `500` */
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
  /** How long all waits while receiver or database is away: from 50 ms, doubled up to this. @defaultValue `1_000` */
  readonly maxPauseMs?: number;
}
