import { performance } from 'node:perf_hooks';
import type { Transition } from '@laurel/leaderboard';
import { type ActivityChange, type Outcome, ownerOf } from '../activity/activity';
import { ActivityError } from '../errors/errors';
import type { Extensions } from '../extensions/extensions';
import type { Moderation } from '../extensions/moderation';
import type { ActivitySettings } from '../options/settings';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { ActivityRecordedEvent } from './activity-recorded.event';
import type { EventAnnouncer } from './event-announcer';
import type { Answered, Caller, Recorders } from './recorder';
import type { RecordingMetrics } from './recording-metrics';
import { askFor, limitFaultsIn, outcomeOf, reasonToIgnore } from './transition';

/** What calls work with. */
export interface CallParts {
  readonly recorders: Recorders;
  readonly announcer: EventAnnouncer;
  readonly metrics: RecordingMetrics;
  readonly extensions: Extensions;
  readonly settings: ActivitySettings;
}

/**
 * A call to record activities that were checked. Each step is called by what the step before waited for, so that a call
 * costs one promise, its caller's.
 */
export class Call implements Caller {
  private readonly startedMs = performance.now();
  private readonly asked: (Transition | null)[] = [];
  /** How many activities count by their rules. */
  private count = 0;

  /** @param book the rules of its beginning, by which it ends. */
  constructor(
    private readonly parts: CallParts,
    private readonly book: RuleBook,
    private readonly changes: readonly ActivityChange[],
    private readonly resolve: (outcomes: Outcome[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  /** Until when it may wait, for everything together. */
  private get deadlineMs(): number {
    return this.startedMs + this.parts.settings.recordTimeoutMs;
  }

  /** Begins. All are stamped and numbered now: however long a call waits for others, what came after it is later. */
  begin(): void {
    const { recorders, settings, extensions } = this.parts;
    const nowMs = settings.clock.now();
    for (const change of this.changes) {
      const entry = this.entryOf(change);
      if (reasonToIgnore(entry, change) === null) {
        askFor(entry, change, nowMs, this.asked);
        this.count += 1;
      } else {
        this.asked.push(...entry.shares.map(() => null));
      }
    }
    if (this.count === 0) return this.resolve(this.reported([]));
    recorders.begin();
    if (extensions.moderation?.checksNewUsers) void this.waitFor(extensions.moderation);
    else this.send();
  }

  /** All of it is in Redis. */
  recorded(answered: Answered): void {
    this.parts.metrics.observeSeconds((performance.now() - this.startedMs) / 1_000);
    const outcomes = this.reported(answered);
    this.parts.recorders.end();
    this.resolve(outcomes);
  }

  failed(error: unknown): void {
    const code = error instanceof ActivityError ? error.code : 'internal';
    this.parts.metrics.countFailure('service', code, this.count);
    this.parts.recorders.end();
    this.reject(error);
  }

  /** The app's directory may exclude users: it is asked first. */
  private async waitFor(moderation: Moderation): Promise<void> {
    try {
      await moderation.checkNewUsers(this.users(), this.deadlineMs);
    } catch (error) {
      return this.failed(error);
    }
    this.send();
  }

  private send(): void {
    this.parts.recorders.send(this.asked, this.deadlineMs, this);
  }

  /** The users that the activities which count concern. */
  private users(): string[] {
    const counted = this.changes.filter((change) => reasonToIgnore(this.entryOf(change), change) === null);
    return counted.flatMap((change) => [change.userId, ownerOf(change) ?? []].flat());
  }

  /** What became of the activities, which others hear before the caller does. */
  private reported(answered: Answered): Outcome[] {
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

  private outcomeOf(change: ActivityChange, answered: Answered): Outcome {
    const entry = this.entryOf(change);
    const reason = reasonToIgnore(entry, change);
    if (reason !== null) return { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason };
    const outcome = outcomeOf(answered, this.parts.settings.decimals);
    const { owner, ...own } = outcome;
    if (!owner) return outcome;
    this.parts.metrics.countReceived(entry.rule.action, owner.outcome);
    // A rule that gives an owner nothing but a count says nothing of it.
    return owner.points !== 0 || entry.ownerPoints.some((points) => (points ?? 0) !== 0) ? outcome : own;
  }

  private report(change: ActivityChange, outcome: Outcome, answered: Answered): void {
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
