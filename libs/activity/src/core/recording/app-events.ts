import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { performance } from 'node:perf_hooks';
import type { ActivityChange, Outcome } from '../activity/activity';
import { optionFault } from '../errors/option-error';
import { errorTrace } from '../http/error-trace';
import { SharedMetrics } from '../observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { type ObserverFailure, ObserverQueue } from './observer-queue';

/** Announced to the app after an activity changed a user's points. */
export class ActivityRecordedEvent {
  static readonly eventName = 'activity.recorded';

  constructor(
    /** The activity, or revoke, as it was recorded. */
    readonly activity: ActivityChange,
    /** Its result. */
    readonly outcome: Outcome,
  ) {}
}

/** How long nothing more is logged of listeners that miss events. */
const quietMs = 60_000;

/**
 * The app's emitter. It brings the module's events to the app's listeners: each has its own queue, so none delays or
 * breaks another, and one for which more than `observers.maxWaiting` events wait misses further ones. Costs nothing
 * while nobody listens.
 */
@Injectable()
export class AppEvents {
  readonly emitter: EventEmitter2;
  private readonly logger = new Logger(AppEvents.name);
  private readonly failures;
  private readonly queue: ObserverQueue;
  private quietUntilMs = 0;

  /** @throws ActivityError `invalidOption` where the app has no `EventEmitterModule`. */
  constructor(
    metrics: SharedMetrics,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() emitter?: EventEmitter2,
  ) {
    if (!emitter) {
      throw optionFault(
        'imports',
        'has no EventEmitterModule',
        "add EventEmitterModule.forRoot() of @nestjs/event-emitter to the imports of your app's module",
      );
    }
    this.emitter = emitter;
    this.failures = metrics.counter({
      name: 'laurel_observer_failures_total',
      help: 'Events that a listener failed to handle, by reason: threw, timeout, missed (too many waited for it).',
      labelNames: ['reason'],
    });
    this.queue = new ObserverQueue({
      ...settings.observers,
      onFailure: (name, reason, error) => this.tell(name, reason, error),
    });
    const help = 'Events that listeners handle or that wait for them, added up over all listeners.';
    metrics.gauge({ name: 'laurel_observer_waiting', help }, () => this.queue.waiting);
  }

  /** An event's name for a module with a name: `blog.activity.praise`; for one without, the event's own. */
  nameOf(event: string): string {
    const { name } = this.settings;
    return name === null ? event : `${name}.${event}`;
  }

  /** Whether anybody listens to an event. */
  isHeard(event: string): boolean {
    return Boolean(this.emitter.hasListeners(this.nameOf(event))) || this.emitter.listenersAny().length > 0;
  }

  /** Announces an event of a name, behind the caller's back. */
  announce(eventName: string, event: object): void {
    if (this.isHeard(eventName)) this.bring(this.nameOf(eventName), event);
  }

  /** Waits for the listeners, at most so long. */
  async close(withinMs: number): Promise<void> {
    await this.queue.close(withinMs);
    const left = this.queue.waiting;
    if (left > 0) this.logger.error(`${left} events were not handled before the shutdown`);
  }

  /** Each listener by itself: on an emitter, one that throws keeps the event from those after it. */
  private bring(name: string, event: object): void {
    const named = this.emitter.listeners(name).map((listener) => ({
      key: listener,
      hear: (): unknown => (this.isOver(name, listener) ? undefined : Reflect.apply(listener, this.emitter, [event])),
    }));
    const any = this.emitter.listenersAny().map((listener) => ({
      key: listener,
      hear: (): unknown => Reflect.apply(listener, this.emitter, [name, event]),
    }));
    this.queue.push(name, [...named, ...any]);
  }

  /** Whether a listener that was to hear so many events (`once`) has heard them since this one was made. */
  private isOver(name: string, listener: object): boolean {
    return '_origin' in listener && !this.emitter.listeners(name).some((one) => one === listener);
  }

  private tell(name: string, reason: ObserverFailure, error: unknown): void {
    this.failures.inc({ reason });
    if (reason === 'missed') {
      if (performance.now() < this.quietUntilMs) return;
      this.quietUntilMs = performance.now() + quietMs;
    }
    const what = {
      threw: 'threw',
      timeout: 'took too long and is no longer waited for',
      missed: 'is so far behind that it misses events (laurel_observer_failures_total counts them)',
    }[reason];
    this.logger.error(`A listener of "${name}" ${what}`, error === undefined ? undefined : errorTrace(error));
  }
}
