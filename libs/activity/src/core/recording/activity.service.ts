import { Inject, Injectable } from '@nestjs/common';
import type { Activity, ActivityChange, ActivityHistory, HistoryRange, Outcome } from '../activity/activity';
import { type ActivityError, faultsError, type Fault } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { RuleBook } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import { activityFaults } from './activity-faults';
import { Call, type CallParts } from './call';
import { Histories } from './histories';
import type { ReceivedCounts } from './received-counts';
import { EventAnnouncer } from './event-announcer';
import { Recorders } from './recorder';
import { RecordingMetrics } from './recording-metrics';

/** Records activities, takes them back, and reads what a user was granted. */
@Injectable()
export class ActivityService {
  private readonly parts: CallParts;

  constructor(
    recorders: Recorders,
    announcer: EventAnnouncer,
    private readonly rules: RulesInForce,
    private readonly histories: Histories,
    metrics: RecordingMetrics,
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    this.parts = { recorders, announcer, metrics, extensions, settings };
  }

  /**
   * Gives the points of one activity, or of many. Resolves when the points are in Redis: a share of one round trip, and
   * of a second one if a rule gives owners points. Safe to repeat. All are checked before any is recorded. Without
   * `occurredAt` an activity gets the moment of the call, however long it then waits for the user directory and Redis
   * (`recordTimeoutMs` in all).
   * @throws ActivityError `invalidActivity` or `unknownAction` with the path of each fault; `overloaded`: nothing was
   * recorded; `unavailable`: Redis did not answer in time, some may be recorded, and repeating it is safe.
   */
  record(activity: Activity): Promise<Outcome>;
  record(activities: readonly Activity[]): Promise<Outcome[]>;
  record(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(asGrant, given);
  }

  /**
   * Takes back the points of one activity, or of many: on every day on which they were given, or with `grantedAt` only
   * on that day. Otherwise as {@link record}.
   */
  revoke(activity: Activity): Promise<Outcome>;
  revoke(activities: readonly Activity[]): Promise<Outcome[]>;
  revoke(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(asRevoke, given);
  }

  /**
   * Grants and revokes in one call, judged in the order given. Otherwise as {@link record}.
   * @param at the beginning of the paths of faults.
   */
  apply(changes: readonly ActivityChange[], at = ''): Promise<Outcome[]> {
    return this.recorded(changes, at);
  }

  /** The faults for which {@link apply} would refuse these, each with its path. Does not use Redis. */
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
   * How often others did each action to a user's subjects on at most 31 days, without revoked ones: `{ praise: 3 }`.
   * Counts the actions whose rules have `grants` to the owner. One round trip.
   * @throws ActivityError as {@link history}.
   */
  receivedCounts(userId: string, range: HistoryRange = {}): Promise<ReceivedCounts> {
    return this.histories.receivedCounts(userId, range);
  }

  private async applyAs(
    changeOf: (activity: Activity) => ActivityChange,
    given: Activity | readonly Activity[],
  ): Promise<Outcome | Outcome[]> {
    if (isList(given)) return this.recorded(given.map(changeOf), '');
    const [outcome] = await this.recorded([changeOf(given)], null);
    return outcome as Outcome;
  }

  /** @param at what the paths of faults begin with; null: there is one activity, and paths are its fields. */
  private async recorded(changes: readonly ActivityChange[], at: string | null): Promise<Outcome[]> {
    const { book } = this.rules;
    const faults = faultsOf(book, changes, at);
    if (faults.length > 0) throw refusal(faults);
    return new Call(this.parts, book, changes).record();
  }
}

function faultsOf(book: RuleBook, changes: readonly ActivityChange[], at: string | null): readonly Fault[] {
  const faults: Fault[] = [];
  changes.forEach((change, index) => {
    const found = activityFaults(change, book);
    if (found.length === 0) return;
    const under = at === null ? '' : `${at}${index}.`;
    faults.push(...found.map(({ path, message }) => ({ path: under + path, message })));
  });
  return faults;
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
