import { SharedMetrics } from '@laurel/activity/internals';
import type { LoggerService } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import type { Counter, Registry } from 'prom-client';
import { deadLetterKey, deadLetterKinds, type DeadLetterKind } from './dead-letters';
import type { StreamServerSettings } from './stream-server-options';

/**
 * The result of a message: `retried` stays in the stream, and is delivered again; `refused` and `failed` are set aside.
 */
export type MessageOutcome = 'recorded' | 'retried' | DeadLetterKind;

/** The metrics of a stream, and its failures in the log. */
export class IngestMetrics {
  private readonly metrics: SharedMetrics;
  private readonly messages: Counter<'outcome'>;
  private readonly redelivered: Counter;
  private readonly failures: Counter;
  /** Whether the last that was heard is that Redis fails: it is logged once. */
  private isInterrupted = false;

  constructor(
    registry: Registry,
    private readonly logger: LoggerService,
  ) {
    const metrics = new SharedMetrics(registry);
    this.metrics = metrics;
    this.messages = metrics.counter({
      name: 'laurel_ingest_messages_total',
      help: 'Messages of the stream by what became of them: recorded, retried: left for later; dead letters: refused, failed.',
      labelNames: ['outcome'],
    });
    for (const outcome of ['recorded', 'retried', ...deadLetterKinds]) this.messages.inc({ outcome }, 0);
    this.redelivered = metrics.counter({
      name: 'laurel_ingest_redelivered_total',
      help: 'Messages taken over from an instance that did not acknowledge them in time.',
    });
    this.failures = metrics.counter({
      name: 'laurel_ingest_failures_total',
      help: 'Times that Redis failed while messages were read or acknowledged.',
    });
  }

  /** Tells where to read what waits; it is read when the metrics are, and has no value while Redis does not say it. */
  watch(client: Redis | Cluster, { stream, group }: Pick<StreamServerSettings, 'stream' | 'group'>): void {
    this.gauge('laurel_ingest_waiting', 'Messages of the stream that are not recorded yet.', () => client.xlen(stream));
    this.gauge('laurel_ingest_failed', 'Dead letters that failed at each delivery.', () =>
      client.xlen(deadLetterKey(stream, 'failed')),
    );
    this.gauge('laurel_ingest_pending', 'Those of them that an instance has taken.', async () => {
      const [pending] = (await client.xpending(stream, group)) as [number];
      return pending;
    });
  }

  /** Ends what {@link watch} reads. */
  close(): void {
    this.metrics.close();
  }

  count(outcome: MessageOutcome): void {
    this.messages.inc({ outcome });
  }

  countRedelivered(messages: number): void {
    this.redelivered.inc(messages);
  }

  /** Redis failed: it is tried again. */
  interrupted(error: unknown): void {
    this.failures.inc();
    if (this.isInterrupted) return;
    this.isInterrupted = true;
    this.logger.warn(`The stream cannot be read (${faultOf(error)}): messages wait in it.`);
  }

  /** Redis answered. */
  answered(): void {
    if (this.isInterrupted) this.logger.log?.('The stream is read again.');
    this.isInterrupted = false;
  }

  private gauge(name: string, help: string, read: () => Promise<number>): void {
    // Nobody knows while Redis is away: no value is better than an old one.
    this.metrics.gauge({ name, help }, () => read().catch(() => null));
  }
}

/** The name of a fault of Redis: a code, never the content of a message. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'ReplyError' ? (error.message.split(' ', 1)[0] ?? 'ERR') : error.message;
}
