import { ActivityError, ActivityService, type Outcome } from '@laurel/activity';
import { changesOf, errorTrace } from '@laurel/activity/internals';
import { Controller, Logger } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { refusalOf } from './ingest-refusal';
import { recordPattern } from './record-pattern';
import { StreamContext } from './stream/stream-context';

/** The answer to a message: an outcome for each event, in order. */
export interface IngestAnswer {
  readonly results: readonly Outcome[];
}

/**
 * Records events of other services: `{ "events": [...] }`, as the body of `POST /activity/events`. The answer comes
 * when the points are in Redis. If you get no answer, send the message again: its events count once.
 *
 * Each event needs the moment at which it happened: stamped on arrival, a redelivered message could count on two days.
 * A transport that knows when a message was sent, such as {@link StreamServer}, fills in the moment.
 */
@Controller()
export class ActivityIngestController {
  private readonly logger = new Logger(ActivityIngestController.name);

  constructor(private readonly activities: ActivityService) {}

  /** @throws RpcException with an {@link IngestRefusal}: send the message again, and no event counts twice. */
  @MessagePattern(recordPattern)
  async record(@Payload() body: unknown, @Ctx() context: unknown): Promise<IngestAnswer> {
    try {
      const message = context instanceof StreamContext ? context : null;
      const given = changesOf(body);
      const changes = given.map((change, i) => {
        if (change.occurredAt) return change;
        const sequence = change.sequence ?? message?.sequenceOf(i) ?? null;
        if (message) return { ...change, occurredAt: message.sentAt, sequence };
        const fault = { path: `events.${i}.occurredAt`, message: 'is missing: a message may come twice' };
        throw new ActivityError('invalidActivity', `${fault.path} ${fault.message}`, { faults: [fault] });
      });
      const results = await this.activities.apply(changes, 'events.');
      // Another instance records it now, or this one in a while.
      if (given.some(({ occurredAt }, i) => !occurredAt && results[i]?.reason === 'future'))
        throw new ActivityError('unavailable', "This host's clock is too far behind that of the stream's Redis.");
      return { results };
    } catch (error) {
      if (!(error instanceof ActivityError)) this.logger.error(errorTrace(error));
      throw refusalOf(error);
    }
  }
}
