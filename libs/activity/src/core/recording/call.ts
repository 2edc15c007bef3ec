import { performance } from 'node:perf_hooks';
import type { Transition } from '@laurel/leaderboard';
import { type ActivityChange, type Outcome, ownerOf } from '../activity/activity';
import { ActivityError } from '../errors/errors';
import type { Extensions } from '../extensions/extensions';
import type { ActivitySettings } from '../options/settings';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { ActivityRecordedEvent } from './activity-recorded.event';
import type { EventAnnouncer } from './event-announcer';
import type { TransitionResults, Recorders } from './recorder';
import type { RecordingMetrics } from './recording-metrics';
import { askFor, limitFaultsIn, outcomeOf, reasonToIgnore } from './transition';

/** The services that calls use. */
export interface CallParts {
  readonly recorders: Recorders;
  readonly announcer: EventAnnouncer;
  readonly metrics: RecordingMetrics;
  readonly extensions: Extensions;
  readonly settings: ActivitySettings;
}

/** A call to record activities that were checked. */
export class Call {
  private readonly startedMs = performance.now();

  /** @param book the rules of its beginning, by which it ends. */
  constructor(
    private readonly parts: CallParts,
    private readonly book: RuleBook,
    private readonly changes: readonly ActivityChange[],
  ) {}

  /**
   * Records them. All are stamped and numbered now: however long a call waits for others, what comes after is later.
   */
  async record(): Promise<Outcome[]> {
    const { recorders, settings, extensions, metrics } = this.parts;
    const nowMs = settings.clock.now();
    const asked: (Transition | null)[] = [];
    let count = 0;
    for (const change of this.changes) {
      const entry = this.entryOf(change);
      if (reasonToIgnore(entry, change) === null) {
        askFor(entry, change, nowMs, asked);
        count += 1;
      } else {
        for (let ledger = 0; ledger < recorders.count; ledger += 1) asked.push(null);
      }
    }
    if (count === 0) return this.reported([]);
    recorders.begin();
    try {
      // For everything together.
      const deadlineMs = this.startedMs + settings.recordTimeoutMs;
      // The app's directory may exclude users: it is asked first.
      const { moderation } = extensions;
      if (moderation?.checksNewUsers) await moderation.checkNewUsers(this.users(), deadlineMs);
      const answered = await recorders.record(asked, deadlineMs);
      metrics.observeSeconds((performance.now() - this.startedMs) / 1_000);
      return this.reported(answered);
    } catch (error) {
      metrics.countFailure('service', error instanceof ActivityError ? error.code : 'internal', count);
      throw error;
    } finally {
      recorders.end();
    }
  }

  /** The users that the activities which count concern. */
  private users(): string[] {
    const counted = this.changes.filter((change) => reasonToIgnore(this.entryOf(change), change) === null);
    return counted.flatMap((change) => [change.userId, ownerOf(change) ?? []].flat());
  }

  /** What became of the activities, which others hear before the caller does. */
  private reported(answered: TransitionResults): Outcome[] {
    const outcomes: Outcome[] = [];
    const isHeard = this.parts.announcer.isHeard(ActivityRecordedEvent.eventName);
    for (const change of this.changes) {
      const row = this.rowOf(answered, outcomes.length);
      const outcome = this.outcomeOf(change, row);
      outcomes.push(outcome);
      this.report(change, outcome, row);
      if (isHeard) this.announce(change, outcome);
    }
    return outcomes;
  }

  private outcomeOf(change: ActivityChange, answered: TransitionResults): Outcome {
    const entry = this.entryOf(change);
    const reason = reasonToIgnore(entry, change);
    if (reason !== null) return { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason };
    const outcome = outcomeOf(answered, this.parts.settings.decimals);
    const { owner, ...own } = outcome;
    if (!owner) return outcome;
    this.parts.metrics.countReceived(entry.rule.action, owner.outcome);
    // A rule that gives an owner nothing but a count says nothing of it.
    return owner.points !== 0 || entry.givesOwners ? outcome : own;
  }

  private report(change: ActivityChange, outcome: Outcome, answered: TransitionResults): void {
    const { metrics, extensions } = this.parts;
    metrics.countOutcome(change.action, outcome);
    if (outcome.reason !== undefined) {
      const faults = limitFaultsIn(answered);
      for (const observer of extensions.refusalObservers) observer.observeRefusal(change, outcome, faults);
    }
  }

  private announce(change: ActivityChange, outcome: Outcome): void {
    if (outcome.points === 0 && (outcome.owner?.points ?? 0) === 0) return;
    this.parts.announcer.announce(ActivityRecordedEvent.eventName, new ActivityRecordedEvent(change, outcome));
  }

  /** What a list says of one activity. */
  private rowOf<T>(list: readonly T[], index: number): readonly T[] {
    const ledgers = this.parts.recorders.count;
    return list.length <= ledgers ? list : list.slice(index * ledgers, (index + 1) * ledgers);
  }

  private entryOf({ action }: ActivityChange): RuleEntry {
    return this.book.find(action) as RuleEntry;
  }
}
