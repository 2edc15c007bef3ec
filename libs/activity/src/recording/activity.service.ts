import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import {
  type Activity,
  type ActivityChange,
  type ActivityHistory,
  type HistoryRange,
  type Outcome,
  ownerOf,
} from '../activity/activity';
import { ActivityError, faultsError, type Fault } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import type { LimitFault } from '../extensions/outcome-observer';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import type { RuleVersion } from '../rules/rules-text';
import { activityFaults } from './activity-faults';
import { Histories } from './histories';
import { limitFaultsIn, outcomeOf } from './outcome-of';
import { OwnerGrants, type Given } from './owner-grants';
import type { ReceivedCounts } from './received-counts';
import { RecordedAnnouncer, type Announcements } from './recorded-announcer';
import { Recorders, type Answered } from './recorders';
import { RecordingMetrics } from './recording-metrics';
import { reasonToIgnore, transitionsOf } from './transition';

/** An activity that counts, its rule, and what the ledgers are asked. */
type Request = Omit<Given, 'answered'>;

/** What became of an activity, and the limits that failed over it. */
interface Recorded {
  readonly outcome: Outcome;
  readonly faults: readonly LimitFault[];
}

const noFaults: readonly LimitFault[] = [];

/** Records activities, takes them back, and reads what a user was granted. */
@Injectable()
export class ActivityService {
  private readonly owners: OwnerGrants;

  constructor(
    private readonly recorders: Recorders,
    private readonly announcer: RecordedAnnouncer,
    private readonly rules: RulesInForce,
    private readonly histories: Histories,
    private readonly metrics: RecordingMetrics,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.owners = new OwnerGrants(recorders, metrics);
  }

  /**
   * Gives the points of one activity, or of many. Resolves when they are in Redis; a share of one round trip, and of a
   * second one where a rule gives owners something, for these come after. Safe to repeat. All are checked before any is
   * recorded. What has no `occurredAt` is stamped now, whatever is waited for afterwards: listeners to
   * `activity.recorded` that are behind, the user directory and Redis, for `recordTimeoutMs` in all.
   * @throws ActivityError `invalidActivity` or `unknownAction` with the path of each fault; `overloaded`: nothing was
   * recorded; `unavailable`: Redis did not answer in time, some may be recorded, and repeating it is safe.
   */
  async record(activity: Activity): Promise<Outcome>;
  async record(activities: readonly Activity[]): Promise<Outcome[]>;
  async record(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return isList(given) ? this.apply(given.map(asGrant)) : this.applyOne(asGrant(given));
  }

  /**
   * Takes back the points of one activity, or of many: whatever stands of them, on whichever day it was given, or with
   * `grantedAt` that day's alone. As {@link record} otherwise.
   */
  async revoke(activity: Activity): Promise<Outcome>;
  async revoke(activities: readonly Activity[]): Promise<Outcome[]>;
  async revoke(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return isList(given) ? this.apply(given.map(asRevoke)) : this.applyOne(asRevoke(given));
  }

  /**
   * Grants and revokes in one call, judged in the order given. As {@link record} otherwise.
   * @param at what the paths of faults begin with.
   */
  async apply(changes: readonly ActivityChange[], at = ''): Promise<Outcome[]> {
    const { book } = this.rules;
    const faults = faultsOf(book, changes, at);
    if (faults.length > 0) throw refusal(faults);
    const deadlineMs = this.deadline();
    const nowMs = this.settings.clock.now();
    const ignored = changes.map((change) => ignoredBy(entryOf(book, change), change));
    const counted = changes.filter((_, index) => ignored[index] === null);
    const requests = counted.map((change): Request => {
      const entry = entryOf(book, change);
      return { change, entry, asked: transitionsOf(entry, change, nowMs) };
    });
    let room: Announcements | null = null;
    this.recorders.begin();
    try {
      room = await this.announcer.open(counted.length, deadlineMs);
      if (this.extensions.moderation?.checksNewUsers) await this.checkNewUsers(counted, deadlineMs);
      const recorded = await this.timed(requests.length, deadlineMs, this.sendAll(requests, deadlineMs));
      const inOrder = recorded.values();
      return changes.map((change, index) => {
        const outcome = ignored[index];
        return this.report(change, outcome ? { outcome, faults: noFaults } : (inOrder.next().value as Recorded), room);
      });
    } finally {
      room?.end();
      this.recorders.end();
    }
  }

  /** What {@link apply} would refuse these for, each fault by its path; none, usually. Redis is not asked. */
  faultsOf(changes: readonly ActivityChange[], at = ''): readonly Fault[] {
    return faultsOf(this.rules.book, changes, at);
  }

  /**
   * What a user was granted, day by day: at most 31 days. One round trip.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  history(userId: string, range: HistoryRange = {}): Promise<ActivityHistory> {
    return this.histories.history(userId, range);
  }

  /**
   * How often others did each action to what is a user's, as far as it stands, on at most 31 days: `{ praise: 3 }`.
   * Counted are the actions whose rules have `grants` to the owner. One round trip.
   * @throws ActivityError as {@link history}.
   */
  receivedCounts(userId: string, range: HistoryRange = {}): Promise<ReceivedCounts> {
    return this.histories.receivedCounts(userId, range);
  }

  /**
   * The rules that points were ever granted by, the first first, with the day of their first use. One round trip.
   * @throws ActivityError `unavailable`
   */
  ruleVersions(): Promise<RuleVersion[]> {
    return this.histories.ruleVersions();
  }

  /** As {@link apply}, for the usual case: without lists, it costs half. */
  private async applyOne(change: ActivityChange): Promise<Outcome> {
    const { book } = this.rules;
    const faults = activityFaults(change, book);
    if (faults.length > 0) throw refusal(faults);
    const entry = entryOf(book, change);
    const ignored = ignoredBy(entry, change);
    if (ignored) return this.report(change, { outcome: ignored, faults: noFaults }, null);
    const deadlineMs = this.deadline();
    // Stamped and numbered as it comes: however long it waits for others below, what came after it is later.
    const asked = transitionsOf(entry, change, this.settings.clock.now());
    let room: Announcements | null = null;
    this.recorders.begin();
    try {
      const opening = this.announcer.open(1, deadlineMs);
      if (opening) room = await opening;
      if (this.extensions.moderation?.checksNewUsers) await this.checkNewUsers([change], deadlineMs);
      const recorded = await this.timed(1, deadlineMs, this.sendOne({ change, entry, asked }, deadlineMs));
      return this.report(change, recorded, room);
    } finally {
      room?.end();
      this.recorders.end();
    }
  }

  /** Until when a call of now may wait, for everything together. */
  private deadline(): number {
    return performance.now() + this.settings.recordTimeoutMs;
  }

  /** Excludes users, and owners of what they acted on, whom the app's directory names. */
  private async checkNewUsers(changes: readonly ActivityChange[], deadlineMs: number): Promise<void> {
    const userIds = changes.flatMap((change) => [change.userId, ownerOf(change) ?? []].flat());
    await this.extensions.moderation?.checkNewUsers(userIds, deadlineMs);
  }

  private async sendOne(request: Request, deadlineMs: number): Promise<Recorded> {
    const answered = await this.recorders.record(request.asked, deadlineMs);
    if (!request.entry.owner) return recordedOf(answered);
    return (await this.withOwners([{ ...request, answered }], deadlineMs))[0] as Recorded;
  }

  private async sendAll(requests: readonly Request[], deadlineMs: number): Promise<Recorded[]> {
    const asked = requests.map((request) => request.asked);
    const answers = await this.recorders.recordAll(asked, deadlineMs);
    const given = requests.map((request, index): Given => ({ ...request, answered: answers[index] as Answered }));
    return this.withOwners(given, deadlineMs);
  }

  /** What became of activities, when what their rules give owners is recorded too. */
  private async withOwners(given: readonly Given[], deadlineMs: number): Promise<Recorded[]> {
    const owners = await this.owners.pass(given, deadlineMs);
    return given.map(({ answered, change, entry }, index) => {
      const owner = owners[index];
      const { outcome, faults } = recordedOf(answered);
      if (owner) return { outcome: { ...outcome, owner }, faults };
      const isLeft =
        change.revoke && outcome.points !== 0 && (entry.owner?.points ?? 0) > 0 && ownerOf(change) === null;
      return { outcome: isLeft ? { reason: 'noOwner', ...outcome } : outcome, faults };
    });
  }

  /** Measures a recording of `count` activities from when it was called, and counts it where it fails. */
  private async timed<T>(count: number, deadlineMs: number, recording: Promise<T>): Promise<T> {
    try {
      const result = await recording;
      const startedMs = deadlineMs - this.settings.recordTimeoutMs;
      this.metrics.observeSeconds((performance.now() - startedMs) / 1_000);
      return result;
    } catch (error) {
      this.metrics.countFailure('service', error instanceof ActivityError ? error.code : 'internal', count);
      throw error;
    }
  }

  private report(change: ActivityChange, { outcome, faults }: Recorded, room: Announcements | null): Outcome {
    for (const observer of this.extensions.outcomeObservers) observer.observe(change, outcome, faults);
    if (outcome.points !== 0 || (outcome.owner?.points ?? 0) !== 0) room?.announce(change, outcome);
    return outcome;
  }
}

function recordedOf(answered: Answered): Recorded {
  return { outcome: outcomeOf(answered), faults: limitFaultsIn(answered) };
}

function faultsOf(book: RuleBook, changes: readonly ActivityChange[], at: string): readonly Fault[] {
  return changes.flatMap((change, index) => activityFaults(change, book, `${at}${index}.`));
}

/** Of an activity that was checked. */
function entryOf(book: RuleBook, { action }: ActivityChange): RuleEntry {
  return book.find(action) as RuleEntry;
}

/** The outcome of an activity that is worth nothing by its rule; null where it counts. */
function ignoredBy(entry: RuleEntry, change: ActivityChange): Outcome | null {
  const reason = reasonToIgnore(entry, change);
  return reason === null ? null : { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason };
}

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given);
}

/** Whatever it says of itself: `record` grants. */
function asGrant(activity: Activity): ActivityChange {
  return (activity as ActivityChange).revoke ? { ...activity, revoke: false } : activity;
}

/** Whatever it says of itself: `revoke` revokes. */
function asRevoke(activity: Activity): ActivityChange {
  return { ...activity, revoke: true };
}

function refusal(faults: readonly Fault[]): ActivityError {
  const isUnknownAction = faults.every(({ path }) => path.endsWith('action'));
  return faultsError(isUnknownAction ? 'unknownAction' : 'invalidActivity', faults);
}
