import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { SharedMetrics } from '../observability/shared-metrics';

/** Why a listener was not let in. */
export type StreamRefusal = 'full' | 'tooMany' | 'closing';

/** What the streams do, in figures. */
@Injectable()
export class StreamMetrics {
  private readonly refused: Counter<'reason'>;
  private readonly skipped: Counter;

  constructor(private readonly metrics: SharedMetrics) {
    this.refused = metrics.counter({
      name: 'laurel_stream_refused_total',
      help: 'Streams that were not opened: full (503), tooMany of one address or user (429), closing (503).',
      labelNames: ['reason'],
    });
    this.skipped = metrics.counter({
      name: 'laurel_stream_skipped_total',
      help: 'Events that slow listeners were not sent because newer ones took their place; counted when they leave.',
    });
  }

  /** Tells where to read how many listen; it is read when the metrics are. */
  watch(listeners: () => number): void {
    this.metrics.gauge({ name: 'laurel_stream_listeners', help: 'Open streams of standings.' }, listeners);
  }

  /** Counts a stream that was not opened. */
  countRefused(reason: StreamRefusal): void {
    this.refused.inc({ reason });
  }

  /** Counts what a listener was not sent. */
  countSkipped(events: number): void {
    if (events > 0) this.skipped.inc(events);
  }
}
