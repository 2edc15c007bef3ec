import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppEvents } from './app-events';
import { SharedMetrics } from '../observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { errorTrace } from '../http/error-trace';
import { ObserverQueue, type ObserverFailure } from './observer-queue';

const table = {
  failures: {
    name: 'laurel_observer_failures_total',
    help: 'Events that a listener failed at, by reason: threw, timeout.',
    labelNames: ['reason'],
  },
  full: {
    name: 'laurel_observer_full_total',
    help: 'Recordings and adjustments that had to wait because listeners were behind.',
  },
} as const;

/** Room for what one call has to announce. */
export interface Announcements {
  /** Tells the app's listeners, behind the caller's back. */
  announce(event: object): void;
  /** Gives back the room that was not needed. */
  end(): void;
}

/**
 * Brings the module's events to the app's listeners, in isolation: none delays or breaks what is announced, or another.
 * Where more events wait than `observers.maxWaiting`, recording waits too, but for that of a listener itself. Costs
 * nothing while nobody listens.
 */
@Injectable()
export class EventAnnouncer {
  private readonly logger = new Logger(EventAnnouncer.name);
  private readonly counters;
  private readonly queue: ObserverQueue;

  constructor(
    private readonly events: AppEvents,
    metrics: SharedMetrics,
    @Inject(ACTIVITY_SETTINGS) { observers }: ActivitySettings,
  ) {
    this.counters = metrics.counters(table);
    this.queue = new ObserverQueue({
      ...observers,
      onFailure: (name, reason, error) => this.tell(name, reason, error),
      onFull: () => this.counters.full.inc(),
    });
    const help = 'Events that wait for listeners, or that these are at work on.';
    metrics.gauge({ name: 'laurel_observer_waiting', help }, () => this.queue.waiting);
  }

  /**
   * Keeps room for up to `count` events of a name, before anything is recorded; null: nobody listens.
   * @param deadlineMs until when the caller waits, by `performance.now()`.
   * @throws ActivityError `overloaded` where listeners are behind until then; `unavailable`.
   */
  open(eventName: string, count: number, deadlineMs: number): Promise<Announcements> | null {
    const name = this.events.nameOf(eventName);
    return this.events.isHeard(name) ? this.opened(name, count, deadlineMs) : null;
  }

  /** Announces an event of a name at once, whether or not there is room: for what is rare and must not wait. */
  announce(eventName: string, event: object): void {
    const name = this.events.nameOf(eventName);
    if (!this.events.isHeard(name)) return;
    this.queue.take(1);
    this.bring(name, event);
  }

  /** Waits for the listeners, at most so long. */
  async close(withinMs: number): Promise<void> {
    await this.queue.close(withinMs);
    const left = this.queue.waiting;
    if (left > 0) this.logger.error(`${left} events were not heard to the end before the shutdown`);
  }

  private async opened(name: string, count: number, deadlineMs: number): Promise<Announcements> {
    await this.queue.reserve(count, deadlineMs);
    let left = count;
    return {
      announce: (event) => {
        left -= 1;
        this.bring(name, event);
      },
      end: () => {
        this.queue.release(left);
        left = 0;
      },
    };
  }

  /** Each listener by itself: on an emitter, one that throws keeps the event from those after it. */
  private bring(name: string, event: object): void {
    const named = this.events.emitter.listeners(name).map((listener) => ({
      key: listener,
      hear: (): unknown =>
        this.isOver(name, listener) ? undefined : Reflect.apply(listener, this.events.emitter, [event]),
    }));
    const any = this.events.emitter.listenersAny().map((listener) => ({
      key: listener,
      hear: (): unknown => Reflect.apply(listener, this.events.emitter, [name, event]),
    }));
    this.queue.push(name, [...named, ...any]);
  }

  /** Whether a listener that was to hear so many events (`once`) has heard them since this one was made. */
  private isOver(name: string, listener: object): boolean {
    return '_origin' in listener && !this.events.emitter.listeners(name).some((one) => one === listener);
  }

  private tell(name: string, reason: ObserverFailure, error: unknown): void {
    this.counters.failures.inc({ reason });
    const what = reason === 'threw' ? 'threw' : 'took too long and is no longer waited for';
    this.logger.error(`A listener of "${name}" ${what}`, error === undefined ? undefined : errorTrace(error));
  }
}
