import type { Cluster, Redis } from 'ioredis';
import { recordPattern } from '../record-pattern';

/** The stream from which activities are recorded. */
export interface StreamProducerOptions {
  readonly redis: Redis | Cluster;
  readonly stream: string;
  /** The most messages that may wait. Default 100,000. */
  readonly maxWaiting?: number;
}

/** Too many messages wait: nothing was sent. Try again later. */
export class StreamFullError extends Error {
  override readonly name = 'StreamFullError';
  readonly code = 'overloaded';
}

/** An event as `POST /activity/events` takes it. */
export interface StreamedEvent {
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly id?: string;
  /** RFC 3339. Default: when it is put into the stream. */
  readonly occurredAt?: string;
  readonly revoke?: boolean;
  readonly grantedAt?: string;
  readonly sequence?: number;
  readonly ownerId?: string;
  readonly partitions?: Readonly<Record<string, string>>;
}

/** Adds activities to a Redis Stream. It does not need Nest; other services may call `XADD` themselves. */
export class StreamProducer {
  constructor(private readonly options: StreamProducerOptions) {}

  /**
   * Resolves with the message's id when Redis has it; two round trips. After a failure, send the message again: an
   * event with an `occurredAt` or an `id` counts once, however often it is sent.
   * @throws StreamFullError
   */
  async send(events: readonly StreamedEvent[]): Promise<string> {
    const { redis, stream, maxWaiting = 100_000 } = this.options;
    if ((await redis.xlen(stream)) >= maxWaiting) {
      throw new StreamFullError(`${maxWaiting} messages wait in the stream "${stream}".`);
    }
    const id = await redis.xadd(stream, '*', 'pattern', recordPattern, 'data', JSON.stringify({ events }));
    return id as string;
  }
}
