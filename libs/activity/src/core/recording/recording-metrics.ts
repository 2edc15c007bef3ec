import { Injectable, Logger } from '@nestjs/common';
import type { Outcome } from '../activity/activity';
import type { LimitFault } from '../extensions/ports';
import { LabelNames, SharedMetrics } from '../observability/shared-metrics';

/** The most actions and limits that metrics tell apart in the life of a process. */
const maxLabelNames = 500;

/** The most limits that are logged and counted by their names, in the life of a process. */
export const maxFaultyLimits = 500;

/** The longest fault that is logged: a limit may fail with any text. */
export const maxFaultLength = 300;

const table = {
  activities: {
    name: 'laurel_activities_total',
    help: 'Activities by action and outcome.',
    labelNames: ['action', 'outcome'],
  },
  received: {
    name: 'laurel_received_activities_total',
    help: "Activities by action and outcome of the grant to their subject's owner.",
    labelNames: ['action', 'outcome'],
  },
  late: {
    name: 'laurel_late_activities_total',
    help: 'Activities that counted on a leaderboard after the end of their period.',
    labelNames: ['leaderboard'],
  },
  refused: {
    name: 'laurel_refused_activities_total',
    help: 'Activities that could not count on a leaderboard, by reason: full, closed, notStarted, ended, noPartition, future, scoreOutOfRange, held, erased or the name of a limit.',
    labelNames: ['leaderboard', 'reason'],
  },
  limited: {
    name: 'laurel_limited_activities_total',
    help: 'Activities that a limit refused, by action and limit; held: their points wait for a review.',
    labelNames: ['action', 'limit'],
  },
  failures: {
    name: 'laurel_activity_failures_total',
    help: 'Activities that could not be recorded, by error code: all by source "service", those of events by "event" too.',
    labelNames: ['source', 'code'],
  },
  limitFaults: {
    name: 'laurel_limit_faults_total',
    help: "Activities that a limit of the app's own type refused because it failed, by limit.",
    labelNames: ['limit'],
  },
} as const;

/** How much was counted under some labels since their counter was last told. */
interface Tally {
  readonly counter: { inc(count: number): void };
  count: number;
}

/** The metrics of recording. Labels are configured names and closed codes, never text of users. */
@Injectable()
export class RecordingMetrics {
  private readonly logger = new Logger('Limits');
  private readonly counters;
  /** Takes how long each call to record took. */
  readonly seconds;
  /** By their two labels. A counter hashes its labels at each call: it is told once for all activities of a turn. */
  private readonly tallies = {
    activities: new Map<string, Map<string, Tally>>(),
    refused: new Map<string, Map<string, Tally>>(),
  };
  private counted: Tally[] = [];
  /** Rules may be replaced any number of times: labels stay bounded, whatever their actions and limits are called. */
  private readonly names = new LabelNames(maxLabelNames);
  private readonly faultyLimits = new LabelNames(maxFaultyLimits);
  private readonly logged = new Set<string>();

  constructor(metrics: SharedMetrics) {
    this.counters = metrics.counters(table);
    const seconds = metrics.histogram({
      name: 'laurel_recording_seconds',
      help: 'Time from a call to record until the points are in Redis.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
    // Without labels; asked for at each observation, it would be made anew.
    this.seconds = seconds.labels();
  }

  /** Counts what became of an activity, and on which leaderboards it came late or did not count. */
  countOutcome(given: string, { outcome, boards, late, reason, refusal }: Outcome): void {
    const { counters, names } = this;
    const action = names.of(given);
    this.count('activities', action, outcome);
    if (refusal) counters.limited.inc({ action, limit: names.of(refusal.limit) });
    if (late) for (const label of late) counters.late.inc({ leaderboard: leaderboardOf(label) });
    for (const label in boards) {
      const word = boards[label] as (typeof boards)[string];
      if (word === 'counted' || word === 'unchanged') continue;
      const why = outcome === 'rejected' ? reason : (refusal?.limit ?? reason);
      this.count('refused', leaderboardOf(label), word === 'refused' ? names.of(why ?? word) : word);
    }
  }

  /** Counts what became of a grant to the owner of a subject. */
  countReceived(action: string, outcome: string): void {
    this.counters.received.inc({ action: this.names.of(action), outcome });
  }

  /** Counts activities that were not recorded: `service` calls reject, `event`s have no caller. */
  countFailure(source: 'service' | 'event', code: string, count = 1): void {
    this.counters.failures.inc({ source, code }, count);
  }

  /** Counts grants that were refused as a limit failed; of each limit the first is logged. */
  countLimitFaults(faults: readonly LimitFault[]): void {
    for (const { limit, fault } of faults) {
      const name = this.faultyLimits.of(limit);
      this.counters.limitFaults.inc({ limit: name });
      if (this.logged.has(name)) continue;
      this.logged.add(name);
      this.logger.error(
        `The limit "${limit}" failed, and refuses its activities: ${fault}. Further failures are counted, not logged`,
      );
    }
  }

  private count(metric: 'activities' | 'refused', first: string, second: string): void {
    let known = this.tallies[metric].get(first);
    if (!known) this.tallies[metric].set(first, (known = new Map<string, Tally>()));
    let tally = known.get(second);
    if (!tally) known.set(second, (tally = { counter: this.counters[metric].labels(first, second), count: 0 }));
    tally.count += 1;
    if (tally.count === 1 && this.counted.push(tally) === 1) queueMicrotask(() => this.tellCounters());
  }

  /** Tells the counters what was counted since they were last told: before any caller goes on. */
  private tellCounters(): void {
    const { counted } = this;
    this.counted = [];
    for (const tally of counted) {
      tally.counter.inc(tally.count);
      tally.count = 0;
    }
  }
}

/** The configured name in `name/part`: parts are named by users. */
function leaderboardOf(label: string): string {
  return label.split('/', 1)[0] ?? label;
}
