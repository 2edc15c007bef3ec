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
import type { Moderation } from '../extensions/moderation';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import type { RuleVersion } from '../rules/rules-text';
import { activityFaults } from './activity-faults';
import { Histories } from './histories';
import type { ReceivedCounts } from './received-counts';
import { RecordedAnnouncer, type Announcements } from './recorded-announcer';
import { Recorders, type Answered, type Asked } from './recorder';
import { RecordingMetrics } from './recording-metrics';
import {
  limitFaultsIn,
  outcomeOf,
  outcomeWithOwner,
  ownerTransitionsOf,
  reasonToIgnore,
  transitionsOf,
} from './transition';

/** An activity of a call, its rule, and what the ledgers are asked for it. */
interface Given {
  readonly change: ActivityChange;
  readonly entry: RuleEntry;
  /** Why it is worth nothing by its rule; null: it counts. */
  readonly ignored: string | null;
  /** Nothing of any ledger where it is ignored. */
  readonly asked: Asked;
}

/** A call to record, under way. */
interface Call {
  readonly given: readonly Given[];
  /** How many of them count. */
  readonly count: number;
  readonly startedMs: number;
  /** Until when it may wait, for everything together. */
  readonly deadlineMs: number;
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
  /** For what it has to announce; null: nobody listens. */
  room: Announcements | null;
}

const nothing: readonly never[] = [];

/** Records activities, takes them back, and reads what a user was granted. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly recorders: Recorders,
    private readonly announcer: RecordedAnnouncer,
    private readonly rules: RulesInForce,
    private readonly histories: Histories,
    private readonly metrics: RecordingMetrics,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Gives the points of one activity, or of many. Resolves when they are in Redis; a share of one round trip, and of a
   * second one where a rule gives owners something, for these come after. Safe to repeat. All are checked before any is
   * recorded. What has no `occurredAt` is stamped now, whatever is waited for afterwards: listeners to
   * `activity.recorded` that are behind, the user directory and Redis, for `recordTimeoutMs` in all.
   * @throws ActivityError `invalidActivity` or `unknownAction` with the path of each fault; `overloaded`: nothing was
   * recorded; `unavailable`: Redis did not answer in time, some may be recorded, and repeating it is safe.
   */
  record(activity: Activity): Promise<Outcome>;
  record(activities: readonly Activity[]): Promise<Outcome[]>;
  record(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(asGrant, given);
  }

  /**
   * Takes back the points of one activity, or of many: whatever stands of them, on whichever day it was given, or with
   * `grantedAt` that day's alone. As {@link record} otherwise.
   */
  revoke(activity: Activity): Promise<Outcome>;
  revoke(activities: readonly Activity[]): Promise<Outcome[]>;
  revoke(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(asRevoke, given);
  }

  /**
   * Grants and revokes in one call, judged in the order given. As {@link record} otherwise.
   * @param at what the paths of faults begin with.
   */
  apply(changes: readonly ActivityChange[], at = ''): Promise<Outcome[]> {
    return new Promise((resolve, reject) => this.begin(changes, at, resolve, reject));
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

  private applyAs(
    changeOf: (activity: Activity) => ActivityChange,
    given: Activity | readonly Activity[],
  ): Promise<Outcome | Outcome[]> {
    return new Promise((resolve, reject) => {
      if (isList(given)) this.begin(given.map(changeOf), '', resolve, reject);
      else this.begin([changeOf(given)], null, ([outcome]) => resolve(outcome as Outcome), reject);
    });
  }

  /**
   * Begins a call; each later step is called by what it waited for, so that a call costs one promise, its caller's.
   * @param at what the paths of faults begin with; null: there is one activity, and paths are its fields.
   */
  private begin(
    changes: readonly ActivityChange[],
    at: string | null,
    resolve: Call['resolve'],
    reject: Call['reject'],
  ): void {
    const { book } = this.rules;
    const faults = faultsOf(book, changes, at);
    if (faults.length > 0) throw refusal(faults);
    const startedMs = performance.now();
    // Stamped and numbered as it comes: however long it waits for others below, what came after it is later.
    const nowMs = this.settings.clock.now();
    let count = 0;
    const given = changes.map((change): Given => {
      const entry = entryOf(book, change);
      const ignored = reasonToIgnore(entry, change);
      if (ignored !== null) return { change, entry, ignored, asked: nothing };
      count += 1;
      return { change, entry, ignored, asked: transitionsOf(entry, change, nowMs) };
    });
    const deadlineMs = startedMs + this.settings.recordTimeoutMs;
    const call: Call = { given, count, startedMs, deadlineMs, resolve, reject, room: null };
    if (count === 0) return resolve(given.map((one) => this.report(one, nothing, nothing, null)));
    this.recorders.begin();
    const admission = this.admission(call);
    if (!admission) return this.send(call);
    admission.then(
      () => this.send(call),
      (error: unknown) => {
        this.end(call);
        reject(error);
      },
    );
  }

  /** Waits for listeners that are behind, and for the directory's answer about new users; null: for neither. */
  private admission(call: Call): Promise<void> | null {
    const { moderation } = this.extensions;
    const opening = this.announcer.open(call.count, call.deadlineMs);
    return opening || moderation?.checksNewUsers ? admitted(call, opening, moderation) : null;
  }

  private send(call: Call): void {
    this.recorders.send(
      call.given.map(({ asked }) => asked),
      call.deadlineMs,
      {
        recorded: (answers) => this.passOn(call, answers),
        failed: (error) => this.fail(call, error),
      },
    );
  }

  /**
   * Gives the owners of subjects what rules grant them. The owner's ledger lies on another shard, as a rule, so it is a
   * transition of its own, sent when the giver's is in Redis, with the same moments: whatever the order and however
   * often the two are delivered, the owner's stands where the giver's does.
   */
  private passOn(call: Call, answers: readonly Answered[]): void {
    let isAsked = false;
    const asked = call.given.map(({ change, entry, asked: ofGiver }, index): Asked => {
      const ofOwner = entry.owner && ownerTransitionsOf(entry, change, ofGiver, answers[index] as Answered);
      isAsked ||= ofOwner !== null;
      return ofOwner ?? nothing;
    });
    if (!isAsked) return this.complete(call, answers, null);
    this.recorders.send(asked, call.deadlineMs, {
      recorded: (owners) => this.complete(call, answers, owners),
      failed: (error) => this.fail(call, ownersError(error)),
    });
  }

  private complete(call: Call, answers: readonly Answered[], owners: readonly Answered[] | null): void {
    this.metrics.observeSeconds((performance.now() - call.startedMs) / 1_000);
    const outcomes = call.given.map((one, i) =>
      this.report(one, answers[i] as Answered, owners?.[i] ?? nothing, call.room),
    );
    this.end(call);
    call.resolve(outcomes);
  }

  private fail(call: Call, error: unknown): void {
    this.metrics.countFailure('service', error instanceof ActivityError ? error.code : 'internal', call.count);
    this.end(call);
    call.reject(error);
  }

  private end({ room }: Call): void {
    room?.end();
    this.recorders.end();
  }

  /** What became of an activity, which others hear before its caller does. */
  private report(
    { change, entry, ignored }: Given,
    answered: Answered,
    owners: Answered,
    room: Announcements | null,
  ): Outcome {
    const outcome = ignored === null ? this.outcomeOf(change, entry, answered, owners) : ignoredFor(ignored);
    this.metrics.countOutcome(change.action, outcome);
    if (outcome.reason !== undefined) {
      const faults = limitFaultsIn(answered);
      for (const observer of this.extensions.refusalObservers) observer.observeRefusal(change, outcome, faults);
    }
    if (room && (outcome.points !== 0 || (outcome.owner?.points ?? 0) !== 0)) room.announce(change, outcome);
    return outcome;
  }

  private outcomeOf(change: ActivityChange, entry: RuleEntry, answered: Answered, owners: Answered): Outcome {
    const outcome = outcomeOf(answered);
    if (!entry.owner) return outcome;
    const ofOwner = owners.length > 0 ? outcomeOf(owners) : null;
    if (ofOwner) this.metrics.countReceived(entry.rule.action, ofOwner.outcome);
    return outcomeWithOwner(entry.owner, change, outcome, ofOwner);
  }
}

async function admitted(
  call: Call,
  opening: Promise<Announcements> | null,
  moderation: Moderation | null,
): Promise<void> {
  call.room = await opening;
  if (!moderation?.checksNewUsers) return;
  const counted = call.given.filter(({ ignored }) => ignored === null);
  const userIds = counted.flatMap(({ change }) => [change.userId, ownerOf(change) ?? []].flat());
  await moderation.checkNewUsers(userIds, call.deadlineMs);
}

function faultsOf(book: RuleBook, changes: readonly ActivityChange[], at: string | null): readonly Fault[] {
  return changes.flatMap((change, index) => activityFaults(change, book, at === null ? '' : `${at}${index}.`));
}

/** Of an activity that was checked. */
function entryOf(book: RuleBook, { action }: ActivityChange): RuleEntry {
  return book.find(action) as RuleEntry;
}

function ignoredFor(reason: string): Outcome {
  return { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason };
}

/** It must not be told as if nothing had been recorded. */
function ownersError(cause: unknown): unknown {
  if (!(cause instanceof ActivityError)) return cause;
  return new ActivityError('unavailable', `The points of owners could not be recorded: ${cause.message}`, { cause });
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
