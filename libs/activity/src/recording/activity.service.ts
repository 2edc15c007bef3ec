import { LeaderboardError, Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import type { Activity, ActivityChange, ActivityHistory, HistoryRange, Outcome } from '../activity/activity';
import { activityFaults } from './activity-faults';
import { identifierFault, maxUserIdBytes } from '../activity/identifier';
import { reasonToIgnore, transitionsOf } from './transition';
import type { Adjusted, Adjustment } from '../moderation/adjustments/adjustment';
import { Adjustments } from '../moderation/adjustments/adjustments';
import { RedisConnection } from '../redis/redis-connection';
import { ActivityError, faultsError, type Fault } from '../errors/errors';
import { DirectoryExclusions } from '../moderation/exclusions/directory-exclusions';
import { DaySummaries } from './day-summaries';
import { Ledgers } from '../ledgers/ledgers';
import { LimitFaults } from './limit-faults';
import { OutcomeMinutes } from '../admin/outcome-minutes';
import { RecordedAnnouncer, type Announcements } from './recorded-announcer';
import { ActivityMetrics } from '../observability/activity-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ownerOf } from '../activity/owner';
import { OwnerGrants, type Given } from './owner-grants';
import { receivedIn, type ReceivedCounts } from './received-counts';
import { CallsUnderWay } from './calls-under-way';
import { outcomeOf, type Judged } from './outcome-of';
import { Recorders, type Answered, type Asked } from './recorders';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import { rulesIn, type RuleVersion } from '../rules/rules-text';
import { RefusalTrace } from '../account/refusal-trace';

/** The longest history one call gives, in days. */
export const maxHistoryDays = 31;

/** Records activities, takes them back, and tells what a user was granted. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly calls: CallsUnderWay,
    private readonly recorders: Recorders,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    private readonly metrics: ActivityMetrics,
    private readonly announcer: RecordedAnnouncer,
    private readonly ledgers: Ledgers,
    private readonly trace: RefusalTrace,
    private readonly limitFaults: LimitFaults,
    private readonly minutes: OutcomeMinutes,
    private readonly directory: DirectoryExclusions,
    private readonly owners: OwnerGrants,
    private readonly adjustments: Adjustments,
    private readonly summaries: DaySummaries,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Gives the points of one activity, or of many. Resolves when they are in Redis; a share of one round trip, and of a
   * second one where a rule gives owners something, for these come after. Safe to repeat. All are checked before any is
   * recorded. What has no `occurredAt` is stamped now, whatever is waited for afterwards: listeners to `activity.recorded`
   * that are behind, the user directory and Redis, for `recordTimeoutMs` in all.
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
    return this.applyChecked(book, changes);
  }

  /** What {@link apply} would refuse these for, each fault by its path; none, usually. Redis is not asked. */
  faultsOf(changes: readonly ActivityChange[], at = ''): readonly Fault[] {
    return faultsOf(this.rules.book, changes, at);
  }

  /**
   * What a user was granted, day by day: at most 31 days. One round trip.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async history(userId: string, range: HistoryRange = {}): Promise<ActivityHistory> {
    const fault = identifierFault(userId, maxUserIdBytes);
    if (fault !== null) throw faultsError('invalidQuery', [{ path: 'userId', message: fault }]);
    const [from, to] = this.daysOf(range);
    const days = await this.connection.read(() => this.ledgers.main.history(userId, from, to));
    const { versions = false } = range;
    return { userId, days: days.flatMap((day) => this.summaries.of(day, versions) ?? []) };
  }

  /**
   * How often others did each action to what is a user's, as far as it stands, on at most 31 days: `{ praise: 3 }`. Counted
   * are the actions whose rules have `grants` to the owner. One round trip.
   * @throws ActivityError as {@link history}.
   */
  async receivedCounts(userId: string, range: HistoryRange = {}): Promise<ReceivedCounts> {
    const fault = identifierFault(userId, maxUserIdBytes);
    if (fault !== null) throw faultsError('invalidQuery', [{ path: 'userId', message: fault }]);
    const [from, to] = this.daysOf(range);
    return receivedIn(await this.connection.read(() => this.ledgers.main.history(userId, from, to)), this.rules.book);
  }

  /**
   * Adds points to a user or takes them, as far as they are there, once for each of his ids. Resolves when it is in Redis:
   * the share of one round trip, for each ledger. Safe to repeat.
   * @throws ActivityError `invalidAdjustment` with the path of each fault, `unknownLeaderboard`, `overloaded`,
   * `unavailable`.
   */
  adjust(adjustment: Adjustment): Promise<Adjusted> {
    return this.adjustments.apply(adjustment);
  }

  /**
   * The rules that points were ever granted by, the first first, with the day of their first use. One round trip.
   * @throws ActivityError `unavailable`
   */
  async ruleVersions(): Promise<RuleVersion[]> {
    const terms = await this.connection.read(() => this.ledgers.main.terms());
    return terms.map(({ version, since, text }) => ({ version, since, ...rulesIn(text) }));
  }

  /** As {@link apply}, for the usual case: without lists, it costs half. */
  private async applyOne(change: ActivityChange): Promise<Outcome> {
    const { book } = this.rules;
    const faults = activityFaults(change, book);
    if (faults.length > 0) throw refusal(faults);
    const ignored = ignoredBy(book, change);
    if (ignored) return this.report(change, ignored, null);
    const entry = book.find(change.action) as RuleEntry;
    const deadlineMs = this.deadline();
    // Stamped and numbered as it comes: however long it waits for others below, what came after it is later.
    const asked = transitionsOf(entry, change, this.settings.clock.now());
    return this.recording(1, deadlineMs, async (announcements) => {
      await this.meet([change], deadlineMs);
      const outcome = await this.timed(1, deadlineMs, async () => {
        const answered = await this.recorders.record(asked, deadlineMs);
        return entry.owner ? this.withOwner({ change, entry, asked, answered }, deadlineMs) : outcomeOf(answered);
      });
      return this.report(change, outcome, announcements);
    });
  }

  /** Until when whoever calls now waits, for all there is to wait for together. */
  private deadline(): number {
    return performance.now() + this.settings.recordTimeoutMs;
  }

  /** Asks the app's directory about users, and owners of what they acted on, whom it was not asked about. */
  private async meet(changes: readonly ActivityChange[], deadlineMs: number): Promise<void> {
    if (!this.directory.isAsked) return;
    const userIds = changes.flatMap((change) => [change.userId, ownerOf(change) ?? []].flat());
    await this.directory.meet(userIds, deadlineMs);
  }

  private applyChecked(book: RuleBook, changes: readonly ActivityChange[]): Promise<Outcome[]> {
    const ignored = changes.map((change) => ignoredBy(book, change));
    const counted = changes.filter((_, index) => ignored[index] === null);
    const deadlineMs = this.deadline();
    const nowMs = this.settings.clock.now();
    const asked = counted.map((change) => askedBy(book, change, nowMs));
    return this.recording(counted.length, deadlineMs, async (announcements) => {
      await this.meet(counted, deadlineMs);
      const outcomes = await this.timed(counted.length, deadlineMs, async () => {
        const answers = await this.recorders.recordAll(asked, deadlineMs);
        const given = counted.map((change, index) => ({
          change,
          entry: book.find(change.action) as RuleEntry,
          asked: asked[index] as Asked,
          answered: answers[index] as Answered,
        }));
        return this.withOwners(given, deadlineMs);
      });
      const taken = outcomes.values();
      return changes.map((change, index) => {
        return this.report(change, ignored[index] ?? (taken.next().value as Judged), announcements);
      });
    });
  }

  private async withOwner(given: Given, deadlineMs: number): Promise<Judged> {
    return (await this.withOwners([given], deadlineMs))[0] as Judged;
  }

  /** The outcomes of activities, when what their rules give owners is recorded too. */
  private async withOwners(given: readonly Given[], deadlineMs: number): Promise<Judged[]> {
    const owners = await this.owners.pass(given, deadlineMs);
    return given.map(({ answered, change, entry }, index) => {
      const owner = owners[index];
      const judged = outcomeOf(answered);
      if (owner) return { ...judged, owner };
      const isLeft = change.revoke && judged.points !== 0 && (entry.owner?.points ?? 0) > 0 && ownerOf(change) === null;
      return isLeft ? { reason: 'noOwner', ...judged } : judged;
    });
  }

  private recording<T>(
    count: number,
    deadlineMs: number,
    work: (announcements: Announcements | null) => Promise<T>,
  ): Promise<T> {
    return this.calls.run(() => this.announced(count, deadlineMs, work));
  }

  /** Runs what may have so many outcomes to announce, with room kept for them where anybody listens. */
  private async announced<T>(
    count: number,
    deadlineMs: number,
    work: (announcements: Announcements | null) => Promise<T>,
  ): Promise<T> {
    const opening = this.announcer.open(count, deadlineMs);
    if (!opening) return work(null);
    const announcements = await opening;
    try {
      return await work(announcements);
    } finally {
      announcements.end();
    }
  }

  /** Runs a recording of `count` activities: takes its time from when it was called, and counts it where it fails. */
  private async timed<T>(count: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
    this.connection.assertNotRefused();
    const startedMs = deadlineMs - this.settings.recordTimeoutMs;
    try {
      const result = await work();
      this.metrics.observeRecording((performance.now() - startedMs) / 1_000);
      return result;
    } catch (error) {
      this.metrics.countFailure('service', error instanceof ActivityError ? error.code : 'internal', count);
      throw error;
    }
  }

  private report(change: ActivityChange, judged: Judged, announcements: Announcements | null): Outcome {
    const { faults } = judged;
    const outcome = faults ? withoutFaults(judged) : judged;
    for (const fault of faults ?? []) this.limitFaults.report(fault);
    this.metrics.countOutcome(change.action, outcome);
    this.trace.note(change, outcome, faults);
    this.minutes.count(outcome.outcome);
    if (outcome.points !== 0 || (outcome.owner?.points ?? 0) !== 0) announcements?.announce(change, outcome);
    return outcome;
  }

  private daysOf(range: HistoryRange): readonly [Period, Period] {
    const { timezone, clock } = this.settings;
    const to = range.to === undefined ? Period.of('day', new Date(clock.now()), timezone) : this.day('to', range.to);
    const first = range.from === undefined ? undefined : this.day('from', range.from);
    let from = to;
    for (let days = 1; days < maxHistoryDays && from.key !== first?.key; days += 1) from = from.previous() ?? from;
    if (first && from.key !== first.key) {
      const message = `must be one of the ${maxHistoryDays} days up to ${to.key}`;
      throw faultsError('invalidQuery', [{ path: 'from', message }]);
    }
    return [from, to];
  }

  private day(path: string, key: string): Period {
    try {
      return Period.parse('day', key, this.settings.timezone);
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      throw faultsError('invalidQuery', [{ path, message: 'must be a day such as 2026-11-20' }]);
    }
  }
}

function faultsOf(book: RuleBook, changes: readonly ActivityChange[], at: string): readonly Fault[] {
  return changes.flatMap((change, index) => activityFaults(change, book, `${at}${index}.`));
}

function askedBy(book: RuleBook, change: ActivityChange, nowMs: number): Asked {
  return transitionsOf(book.find(change.action) as RuleEntry, change, nowMs);
}

/** The outcome of an activity that is worth nothing by its rule; null where it counts. */
function ignoredBy(book: RuleBook, change: ActivityChange): Outcome | null {
  const reason = reasonToIgnore(book.find(change.action) as RuleEntry, change);
  return reason === null ? null : { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason };
}

function withoutFaults({ faults: _, ...outcome }: Judged): Outcome {
  return outcome;
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
