import type { Logger } from '@nestjs/common';
import { faultCode } from '../redis/redis-faults';
import { errorTrace } from '../http/error-trace';
import type { UnheardPeriod } from './announcer';
import type { SettlementMetrics } from './settlement-metrics';
import type { FailedPeriod, Settlement, WaitingFor } from './settler';

/** After how long it is told that a listener has not acknowledged: no instance may have it any more. */
const absentMs = 3_600_000;

/** Tells in logs and metrics what became of periods. */
export class SettlementReport {
  /** Since when periods wait for listeners, and whether that was told. */
  private waits = new Map<string, { readonly sinceMs: number; readonly isTold: boolean }>();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: SettlementMetrics,
  ) {}

  archiving({ archived, failed, missed }: Pick<Settlement, 'archived' | 'failed' | 'missed'>): void {
    for (const { leaderboard, period, total } of archived) {
      // The number of partitions has no bound: they are counted together.
      this.metrics.countSettled(leaderboard.split('/', 1).join());
      this.logger.log(`Settled ${leaderboard} ${period}: ${total} entries.`);
    }
    for (const { leaderboard, period } of missed) {
      this.metrics.countMissed(leaderboard);
      this.logger.error(`${leaderboard} ${period.key} had expired before it could be settled: keep boards for longer.`);
    }
    this.failures(failed);
  }

  failures(failed: readonly FailedPeriod[]): void {
    for (const { due, error } of failed) {
      this.metrics.countFailure(due.leaderboard);
      this.logger.error(`Settling ${due.leaderboard} ${due.period.key} failed and is tried again: ${faultCode(error)}`);
    }
  }

  /** A listener did not acknowledge. */
  unheard({ listener, leaderboard, period, reason, error, pauseMs }: UnheardPeriod): void {
    this.metrics.countUnheard(listener, reason);
    const what = reason === 'threw' ? 'failed' : 'took too long';
    this.logger.error(
      `The listener "${listener}" ${what} at ${leaderboard} ${period}. It is told again, with the same id, in ` +
        `${Math.ceil(pauseMs / 1_000)} s.`,
      error === undefined ? undefined : errorTrace(error),
    );
  }

  /** All periods that wait for listeners now. */
  announcing(waiting: readonly WaitingFor[]): void {
    const nowMs = performance.now();
    const waits = new Map<string, { readonly sinceMs: number; readonly isTold: boolean }>();
    const counts = new Map<string, number>();
    for (const { due, listeners } of waiting) {
      for (const listener of listeners) {
        counts.set(listener, (counts.get(listener) ?? 0) + 1);
        const id = `${listener} ${due.leaderboard} ${due.period.key}`;
        const { sinceMs, isTold } = this.waits.get(id) ?? { sinceMs: nowMs, isTold: false };
        const isLong = nowMs - sinceMs >= absentMs;
        if (isLong && !isTold) {
          this.logger.warn(
            `${due.leaderboard} ${due.period.key} has waited for the listener "${listener}" for an hour: start an ` +
              `instance that has the listener, or, if the app no longer has it, run \`laurel settle --retire ${listener}\`.`,
          );
        }
        waits.set(id, { sinceMs, isTold: isTold || isLong });
      }
    }
    this.waits = waits;
    this.metrics.setWaiting(counts);
  }
}
