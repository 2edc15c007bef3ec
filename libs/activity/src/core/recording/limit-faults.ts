import { Injectable, Logger } from '@nestjs/common';
import type { ActivityChange, Outcome } from '../activity/activity';
import { Extensions } from '../extensions/extensions';
import type { LimitFault, RefusalObserver } from '../extensions/outcome-observer';
import { LabelNames } from '../observability/label-names';
import { SharedMetrics } from '../observability/shared-metrics';

/** The most limits that are logged and counted by their names, in the life of a process. */
export const maxFaultyLimits = 500;

/** The longest fault that is logged: a limit may fail with any text. */
export const maxFaultLength = 300;

/** Counts grants that were refused as a limit failed; of each limit the first is logged. */
@Injectable()
export class LimitFaults implements RefusalObserver {
  private readonly logger = new Logger('Limits');
  private readonly names = new LabelNames(maxFaultyLimits);
  private readonly logged = new Set<string>();
  private readonly counter;

  constructor(metrics: SharedMetrics, { refusalObservers }: Extensions) {
    this.counter = metrics.counter({
      name: 'laurel_limit_faults_total',
      help: "Activities that a limit of the app's own type refused because it failed, by limit.",
      labelNames: ['limit'],
    });
    refusalObservers.push(this);
  }

  observeRefusal(_change: ActivityChange, _outcome: Outcome, faults: readonly LimitFault[]): void {
    for (const { limit, fault } of faults) {
      const name = this.names.of(limit);
      this.counter.inc({ limit: name });
      if (this.logged.has(name)) continue;
      this.logged.add(name);
      this.logger.error(
        `The limit "${limit}" failed, and refuses its activities: ${fault}. Further failures are counted, not logged`,
      );
    }
  }
}
