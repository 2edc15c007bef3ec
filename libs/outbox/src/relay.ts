import type { Pool } from 'pg';
import { DeliveryError, deliverBatch } from './deliver-batch';
import type { RelayObserver, RelayReceiver } from './relay-receiver';
import { RelayClock } from './relay-clock';

/** Options of a {@link Relay}; those with a default may be left out. */
export interface RelayOptions<T> {
  /** Its own: each loop holds one connection while it delivers. */
  readonly pool: Pool;
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
  /** How long everything waits while the receiver or the database is away: from 50 ms, doubled up to 1 s. */
  readonly maxPauseMs?: number;
}

const firstPauseMs = 50;

/**
 * Hands what waits in the outbox to its receiver until it is acknowledged: those of a lane one after the other, many
 * lanes at once, by any number of processes. A batch is one transaction, which holds its lanes by advisory locks: with
 * the process, its connection and its locks go, and another takes over at once.
 */
export class Relay<T> {
  private readonly clock = new RelayClock();
  private loops: Promise<unknown> | undefined;

  constructor(private readonly options: RelayOptions<T>) {}

  /** Begins. */
  start(): void {
    const { concurrency = 2 } = this.options;
    this.loops ??= Promise.all(Array.from({ length: concurrency }, () => this.loop()));
  }

  /** Looks at once: for who has just committed. Costs nothing where it is at work already. */
  wake(): void {
    this.clock.wake();
  }

  /** Delivers what waits, as far as it can within the time, and ends. What is left stays for the next. */
  async stop(withinMs: number): Promise<void> {
    this.clock.stop(withinMs);
    await this.loops;
  }

  private async loop(): Promise<void> {
    const { pollMs = 500, maxPauseMs = 1_000 } = this.options;
    let pauseMs = firstPauseMs;
    while (!this.clock.isOver) {
      try {
        const handled = await deliverBatch(this.options);
        pauseMs = firstPauseMs;
        if (handled > 0) continue;
        if (this.clock.isStopping) return;
        await this.clock.idle(pollMs);
      } catch (error) {
        const isDelivery = error instanceof DeliveryError;
        this.options.observer.interrupted(isDelivery ? 'receiver' : 'database', isDelivery ? error.cause : error);
        if (this.clock.isStopping) return;
        await this.clock.pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
    }
  }
}
