import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { ActivityChange, Outcome } from '../activities/activity';
import { ActivityRecordedEvent } from './activity-recorded.event';

/** Emits `activity.recorded`; costs next to nothing while nobody listens. */
@Injectable()
export class RecordedAnnouncer {
  private readonly logger = new Logger(RecordedAnnouncer.name);

  constructor(private readonly emitter: EventEmitter2) {}

  /** Tells the app's listeners. The points are in Redis already: a listener that throws changes nothing. */
  announce(activity: ActivityChange, outcome: Outcome): void {
    if (!this.emitter.hasListeners(ActivityRecordedEvent.eventName)) return;
    try {
      this.emitter.emit(ActivityRecordedEvent.eventName, new ActivityRecordedEvent(activity, outcome));
    } catch (error) {
      this.logger.error(
        `A listener of "${ActivityRecordedEvent.eventName}" threw`,
        error instanceof Error ? error.stack : undefined,
      );
    }
  }
}
