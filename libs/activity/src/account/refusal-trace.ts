import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { type ActivityChange, type Outcome, userIn } from '../core/activity/activity';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { RedisConnection } from '../core/redis/redis-connection';
import { Ledgers } from '../core/ledgers/ledgers';
import type { LimitFault, RefusalObserver, UserEraser } from '../core/extensions/ports';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { maxTraced, type TracedRefusal } from './account.responses';
import { TraceList } from './trace-list';

/** The most that one instance adds in a second, however many activities are refused. */
const maxWaiting = 200;

const flushMs = 1_000;

/** How long the list is kept after its last line. */
const keptMs = 7 * 86_400_000;

/**
 * Records the latest refused activities of all instances in one Redis list, for operators. An instance writes once a
 * second, at most its latest 200: the list is a trace, not a complete record.
 */
@Injectable()
export class RefusalTrace
  extends TraceList<TracedRefusal>
  implements RefusalObserver, UserEraser, OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly kind = 'refusals';
  private waiting: TracedRefusal[] = [];

  constructor(
    connection: RedisConnection,
    ledgers: Ledgers,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 1,000 refusals, the latest first.
     * @redis list
     * @expires 7 days after the last one
     */
    const key = `{${settings.prefix}}:refusals`;
    const names = ({ userId, subject }: TracedRefusal) => [userId, userIn(subject) ?? []].flat();
    super(connection, ledgers, { key, max: maxTraced, keptMs, names });
  }

  /** Begins to write what is waiting, now and then. */
  onApplicationBootstrap(): void {
    this.tasks.task('refusals', () => this.flushQuietly()).every(flushMs);
  }

  /** Records activities that a limit or a leaderboard refused, except for those of erased users. */
  observeRefusal(
    { userId, action, subject }: ActivityChange,
    { outcome: result, reason, refusal, boards }: Outcome,
    faults: readonly LimitFault[],
  ): void {
    if (reason === 'erased') return;
    const isRefused = result === 'limited' || result === 'rejected';
    const refusedOn = Object.keys(boards).filter((name) => boards[name] === 'refused');
    if (!isRefused && refusedOn.length === 0) return;
    const isAccepted = Object.values(boards).some((word) => ['counted', 'unchanged', 'full'].includes(word));
    const outcome = isRefused ? result : refusal ? 'limited' : 'rejected';
    const at = new Date(this.settings.clock.now()).toISOString();
    const allowedAgainAt = refusal?.allowedAgainAt ?? null;
    const fault = faults.find(({ limit }) => limit === refusal?.limit)?.fault;
    const why = (isRefused ? reason : (refusal?.limit ?? reason)) ?? '';
    this.waiting.push({
      ...{ at, userId, action, subject, outcome, reason: why, allowedAgainAt },
      ...(isAccepted && { leaderboards: refusedOn }),
      ...(fault !== undefined && { fault }),
    });
    if (this.waiting.length > maxWaiting) this.waiting.shift();
  }

  /**
   * The latest refusals, the latest first. Two round trips.
   * @throws ActivityError `unavailable`
   */
  override async recent(count: number): Promise<TracedRefusal[]> {
    await this.flush();
    return super.recent(count);
  }

  /** The user's refusals, as `UserRecords` have them. */
  async *told(userId: string): AsyncGenerator<TracedRefusal, void> {
    yield* (await this.recent(maxTraced)).filter((refusal) => refusal.userId === userId);
  }

  /**
   * Removes the refusals that name a user; returns how many there were. Those that other instances write later are
   * removed as they are written. About five round trips.
   * @throws ActivityError `unavailable`
   */
  override async erase(userId: string): Promise<number> {
    await this.flush();
    return super.erase(userId);
  }

  /** Writes what is waiting, if Redis is there. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.flushQuietly();
  }

  /** Failed writes are repeated. */
  private async flushQuietly(): Promise<void> {
    if (this.connection.isReady) await this.flush().catch(() => undefined);
  }

  private async flush(): Promise<void> {
    const lines = this.waiting;
    if (lines.length === 0) return;
    this.waiting = [];
    try {
      await this.put(lines);
    } catch (error) {
      this.waiting = [...lines, ...this.waiting].slice(-maxWaiting);
      throw error;
    }
  }
}
