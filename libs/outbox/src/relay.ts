import { DeliveryError, deliverBatch } from './deliver-batch';
import { RelayClock } from './relay-clock';
import type { RelayOptions } from './relay-options';

const firstPauseMs = 50;

/**
 * Hands what waits in the outbox to its receiver until it is acknowledged: those of a lane one after the other, many
 * lanes at once, by any number of processes. A batch is one transaction, which holds its lanes by locks: with the
 * process, its connection and its locks go, and another takes over at once.
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
        const { isAtWork, notYet } = await deliverBatch(this.options);
        if (isAtWork || !notYet) pauseMs = firstPauseMs;
        if (notYet) throw new DeliveryError('Some of it is to come again.', { cause: notYet });
        if (isAtWork) continue;
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
