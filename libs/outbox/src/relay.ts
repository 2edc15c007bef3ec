import { DeliveryError, deliverBatch } from './deliver-batch';
import { RelayClock } from './relay-clock';
import type { RelayOptions } from './relay-options';

const firstPauseMs = 50;

/**
 * Delivers waiting events to the receiver until they are acknowledged: one after the other in a lane, many lanes at
 * once, in any number of processes. A batch is one transaction that locks its lanes; if the process crashes, its locks
 * are released and another takes over at once.
 */
export class Relay<T> {
  private readonly clock = new RelayClock();
  private loops: Promise<unknown> | undefined;

  constructor(private readonly options: RelayOptions<T>) {}

  /** Starts. */
  start(): void {
    const { concurrency = 2 } = this.options;
    this.loops ??= Promise.all(Array.from({ length: concurrency }, () => this.loop()));
  }

  /** Polls at once, for a caller that has just committed. Costs nothing while a batch is under way. */
  wake(): void {
    this.clock.wake();
  }

  /** Delivers waiting events until the time is over, then stops. The others wait for the next process. */
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
        if (notYet) throw new DeliveryError('Some events must be delivered again.', { cause: notYet });
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
