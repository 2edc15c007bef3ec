import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import type { Counter } from 'prom-client';
import { nextSequence } from '../../core/activity/activity';
import { RedisConnection } from '../../core/redis/redis-connection';
import { faultsError } from '../../core/errors/errors';
import { DirectoryExclusions } from '../exclusions/directory-exclusions';
import { Ledgers } from '../../core/ledgers/ledgers';
import { SharedMetrics } from '../../core/observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { AppEvents } from '../../core/recording/app-events';
import { outcomeOf } from '../../core/recording/transition';
import { type Transitions, Recorder } from '../../core/recording/recorder';
import { pointsOf, unitsOf } from '../../core/points/decimals';
import { faultCode } from '../../core/redis/redis-faults';
import { maxTraced } from '../../account/account.responses';
import { TraceList } from '../../account/trace-list';
import { type Adjusted, type Adjustment, readAdjustment, type TracedAdjustment } from './adjustment';
import { PointsAdjustedEvent } from '../moderation-events';

/**
 * Adds and takes points for operators: in a ledger and on its boards at once. Lists the latest adjustments
 * of all instances; ledgers have them all.
 */
@Injectable()
export class Adjustments extends TraceList<TracedAdjustment> {
  private readonly logger = new Logger(Adjustments.name);
  private readonly outcomes: Counter<'outcome'>;

  constructor(
    private readonly recorder: Recorder,
    ledgers: Ledgers,
    connection: RedisConnection,
    metrics: SharedMetrics,
    private readonly directory: DirectoryExclusions,
    private readonly events: AppEvents,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 1,000 adjustments, the latest first.
     * @redis list
     * @expires never
     */
    const key = `{${settings.prefix}}:adjustments`;
    const names = ({ userId }: TracedAdjustment) => [userId];
    super(connection, ledgers, { key, max: maxTraced, keptMs: null, names });
    this.outcomes = metrics.counter({
      name: 'laurel_adjustments_total',
      help: "Operators' adjustments by outcome.",
      labelNames: ['outcome'],
    });
  }

  /**
   * Applies an adjustment, once for each user and id. Resolves when it is in Redis: two or three round trips for each
   * ledger, after a call of the app's directory for a user whom this process has not checked. Safe to repeat.
   * @throws ActivityError `invalidAdjustment` with the path of each fault, `unknownLeaderboard`; `overloaded`: nothing
   * was done; `unavailable`: repeating it is safe.
   */
  async adjust(given: Adjustment): Promise<Adjusted> {
    const { decimals } = this.settings;
    const adjustment = readAdjustment(given, decimals);
    const { userId, id } = adjustment;
    const asked = this.asked(adjustment);
    this.connection.assertNotRefused();
    const deadlineMs = performance.now() + this.settings.recordTimeoutMs;
    await this.directory.checkNewUsers([userId], deadlineMs);
    const { answers, fault } = await this.recorder.record([asked], deadlineMs);
    const [answered = []] = answers;
    if (fault && answered.every((one) => one === null)) throw fault;
    const { outcome, points, scores, boards, reason: why } = outcomeOf(answered, decimals);
    // Of each ledger by itself: one may have it already.
    const changes = Object.fromEntries(
      answered.flatMap((result) => {
        const changed = Object.entries(result?.boards ?? {}).filter(
          ([, word]) => word === 'counted' || word === 'full',
        );
        return changed.map(([board]) => [board, pointsOf(result?.points ?? 0, decimals)] as const);
      }),
    );
    this.outcomes.inc({ outcome });
    const applied = { id, userId, outcome, points, changes };
    const adjusted = { ...applied, scores, boards, ...(why !== undefined && { reason: why }) };
    if (Object.values(changes).some((change) => change !== 0))
      this.events.announce(PointsAdjustedEvent.eventName, new PointsAdjustedEvent(adjusted, adjustment.reason));
    if (outcome !== 'duplicate' && why !== 'erased') {
      const at = new Date(this.settings.clock.now()).toISOString();
      const line = { at, ...applied, asked: adjustment.points, reason: adjustment.reason };
      await this.put([line]).catch((error: unknown) => {
        const missing = 'An adjustment was applied, but is missing from the list of the latest';
        this.logger.warn(`${missing}: ${faultCode(error)}.`);
      });
    }
    // What other ledgers have is told: repeated, it is a duplicate there.
    if (fault) throw fault;
    return adjusted;
  }

  private asked({ userId, points, reason, id, date, leaderboard, partition }: Adjustment): Transitions {
    const named = leaderboard == null ? null : this.ledgers.boards(leaderboard);
    const key = named?.settings.partition ?? null;
    if ((key === null) !== (partition == null)) {
      const message =
        key === null ? 'must be of a "leaderboard" that has partitions' : `must be given: the ${key} to adjust`;
      throw faultsError('invalidAdjustment', [{ path: 'partition', message }]);
    }
    const nowMs = this.settings.clock.now();
    if (date != null) this.checkBegun(date, nowMs);
    const transition: Transition = {
      kind: 'adjust',
      member: userId,
      field: adjustmentField(id),
      points: unitsOf(points, this.settings.decimals),
      note: reason,
      occurredAtMs: nowMs,
      sequence: nextSequence(),
      ...(named && { board: named.name }),
      ...(key !== null && partition != null && { partitions: { [key]: partition } }),
    };
    return this.ledgers.all.map((ledger) => {
      if (named && named.ledger !== ledger) return null;
      return date == null ? transition : { ...transition, grantedAtMs: startOf(date, ledger, nowMs) };
    });
  }

  /** In the module's own time zone, whatever those of its leaderboards. */
  private checkBegun(date: string, nowMs: number): void {
    if (firstMsOf(date, this.settings.timezone) <= nowMs + this.ledgers.main.settings.clockSkewMs) return;
    throw faultsError('invalidAdjustment', [{ path: 'date', message: 'must not be in the future' }]);
  }
}

/**
 * The first moment of a day in the ledger's zone; now, where it has not begun there: its day is still the one before.
 */
function startOf(date: string, ledger: Ledger, nowMs: number): number {
  const { timezone, clockSkewMs } = ledger.settings;
  const startMs = firstMsOf(date, timezone);
  return startMs <= nowMs + clockSkewMs ? Math.max(startMs, 0) : nowMs;
}

function firstMsOf(date: string, timezone: string): number {
  return Period.parse('day', date, timezone).start.getTime();
}
