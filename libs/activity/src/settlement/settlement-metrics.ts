import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { SharedMetrics } from '../observability/shared-metrics';

/** What is measured of settling. Labels are configured names alone. */
@Injectable()
export class SettlementMetrics {
  private readonly settled: Counter<'leaderboard'>;
  private readonly failures: Counter<'leaderboard'>;
  private readonly missed: Counter<'leaderboard'>;
  private readonly unheard: Counter<'listener' | 'reason'>;
  private waiting: ReadonlyMap<string, number> = new Map();
  private lagSeconds = 0;

  constructor(metrics: SharedMetrics) {
    const labelNames = ['leaderboard'] as const;
    this.settled = metrics.counter({
      name: 'laurel_settled_periods_total',
      help: 'Periods that this instance settled.',
      labelNames,
    });
    this.failures = metrics.counter({
      name: 'laurel_settlement_failures_total',
      help: 'Tries to settle a period that failed; it is tried again. "none": looking for periods failed.',
      labelNames,
    });
    this.missed = metrics.counter({
      name: 'laurel_settlement_missed_total',
      help: 'Periods whose boards had expired before anybody settled them.',
      labelNames,
    });
    this.unheard = metrics.counter({
      name: 'laurel_settled_listener_failures_total',
      help: 'Announcements of settled periods that a listener did not acknowledge ("threw", "timeout"); they are repeated.',
      labelNames: ['listener', 'reason'],
    });
    metrics.gauge(
      {
        name: 'laurel_settled_listener_waiting',
        help: 'Archived periods that wait until a listener has acknowledged them.',
        label: 'listener',
      },
      () => this.waiting,
    );
    metrics.gauge(
      {
        name: 'laurel_settlement_lag_seconds',
        help: 'How long the period has been due that has waited longest to be settled and acknowledged; 0: none is due.',
        aggregator: 'max',
      },
      () => this.lagSeconds,
    );
  }

  countSettled(leaderboard: string): void {
    this.settled.inc({ leaderboard });
  }

  countFailure(leaderboard: string): void {
    this.failures.inc({ leaderboard });
  }

  countMissed(leaderboard: string): void {
    this.missed.inc({ leaderboard });
  }

  countUnheard(listener: string, reason: string): void {
    this.unheard.inc({ listener, reason });
  }

  setWaiting(counts: ReadonlyMap<string, number>): void {
    this.waiting = counts;
  }

  setLag(seconds: number): void {
    this.lagSeconds = seconds;
  }
}
