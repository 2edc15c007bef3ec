import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import type { Outcome } from '../activity/activity';
import type { RulesSource } from '../rules/rules-in-force';
import { LabelNames } from './label-names';
import { SharedMetrics } from './shared-metrics';

/** The most actions and limits that metrics tell apart in the life of a process. */
const maxLabelNames = 500;

/** The module's metrics. Labels are configured names and closed codes: nothing a user can type. */
@Injectable()
export class ActivityMetrics {
  private readonly activities: Counter<'action' | 'outcome'>;
  /** The counters of {@link activities}, each looked up once: labels are hashed at every look-up. */
  private readonly byOutcome = new Map<string, { inc(): void }>();
  private readonly received: Counter<'action' | 'outcome'>;
  private readonly late: Counter<'leaderboard'>;
  private readonly refused: Counter<'leaderboard' | 'reason'>;
  private readonly limited: Counter<'action' | 'limit'>;
  private readonly refusedRules: Counter<'source'>;
  private rulesRevision = 0;
  /** Rules may be replaced any number of times: labels stay bounded, whatever their actions and limits are called. */
  private readonly names = new LabelNames(maxLabelNames);
  private readonly failures: Counter<'source' | 'code'>;
  private readonly droppedVisits: Counter;
  private readonly recordingSeconds: Histogram;
  private isRedisUp = false;
  private readonly redisRefusals: Counter<'code'>;
  private readonly adjustments: Counter<'outcome'>;
  private readonly observerFailures: Counter<'reason'>;
  private readonly fullObservers: Counter;

  constructor(private readonly metrics: SharedMetrics) {
    this.activities = metrics.counter({
      name: 'laurel_activities_total',
      help: 'Activities by action and outcome.',
      labelNames: ['action', 'outcome'],
    });
    this.received = metrics.counter({
      name: 'laurel_received_activities_total',
      help: "Activities by action and what became of the grant to their subject's owner.",
      labelNames: ['action', 'outcome'],
    });
    this.late = metrics.counter({
      name: 'laurel_late_activities_total',
      help: 'Activities that counted on a leaderboard after the end of their period.',
      labelNames: ['leaderboard'],
    });
    this.refused = metrics.counter({
      name: 'laurel_refused_activities_total',
      help: 'Activities that could not count on a leaderboard, by reason: closed, notStarted, ended, noPartition, future, scoreOutOfRange or the name of a limit.',
      labelNames: ['leaderboard', 'reason'],
    });
    this.limited = metrics.counter({
      name: 'laurel_limited_activities_total',
      help: 'Activities that a limit refused, by action and limit.',
      labelNames: ['action', 'limit'],
    });
    this.refusedRules = metrics.counter({
      name: 'laurel_rules_refused_total',
      help: 'Sets of rules that were not taken, by where they came from.',
      labelNames: ['source'],
    });
    metrics.gauge(
      {
        name: 'laurel_rules_revision',
        help: 'The revision of the rules in force on this instance; 0: its own.',
        aggregator: 'max',
      },
      () => this.rulesRevision,
    );
    this.failures = metrics.counter({
      name: 'laurel_activity_failures_total',
      help: 'Activities that could not be recorded, by where they came from and error code.',
      labelNames: ['source', 'code'],
    });
    this.droppedVisits = metrics.counter({
      name: 'laurel_visits_dropped_total',
      help: 'Page visits that were not recorded: they are best effort.',
    });
    this.recordingSeconds = metrics.histogram({
      name: 'laurel_recording_seconds',
      help: 'Time from a call to record until the points are in Redis.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
    this.adjustments = metrics.counter({
      name: 'laurel_adjustments_total',
      help: "Operators' adjustments by outcome.",
      labelNames: ['outcome'],
    });
    this.observerFailures = metrics.counter({
      name: 'laurel_observer_failures_total',
      help: 'Events that a listener to activity.recorded failed at, by reason: threw, timeout.',
      labelNames: ['reason'],
    });
    this.fullObservers = metrics.counter({
      name: 'laurel_observer_full_total',
      help: 'Recordings that had to wait because listeners to activity.recorded were behind.',
    });
    this.redisRefusals = metrics.counter({
      name: 'laurel_redis_refusals_total',
      help: 'Calls that Redis answered with an error, by its code: OOM, NOPERM, READONLY, WRONGTYPE.',
      labelNames: ['code'],
    });
    metrics.gauge({ name: 'laurel_redis_up', help: '1 while Redis can be used, else 0.', aggregator: 'min' }, () =>
      this.isRedisUp ? 1 : 0,
    );
  }

  /** Counts what became of an activity, and on which leaderboards it came late or did not count. */
  countOutcome(given: string, { outcome, boards, late, reason, refusal }: Outcome): void {
    const action = this.names.of(given);
    if (refusal) this.limited.inc({ action, limit: this.names.of(refusal.limit) });
    const refusedBy = outcome === 'rejected' ? reason : (refusal?.limit ?? reason);
    for (const label of late ?? []) this.late.inc({ leaderboard: leaderboardOf(label) });
    for (const label in boards) {
      const word = boards[label];
      if (word === undefined || word === 'counted' || word === 'unchanged') continue;
      const why = word === 'refused' ? this.names.of(refusedBy ?? word) : word;
      this.refused.inc({ leaderboard: leaderboardOf(label), reason: why });
    }
    const name = `${action} ${outcome}`;
    let counter = this.byOutcome.get(name);
    if (!counter) {
      counter = this.activities.labels({ action, outcome });
      this.byOutcome.set(name, counter);
    }
    counter.inc();
  }

  /** Counts what became of a grant to the owner of a subject. */
  countReceived(given: string, outcome: string): void {
    this.received.inc({ action: this.names.of(given), outcome });
  }

  /** Counts activities that were not recorded: `service` told its caller, `event` had nobody to tell. */
  countFailure(source: 'service' | 'event', code: string, count = 1): void {
    this.failures.inc({ source, code }, count);
  }

  /** Counts a set of rules that was not taken. */
  countRefusedRules(source: RulesSource): void {
    this.refusedRules.inc({ source });
  }

  /** Notes which revision of the rules is in force here. */
  setRulesRevision(revision: number): void {
    this.rulesRevision = revision;
  }

  /** Counts a visit that was not recorded. */
  countDroppedVisit(): void {
    this.droppedVisits.inc();
  }

  /** Notes how long a call to record took. */
  observeRecording(seconds: number): void {
    this.recordingSeconds.observe(seconds);
  }

  /** Tells where to read how many activities wait; it is read when the metrics are. */
  watchPending(pending: () => number): void {
    this.metrics.gauge({ name: 'laurel_pending_activities', help: 'Activities that wait for Redis.' }, pending);
  }

  /** Counts what became of an adjustment. */
  countAdjustment(outcome: string): void {
    this.adjustments.inc({ outcome });
  }

  /** Counts an event at which a listener failed. */
  countObserverFailure(reason: string): void {
    this.observerFailures.inc({ reason });
  }

  /** Counts a recording that waits for listeners. */
  countFullObservers(): void {
    this.fullObservers.inc();
  }

  /** Tells where to read how many events wait for listeners; it is read when the metrics are. */
  watchObservers(waiting: () => number): void {
    const help = 'Events activity.recorded that wait for listeners, or that these are at work on.';
    this.metrics.gauge({ name: 'laurel_observer_waiting', help }, waiting);
  }

  /** Counts a call that Redis answered with an error. */
  countRedisRefusal(code: string): void {
    this.redisRefusals.inc({ code: this.names.of(code) });
  }

  /** Notes whether Redis can be used. */
  setRedisUp(isUp: boolean): void {
    this.isRedisUp = isUp;
  }
}

/** The configured name in `name/part`: parts are named by users. */
function leaderboardOf(label: string): string {
  return label.split('/', 1)[0] ?? label;
}
