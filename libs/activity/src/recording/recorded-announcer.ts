import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ActivityChange, Outcome } from '../activity/activity';
import { AppEvents } from './app-events';
import { ActivityRecordedEvent } from './activity-recorded.event';
import { RecordingMetrics } from './recording-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { errorTrace } from '../http/error-trace';
import { ObserverQueue, type ObserverFailure } from './observer-queue';

/** Room for what one call has to announce. */
export interface Announcements {
  /** Tells the app's listeners, behind the caller's back. */
  announce(activity: ActivityChange, outcome: Outcome): void;
  /** Gives back the room that was not needed. */
  end(): void;
}

/**
 * Brings `activity.recorded` to the app's listeners, in isolation: none delays or breaks a recording, or another. Where
 * more events wait than `observers.maxWaiting`, recording waits too, but for that of a listener itself. Costs nothing
 * while nobody listens.
 */
@Injectable()
export class RecordedAnnouncer {
  private readonly logger = new Logger(RecordedAnnouncer.name);
  private readonly queue: ObserverQueue;

  private readonly eventName: string;

  constructor(
    private readonly events: AppEvents,
    private readonly metrics: RecordingMetrics,
    @Inject(ACTIVITY_SETTINGS) { observers }: ActivitySettings,
  ) {
    this.eventName = events.nameOf(ActivityRecordedEvent.eventName);
    this.queue = new ObserverQueue({
      ...observers,
      onFailure: (reason, error) => this.tell(reason, error),
      onFull: () => metrics.countFullListeners(),
    });
    metrics.watchListeners(() => this.queue.waiting);
  }

  /**
   * Keeps room for up to `count` events, before anything is recorded; null: nobody listens.
   * @param deadlineMs until when the caller waits, by `performance.now()`.
   * @throws ActivityError `overloaded` where listeners are behind until then; `unavailable`.
   */
  open(count: number, deadlineMs: number): Promise<Announcements> | null {
    return this.events.isHeard(this.eventName) ? this.opened(count, deadlineMs) : null;
  }

  /** Waits for the listeners, at most so long. */
  async close(withinMs: number): Promise<void> {
    await this.queue.close(withinMs);
    const left = this.queue.waiting;
    if (left > 0) this.logger.error(`${left} events "${this.eventName}" were not heard to the end before the shutdown`);
  }

  private async opened(count: number, deadlineMs: number): Promise<Announcements> {
    await this.queue.reserve(count, deadlineMs);
    let left = count;
    return {
      announce: (activity, outcome) => {
        left -= 1;
        this.bring(new ActivityRecordedEvent(activity, outcome));
      },
      end: () => {
        this.queue.release(left);
        left = 0;
      },
    };
  }

  /** Each listener by itself: on an emitter, one that throws keeps the event from those after it. */
  private bring(event: ActivityRecordedEvent): void {
    const named = this.events.emitter.listeners(this.eventName).map((listener) => ({
      key: listener,
      hear: (): unknown => (this.isOver(listener) ? undefined : Reflect.apply(listener, this.events.emitter, [event])),
    }));
    const any = this.events.emitter.listenersAny().map((listener) => ({
      key: listener,
      hear: (): unknown => Reflect.apply(listener, this.events.emitter, [this.eventName, event]),
    }));
    this.queue.push([...named, ...any]);
  }

  /** Whether a listener that was to hear so many events (`once`) has heard them since this one was made. */
  private isOver(listener: object): boolean {
    return '_origin' in listener && !this.events.emitter.listeners(this.eventName).some((one) => one === listener);
  }

  private tell(reason: ObserverFailure, error: unknown): void {
    this.metrics.countListenerFailure(reason);
    const what = reason === 'threw' ? 'threw' : 'took too long and is no longer waited for';
    this.logger.error(`A listener of "${this.eventName}" ${what}`, error === undefined ? undefined : errorTrace(error));
  }
}
