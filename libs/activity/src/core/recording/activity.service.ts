import type { LedgerDay } from '@laurel/leaderboard';
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
import { checkUserId } from '../activity/checks';
import { ActivityError, faultsError, type Fault } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import { activityFaults, askFor, limitFaultsIn, outcomeOf, reasonToIgnore } from './transition';
import { historyDay, historySpan } from './histories';
import { type ReceivedCounts, receivedIn } from '../rules/ledger-field';
import { ActivityRecordedEvent, AppEvents } from './app-events';
import { Recorder, type TransitionResults, type Transitions } from './recorder';
import { RecordingMetrics } from './recording-metrics';

/** An activity that was checked, by the rules of the call's beginning. */
interface Recording {
  readonly change: ActivityChange;
  readonly entry: RuleEntry;
  /** Why it counts nowhere; null: it does. */
  readonly ignoredAs: string | null;
  readonly asked: Transitions;
}

/** Records activities, takes them back, and reads what a user was granted. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly recorder: Recorder,
    private readonly events: AppEvents,
    private readonly rules: RulesInForce,
    private readonly ledgers: Ledgers,
    private readonly metrics: RecordingMetrics,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    private readonly connection: RedisConnection,
  ) {}

  /**
   * Gives the points of one activity, or of many. Resolves when the points are in Redis: a share of one round trip, of
   * a second one for owners, of two more where facts are judged. Safe to repeat. All are checked before any is
   * recorded. Without `occurredAt` an activity gets the moment of the call, however long it then waits for the user
   * directory and Redis (`recordTimeoutMs` in all).
   * @throws ActivityError `invalidActivity` or `unknownAction` with the path of each fault; `overloaded`: nothing was
   * recorded; `unavailable`: Redis did not answer in time, some may be recorded, and repeating it is safe.
   */
  record(activity: Activity): Promise<Outcome>;
  record(activities: readonly Activity[]): Promise<Outcome[]>;
  record(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(false, given);
  }

  /**
   * Takes back the points of one activity, or of many: on every day on which they were given, or with `grantedAt` only
   * on that day. Otherwise as {@link record}.
   */
  revoke(activity: Activity): Promise<Outcome>;
  revoke(activities: readonly Activity[]): Promise<Outcome[]>;
  revoke(given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    return this.applyAs(true, given);
  }

  /**
   * Grants and revokes in one call, judged in the order given. Otherwise as {@link record}.
   * @param at the beginning of the paths of faults; null: there is one activity, and paths are its fields.
   */
  async apply(changes: readonly ActivityChange[], at: string | null = ''): Promise<Outcome[]> {
    const startedMs = performance.now();
    const recordings = this.checked(changes, at);
    const counted = recordings.filter(({ ignoredAs }) => ignoredAs === null);
    if (counted.length === 0) return this.outcomesOf(recordings, []);
    let answers: readonly TransitionResults[];
    let failed = counted.length;
    this.recorder.begin();
    try {
      const deadlineMs = startedMs + this.settings.recordTimeoutMs;
      // The app's directory may exclude users: it is asked first.
      const { moderation } = this.extensions;
      if (moderation?.checksNewUsers) {
        const userIds = counted.flatMap(({ change }) => [change.userId, ownerOf(change) ?? []].flat());
        await moderation.checkNewUsers(userIds, deadlineMs);
      }
      const asked = recordings.map((recording) => recording.asked);
      const { answers: found, fault } = await this.recorder.record(asked, deadlineMs);
      if (fault) {
        // Announced now or never: repeated, they are duplicates.
        const isRecorded = (_: unknown, i: number) => found[i]?.some((one) => one !== null) === true;
        failed -= this.outcomesOf(recordings.filter(isRecorded), found.filter(isRecorded)).length;
        throw fault;
      }
      answers = found;
      this.metrics.seconds.observe((performance.now() - startedMs) / 1_000);
    } catch (error) {
      this.metrics.countFailure('service', error instanceof ActivityError ? error.code : 'internal', failed);
      throw error;
    } finally {
      this.recorder.end();
    }
    return this.outcomesOf(recordings, answers);
  }

  /** The faults for which {@link apply} would refuse these, each with its path. Does not use Redis. */
  faultsOf(changes: readonly ActivityChange[], at = ''): readonly Fault[] {
    return faultsOf(this.rules.book, changes, at);
  }

  /**
   * A user's grants, day by day: at most 31 days. Two round trips or three.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async history(userId: string, range: HistoryRange = {}): Promise<ActivityHistory> {
    const { versions = false } = range;
    const days = await this.daysOf(userId, range);
    return { userId, days: days.flatMap((day) => historyDay(day, this.rules.book, versions) ?? []) };
  }

  /**
   * How often others did each action to a user's subjects on at most 31 days, without revoked ones: `{ praise: 3 }`.
   * Counts the actions whose rules have `grants` to the owner. Two round trips or three.
   * @throws ActivityError as {@link history}.
   */
  async receivedCounts(userId: string, range: HistoryRange = {}): Promise<ReceivedCounts> {
    return receivedIn(await this.daysOf(userId, range), this.rules.book);
  }

  private async daysOf(userId: string, range: HistoryRange): Promise<LedgerDay[]> {
    checkUserId(userId);
    const [from, to] = historySpan(range, this.settings);
    return this.connection.read(() => this.ledgers.main.history.days(userId, from, to));
  }

  private async applyAs(revoke: boolean, given: Activity | readonly Activity[]): Promise<Outcome | Outcome[]> {
    // Whatever it says of itself.
    const changeOf = (one: Activity): ActivityChange => (revoke || 'revoke' in one ? { ...one, revoke } : one);
    if (isList(given)) return this.apply(given.map(changeOf));
    const [outcome] = await this.apply([changeOf(given)], null);
    return outcome as Outcome;
  }

  private checked(changes: readonly ActivityChange[], at: string | null): readonly Recording[] {
    const { book } = this.rules;
    const faults = faultsOf(book, changes, at);
    if (faults.length > 0) {
      const isUnknownAction = faults.every(({ path }) => path.endsWith('action'));
      throw faultsError(isUnknownAction ? 'unknownAction' : 'invalidActivity', faults);
    }
    // All are stamped and numbered now: however long the call waits for others, what comes after is later.
    const nowMs = this.settings.clock.now();
    return changes.map((change): Recording => {
      const entry = book.find(change.action) as RuleEntry;
      const ignoredAs = reasonToIgnore(entry, change);
      return { change, entry, ignoredAs, asked: ignoredAs === null ? askFor(entry, change, nowMs) : [] };
    });
  }

  /** @param answers of the ledgers; to what is ignored, none. */
  private outcomesOf(recordings: readonly Recording[], answers: readonly TransitionResults[]): Outcome[] {
    const isHeard = this.events.isHeard(ActivityRecordedEvent.eventName);
    // Others hear of all before the caller does.
    return recordings.map((recording, i) => {
      const answer = answers[i] ?? [];
      const outcome = this.outcomeOf(recording, answer);
      this.report(recording.change, outcome, answer);
      // Also by what is worth nothing and counted, and on leaderboards that have points or a day of their own.
      if (this.extensions.gained && answer.some(hasChanged)) this.extensions.gained(recording.change);
      const { eventName } = ActivityRecordedEvent;
      const isWorth = isHeard && answer.some((one) => one && (one.points !== 0 || (one.gift?.points ?? 0) !== 0));
      if (isWorth) this.events.announce(eventName, new ActivityRecordedEvent(recording.change, outcome));
      return outcome;
    });
  }

  private outcomeOf({ entry, ignoredAs }: Recording, answer: TransitionResults): Outcome {
    if (ignoredAs !== null) return { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: ignoredAs };
    const outcome = outcomeOf(answer, this.settings.decimals);
    if (!outcome.owner) return outcome;
    const { owner, ...own } = outcome;
    this.metrics.countReceived(entry.rule.action, owner.outcome);
    // A rule that gives an owner nothing but a count says nothing of it.
    return owner.points !== 0 || entry.givesOwners ? outcome : own;
  }

  private report(change: ActivityChange, outcome: Outcome, answer: TransitionResults): void {
    this.metrics.countOutcome(change.action, outcome);
    if (outcome.reason === undefined) return;
    const faults = limitFaultsIn(answer);
    this.metrics.countLimitFaults(faults);
    this.extensions.refusals?.observeRefusal(change, outcome, faults);
  }
}

function faultsOf(book: RuleBook, changes: readonly ActivityChange[], at: string | null): readonly Fault[] {
  const under = (index: number) => (at === null ? '' : `${at}${index}.`);
  return changes.flatMap((change, index) =>
    activityFaults(change, book).map(({ path, message }) => ({ path: under(index) + path, message })),
  );
}

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given);
}

/** Whether a ledger has points or counts otherwise than before, of the user or of the owner. */
function hasChanged(one: TransitionResults[number]): boolean {
  return [one, one?.gift].some((each) => each && (each.points !== 0 || /^(granted|revoked)$/.test(each.outcome)));
}
