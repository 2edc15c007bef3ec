import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ActivityService } from '../recording/activity.service';
import { ActivityError } from '../errors/errors';
import { AppEvents } from '../recording/app-events';
import { RecordingMetrics } from '../recording/recording-metrics';
import { errorTrace } from '../http/error-trace';
import { RulesInForce } from '../rules/rules-in-force';
import { cancelledEventNameOf, eventNameOf } from '../activity/event-names';
import type { CancelledEventFields } from './activity-events';

/** Gives a promise, which `emitAsync` waits for and `emit` does not; it never rejects. */
type Listener = (event: CancelledEventFields) => unknown;

/**
 * Turns the app's events into points: one listener for each rule's action and its cancellation, no wildcards, so that
 * it works on any emitter. A failure has no caller to be told: it is logged by its code and counted, and goes no
 * further.
 */
@Injectable()
export class ActivityListener implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ActivityListener.name);
  private readonly listeners = new Map<string, Listener>();
  private isClosed = false;

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
    const wanted = new Map<string, Listener>();
    for (const action of this.isClosed ? [] : this.rules.book.actions) {
      wanted.set(this.nameOf(action, false), (event) => this.record(action, event, false));
      wanted.set(this.nameOf(action, true), (event) => this.record(action, event, true));
    }
    for (const [name, listener] of this.listeners) {
      if (wanted.has(name)) continue;
      this.events.emitter.off(name, listener);
      this.listeners.delete(name);
    }
    for (const [name, listener] of wanted) if (!this.listeners.has(name)) this.listen(name, listener);
  }

  private nameOf(action: string, revoke: boolean): string {
    return this.events.nameOf(revoke ? cancelledEventNameOf(action) : eventNameOf(action));
  }

  private listen(name: string, listener: Listener): void {
    this.listeners.set(name, listener);
    this.events.emitter.on(name, listener);
  }

  /** Resolves when the points are in Redis, for apps that await `emitAsync`; never rejects. */
  private async record(action: string, event: CancelledEventFields, revoke: boolean): Promise<void> {
    try {
      const { userId, subject, ownerId, id, occurredAt, sequence, grantedAt, partitions } = event;
      const activity = {
        userId,
        action,
        subject,
        ...(ownerId !== undefined && { ownerId }),
        ...(id !== undefined && { id }),
        ...(occurredAt !== undefined && { occurredAt }),
        ...(sequence !== undefined && { sequence }),
        ...(partitions !== undefined && { partitions }),
        ...(revoke && grantedAt !== undefined && { grantedAt }),
      };
      await (revoke ? this.service.revoke(activity) : this.service.record(activity));
    } catch (error) {
      const code = error instanceof ActivityError ? error.code : 'internal';
      this.metrics.countFailure('event', code);
      this.logger.error(
        `An event "${this.nameOf(action, revoke)}" was not recorded: ${code}${faultsOf(error)}`,
        code === 'internal' ? errorTrace(error) : undefined,
      );
    }
  }
}

/** Of a malformed event: its faults, which name fields and never what is in them. */
function faultsOf(error: unknown): string {
  return error instanceof ActivityError && error.faults.length > 0 ? `: ${error.message}` : '';
}
