import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import { METRICS_REGISTRY } from '../operations/metrics-registry';

/** What is measured of settling. Labels are configured names alone. */
@Injectable()
export class SettlementMetrics {
  private readonly settled: Counter<'leaderboard'>;
  private readonly failures: Counter<'leaderboard'>;
  private readonly missed: Counter<'leaderboard'>;
  private readonly unheard: Counter<'listener' | 'reason'>;
  private readonly waiting: Gauge<'listener'>;
  private readonly lag: Gauge;

  constructor(@Inject(METRICS_REGISTRY) registry: Registry) {
    const registers = [registry];
    const labelNames = ['leaderboard'] as const;
    this.settled = new Counter({
      name: 'laurel_settled_periods_total',
      help: 'Periods that this instance settled.',
      labelNames,
      registers,
    });
    this.failures = new Counter({
      name: 'laurel_settlement_failures_total',
      help: 'Tries to settle a period that failed; it is tried again. "none": looking for periods failed.',
      labelNames,
      registers,
    });
    this.missed = new Counter({
      name: 'laurel_settlement_missed_total',
      help: 'Periods whose boards had expired before anybody settled them.',
      labelNames,
      registers,
    });
    this.unheard = new Counter({
      name: 'laurel_settled_listener_failures_total',
      help: 'Announcements of settled periods that a listener did not acknowledge ("threw", "timeout"); they are repeated.',
      labelNames: ['listener', 'reason'],
      registers,
    });
    this.waiting = new Gauge({
      name: 'laurel_settled_listener_waiting',
      help: 'Archived periods that wait until a listener has acknowledged them.',
      labelNames: ['listener'],
      registers,
    });
    this.lag = new Gauge({
      name: 'laurel_settlement_lag_seconds',
      help: 'How long the period has been due that has waited longest to be settled and acknowledged; 0: none is due.',
      registers,
    });
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
    this.waiting.reset();
    for (const [listener, count] of counts) this.waiting.set({ listener }, count);
  }

  setLag(seconds: number): void {
    this.lag.set(seconds);
  }
}
