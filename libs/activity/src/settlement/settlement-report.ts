import { cached } from '@laurel/leaderboard/internals';
import { Injectable, Logger } from '@nestjs/common';
import { errorTrace } from '../core/http/error-trace';
import { SharedMetrics } from '../core/observability/shared-metrics';
import { faultCode } from '../core/redis/redis-faults';
import type { DuePeriod } from './part-standings';
import type { ListenerFailure, Settlement } from './settler';

/** After how long a listener that has not acknowledged is logged: perhaps no instance has it any more. */
const absentMs = 3_600_000;

const table = {
  settled: {
    name: 'laurel_settled_periods_total',
    help: 'Periods that this instance settled.',
    labelNames: ['leaderboard'],
  },
  failures: {
    name: 'laurel_settlement_failures_total',
    help: 'Tries to settle a period that failed; it is tried again. "none": looking for periods failed.',
    labelNames: ['leaderboard'],
  },
  missed: {
    name: 'laurel_settlement_missed_total',
    help: 'Periods whose boards had expired before anybody settled them.',
    labelNames: ['leaderboard'],
  },
  unheard: {
    name: 'laurel_settled_listener_failures_total',
    help: 'Announcements of settled periods that a listener did not acknowledge ("threw", "timeout"); they are repeated.',
    labelNames: ['listener', 'reason'],
  },
} as const;

/** Since when a period waits for a listener, and whether that was logged. */
interface Wait {
  readonly sinceMs: number;
  readonly isLogged: boolean;
}

/** Reports in logs and metrics what became of periods. Labels are configured names alone. */
@Injectable()
export class SettlementReport {
  private readonly logger = new Logger('SettlementService');
  private readonly counters;
  /** By listener and by period. */
  private waits: ReadonlyMap<string, ReadonlyMap<string, Wait>> = new Map();
  private lagMs = 0;
  private lastFault = '';

  constructor(metrics: SharedMetrics) {
    this.counters = metrics.counters(table);
    metrics.gauge(
      {
        name: 'laurel_settled_listener_waiting',
        help: 'Archived periods that wait until a listener has acknowledged them.',
        label: 'listener',
      },
      () => new Map([...this.waits].map(([listener, periods]) => [listener, periods.size])),
    );
    metrics.gauge(
      {
        name: 'laurel_settlement_lag_seconds',
        help: 'How long the period has been due that has waited longest to be settled and acknowledged; 0: none is due.',
        aggregator: 'max',
      },
      () => this.lagMs / 1_000,
    );
  }

  /** The periods that are due now. */
  due(periods: readonly DuePeriod[], nowMs: number): void {
    this.lagMs = Math.max(0, ...periods.map(({ closedAtMs }) => nowMs - closedAtMs));
  }

  /** Looking for periods succeeded, or failed. While Redis is away each look fails: the first failure is logged. */
  looked(error?: unknown): void {
    const fault = error === undefined ? '' : faultCode(error);
    if (error !== undefined) this.counters.failures.inc({ leaderboard: 'none' });
    if (fault !== '' && fault !== this.lastFault) this.logger.error(`Looking for periods to settle failed: ${fault}`);
    this.lastFault = fault;
  }

  archived({ archived, failed, missed }: Pick<Settlement, 'archived' | 'failed' | 'missed'>): void {
    for (const { leaderboard, period, total } of archived) {
      // The number of partitions has no bound: they are counted together.
      this.counters.settled.inc({ leaderboard: leaderboard.split('/', 1).join() });
      this.logger.log(`Settled ${leaderboard} ${period}: ${total} entries.`);
    }
    for (const { leaderboard, period } of missed) {
      this.counters.missed.inc({ leaderboard });
      this.logger.error(`${leaderboard} ${period.key} had expired before it could be settled: keep boards for longer.`);
    }
    this.failed(failed);
  }

  failed(failed: Settlement['failed']): void {
    for (const { due, error } of failed) {
      this.counters.failures.inc({ leaderboard: due.leaderboard });
      this.logger.error(`Settling ${due.leaderboard} ${due.period.key} failed and is tried again: ${faultCode(error)}`);
    }
  }

  /** A listener did not acknowledge. */
  unheard({ listener, leaderboard, period, reason, error, pauseMs }: ListenerFailure): void {
    this.counters.unheard.inc({ listener, reason });
    const what = reason === 'threw' ? 'failed' : 'took too long';
    this.logger.error(
      `The listener "${listener}" ${what} at ${leaderboard} ${period}. The event is repeated, with the same id, in ` +
        `${Math.ceil(pauseMs / 1_000)} s.`,
      error === undefined ? undefined : errorTrace(error),
    );
  }

  /** All periods that wait for listeners now. */
  waitingFor(waiting: Settlement['waiting']): void {
    const nowMs = performance.now();
    const waits = new Map<string, Map<string, Wait>>();
    for (const { due, listeners } of waiting) {
      for (const listener of listeners) {
        const period = `${due.leaderboard} ${due.period.key}`;
        const { sinceMs, isLogged } = this.waits.get(listener)?.get(period) ?? { sinceMs: nowMs, isLogged: false };
        const isLong = nowMs - sinceMs >= absentMs;
        if (isLong && !isLogged) {
          this.logger.warn(
            `${period} has waited for the listener "${listener}" for an hour: start an instance that has the ` +
              `listener, or, once no instance has it, run \`laurel settle --retire ${listener}\`.`,
          );
        }
        cached(waits, listener, () => new Map()).set(period, { sinceMs, isLogged: isLogged || isLong });
      }
    }
    this.waits = waits;
  }
}
