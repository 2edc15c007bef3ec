import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { ActivityChange, Outcome } from '../activity/activity';
import { RedisConnection } from '../redis/redis-connection';
import { Ledgers } from '../ledgers/ledgers';
import { Extensions } from '../extensions/extensions';
import type { LimitFault, OutcomeObserver } from '../extensions/outcome-observer';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { userIn } from '../activity/owner';
import { TraceList } from './trace-list';

/** An activity that was refused, on some leaderboards at least. */
export interface TracedRefusal {
  readonly at: string;
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: 'limited' | 'rejected';
  /** The limit's name, `future` or `scoreOutOfRange`. */
  readonly reason: string;
  readonly allowedAgainAt: string | null;
  /** Where others took it: the leaderboards, or their parts, that it was refused on. */
  readonly leaderboards?: readonly string[];
  /** Of a limit of the app's own type that failed: what Redis said of it. */
  readonly fault?: string;
}

/** The most refusals kept, of all instances together. */
export const maxTraced = 1_000;

/** The most that one instance adds in a second: who is refused again and again costs no more than that. */
const maxWaiting = 200;

const flushMs = 1_000;

/** A trace that nobody adds to goes. */
const keptMs = 7 * 86_400_000;

/**
 * The latest refusals of all instances, for operators: one list in Redis, since an operator asks whichever instance
 * answers him. It is written in one go a second, at most 200 of an instance, the latest: a trace, no record.
 */
@Injectable()
export class RefusalTrace implements OutcomeObserver, BeforeApplicationShutdown {
  private readonly list: TraceList<TracedRefusal>;
  private waiting: TracedRefusal[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: RedisConnection,
    ledgers: Ledgers,
    { outcomeObservers }: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    outcomeObservers.push(this);
    /**
     * The last 1,000 refusals, the latest first.
     * @redis list
     * @expires 7 days after the last one
     */
    const key = `{${settings.prefix}}:refusals`;
    this.list = new TraceList(connection.client, {
      key,
      max: maxTraced,
      keptMs,
      names: ({ userId, subject }) => [userId, userIn(subject) ?? []].flat(),
      erasedAmong: (userIds) => ledgers.main.erasedAmong(userIds),
    });
  }

  /** Records refused activities, but for those of erased users; ignores all others. */
  observe(
    { userId, action, subject }: ActivityChange,
    { outcome: whole, reason, refusal, boards }: Outcome,
    faults: readonly LimitFault[],
  ): void {
    const isWhole = whole === 'limited' || whole === 'rejected';
    // What counted and has no reason was refused nowhere: the usual case.
    if (!isWhole && reason === undefined) return;
    // Nothing is kept of who was erased.
    if (reason === 'erased') return;
    const refusedOn = Object.keys(boards).filter((name) => boards[name] === 'refused');
    if (!isWhole && refusedOn.length === 0) return;
    const isTaken = Object.values(boards).some((word) => word === 'counted' || word === 'unchanged');
    const outcome = isWhole ? whole : refusal ? 'limited' : 'rejected';
    const at = new Date(this.settings.clock.now()).toISOString();
    const allowedAgainAt = refusal?.allowedAgainAt ?? null;
    const fault = faults.find(({ limit }) => limit === refusal?.limit)?.fault;
    const why = (isWhole ? reason : (refusal?.limit ?? reason)) ?? '';
    const base = { at, userId, action, subject, outcome, reason: why, allowedAgainAt };
    const traced: TracedRefusal = {
      ...base,
      ...(isTaken && { leaderboards: refusedOn }),
      ...(fault !== undefined && { fault }),
    };
    this.waiting.push(traced);
    if (this.waiting.length > maxWaiting) this.waiting.shift();
    this.timer ??= setTimeout(() => void this.flushQuietly(), flushMs).unref();
  }

  /**
   * The latest refusals, the latest first. Two round trips.
   * @throws ActivityError `unavailable`
   */
  async recent(count: number): Promise<TracedRefusal[]> {
    return this.connection.read(async () => {
      await this.flush();
      return this.list.recent(count);
    });
  }

  /**
   * Forgets the refusals that name a user; how many there were. What other instances noted of an erased one in the last
   * second goes as it comes. Some five round trips.
   * @throws ActivityError `unavailable`
   */
  async forget(userId: string): Promise<number> {
    return this.connection.read(async () => {
      await this.flush();
      return this.list.forget(userId);
    });
  }

  /** Writes what is left, if Redis is there. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.flushQuietly();
  }

  /** What cannot be written now waits for the next refusal, as far as there is room. */
  private async flushQuietly(): Promise<void> {
    if (this.connection.isReady) await this.connection.read(() => this.flush()).catch(() => undefined);
    else this.stopTimer();
  }

  private async flush(): Promise<void> {
    this.stopTimer();
    const lines = this.waiting;
    if (lines.length === 0) return;
    this.waiting = [];
    try {
      await this.list.add(lines);
    } catch (error) {
      this.waiting = [...lines, ...this.waiting].slice(-maxWaiting);
      throw error;
    }
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
