import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ActivityService } from '../recording/activity.service';
import { ActivityError } from '../errors/errors';
import { AppEvents } from '../recording/app-events';
import { RecordingMetrics } from '../recording/recording-metrics';
import { errorTrace } from '../http/error-trace';
import { RulesInForce } from '../rules/rules-in-force';
import { eventNameOf } from '../activity/activity';
import type { CancelledEventFields } from './activity-events';

/** Gives a promise, which `emitAsync` waits for and `emit` does not; it never rejects. */
type Listener = (event: CancelledEventFields) => unknown;

/**
 * Turns the app's events into points: one listener for each rule's action and its cancellation, no wildcards, so that
 * it works on any emitter. A failure is logged by its code, counted, and answered to an app that awaits.
 */
@Injectable()
export class ActivityListener implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ActivityListener.name);
  private readonly listeners = new Map<string, Listener>();
  private isClosed = false;
  /** While Redis is away one event is logged, until another is recorded. */
  private isAway = false;

  constructor(
    private readonly events: AppEvents,
    private readonly service: ActivityService,
    private readonly rules: RulesInForce,
    private readonly metrics: RecordingMetrics,
  ) {}

  /** Listens from here on: before the app takes requests. */
  onModuleInit(): void {
    this.listenToAll();
    this.rules.onReplaced(() => this.listenToAll());
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.listenToAll();
  }

  /** Listens for the actions that have a rule, and for no others any more. */
  private listenToAll(): void {
    for (const [name, listener] of this.listeners) this.events.emitter.off(name, listener);
    this.listeners.clear();
    for (const action of this.isClosed ? [] : this.rules.book.actions) {
      for (const revoke of [false, true]) {
        const listener: Listener = (event) => this.record(action, event, revoke);
        this.listeners.set(this.nameOf(action, revoke), listener);
        this.events.emitter.on(this.nameOf(action, revoke), listener);
      }
    }
  }

  private nameOf(action: string, revoke: boolean): string {
    return this.events.nameOf(revoke ? `${eventNameOf(action)}.cancelled` : eventNameOf(action));
  }

  /**
   * Resolves, for apps that await `emitAsync`: with the {@link Outcome} when the points are in Redis, or with the error
   * for which they are not. Never rejects.
   */
  private async record(action: string, event: CancelledEventFields, revoke: boolean): Promise<unknown> {
    try {
      const { userId, subject, ownerId = null, id = null, occurredAt = null } = event;
      const { sequence = null, partitions = null, grantedAt = null } = event;
      const activity = { userId, action, subject, ownerId, id, occurredAt, sequence, partitions };
      const outcome = await (revoke ? this.service.revoke({ ...activity, grantedAt }) : this.service.record(activity));
      this.isAway = false;
      return outcome;
    } catch (error) {
      const code = error instanceof ActivityError ? error.code : 'internal';
      this.metrics.countFailure('event', code);
      const isAway = code === 'unavailable' || code === 'overloaded';
      // Faults name fields, and never what is in them.
      const faults = error instanceof ActivityError && error.faults.length > 0 ? `: ${error.message}` : '';
      const what = `An event "${this.nameOf(action, revoke)}" was not recorded: ${code}${faults}`;
      if (!isAway || !this.isAway) this.logger.error(what, code === 'internal' ? errorTrace(error) : undefined);
      this.isAway ||= isAway;
      return error;
    }
  }
}
