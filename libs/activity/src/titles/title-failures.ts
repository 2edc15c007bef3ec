import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { SharedMetrics } from '../core/observability/shared-metrics';
import { errorTrace } from '../core/http/error-trace';

/** `error`: it threw. `timeout`: too late. `invalid`: no title. `unavailable`: its facts could not be read. */
export type TitleFailure = 'error' | 'timeout' | 'invalid' | 'unavailable';

const what: Readonly<Record<TitleFailure, string>> = {
  error: 'threw',
  timeout: 'did not answer in time',
  invalid: 'answered neither null nor a title of 1 to 100 characters',
  unavailable: 'did not get the facts it needs',
};

/** Counts titles that could not be found; of each rule and reason the first is logged. */
@Injectable()
export class TitleFailures {
  private readonly logger = new Logger('TitleRules');
  private readonly logged = new Set<string>();
  private readonly failures: Counter<'rule' | 'reason'>;

  constructor(metrics: SharedMetrics) {
    this.failures = metrics.counter({
      name: 'laurel_title_failures_total',
      help: 'Titles that were not shown because a rule failed, by rule ("all": before any was asked) and reason: error, timeout, invalid or unavailable.',
      labelNames: ['rule', 'reason'],
    });
  }

  report(rule: string, reason: TitleFailure, error?: unknown): void {
    this.failures.inc({ rule, reason });
    const id = `${reason} ${rule}`;
    if (this.logged.has(id)) return;
    this.logged.add(id);
    const subject = rule === 'all' ? 'The chain' : `The rule ${rule}`;
    const message = `${subject} ${what[reason]}: users are shown without titles. Further ones are counted, not logged`;
    // Redis is away or late, which is logged where it is noticed.
    if (reason === 'unavailable') this.logger.warn(message);
    else this.logger.error(message, error === undefined ? undefined : errorTrace(error));
  }
}
