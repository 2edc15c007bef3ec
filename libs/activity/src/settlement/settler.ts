import type { Ledger, RedisClient } from '@laurel/leaderboard';
import { cachedWith, dayMs } from '@laurel/leaderboard/internals';
import { pointsOf } from '../core/points/decimals';
import { Lease } from '../core/redis/lease';
import type { ArchiveRetention, SettledPeriod, StandingsArchive } from './archive/standings-archive';
import { assertUnmoved, type DuePart, type DuePeriod, PartStandings, type WritingOptions } from './part-standings';
import { SettledBoards } from './settled-boards';
import { LeaderboardSettledEvent, type NamedListener } from './settled-listeners';
import type { SettlementSettings } from './settlement.options';

/** Every key that says how far the settling of periods is. What is of free length comes last. */
export const settlingKeys = {
  /**
   * The lease of the instance that settles periods.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  settling: (prefix: string): string => `{${prefix}}:settling`,
  /**
   * The names of the listeners that must acknowledge each settled period.
   * @redis set
   * @expires never
   */
  listeners: (prefix: string): string => `{${prefix}}:settled-listeners`,
  /**
   * How far the archiving and announcing of a period is.
   * @redis hash
   * @expires 366 days; a day after it is done
   */
  period: (prefix: string, board: string, period: string): string => `{${prefix}}:announced:${board}:${period}`,
  /**
   * While the key exists, the period waits before it is announced again to a listener that did not acknowledge it.
   * @redis string: how often it was announced
   * @expires ten minutes at most
   */
  pause: (prefix: string, listener: string, board: string, period: string): string =>
    `{${prefix}}:put-off:${listener}:${board}:${period}`,
  /**
   * The lease of the instance that announces to a listener.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  announcing: (prefix: string, listener: string): string => `{${prefix}}:announcing:${listener}`,
};

/** How a {@link Settler} settles. */
export interface SettlerOptions
  extends WritingOptions, Pick<SettlementSettings, 'everyMs' | 'leaseMs' | 'listenerTimeoutMs' | 'winners'> {
  /** Listeners that must acknowledge, whether or not an instance has said that it has them. Default: none. */
  readonly listeners?: readonly string[];
  /** The listeners of this instance, as they are now. */
  readonly own: () => readonly NamedListener[];
  /** Is told of each listener that did not acknowledge. */
  readonly onFailure?: (failure: ListenerFailure) => void;
  /** Of points, which settled standings have as whole units. Default 0. */
  readonly decimals?: number;
  /** Whether a board is settled: the day boards of rolling windows are not. Default: all. */
  readonly settles?: (board: string) => boolean;
  /** How long frozen boards are kept where there is no archive. Default: as `archiveRetentionMs`. */
  readonly retention?: ArchiveRetention | undefined;
  /** Waits for no listener any more. */
  readonly giveUp?: AbortSignal;
}

/** A listener that did not acknowledge a period. */
export interface ListenerFailure {
  readonly listener: string;
  readonly leaderboard: string;
  readonly period: string;
  readonly reason: 'threw' | 'timeout';
  readonly error: unknown;
  /** When it is called again, at the earliest. */
  readonly pauseMs: number;
}

/** The outcomes of due periods. */
export interface Settlement {
  /**
   * The parts of periods that were archived, or acknowledged by all listeners, now; of all due ones where nothing is
   * announced.
   */
  readonly settled: readonly SettledPeriod[];
  /** Those of them that were archived now. */
  readonly archived: readonly SettledPeriod[];
  /** They stay due. */
  readonly failed: readonly { readonly due: DuePeriod; readonly error: unknown }[];
  /** Periods whose boards had expired before they were settled. */
  readonly missed: readonly DuePeriod[];
  /** Archived periods that stay due until these listeners have acknowledged them. */
  readonly waiting: readonly { readonly due: DuePeriod; readonly listeners: readonly string[] }[];
}

type FailedPeriod = Settlement['failed'][number];

/** A period's progress, as its hash in Redis has it. */
type Progress = Readonly<Record<string, string>>;

/** The longest pause before a listener that did not acknowledge is called again: pauses double, from `everyMs`. */
const maxPauseMs = 600_000;

/**
 * Settles the periods of a module's ledgers: freezes their boards, makes their standings final, and announces them to
 * each listener until it has acknowledged. Redis has how far each period is, and every step is safe to repeat: any
 * instance goes on where another crashed. A lease lets one instance settle at a time, and one announce to a listener;
 * that a period is settled once does not depend on it, because the first draft of a period is the one accepted.
 */
export class Settler {
  private readonly prefix: string;
  private readonly standings: PartStandings;
  private readonly parts = new WeakMap<DuePeriod, Promise<readonly SettledPeriod[]>>();
  private readonly events = new WeakMap<SettledPeriod, Promise<LeaderboardSettledEvent>>();

  /** @param ledgers the module's own first. */
  constructor(
    private readonly ledgers: readonly Ledger[],
    private readonly redis: RedisClient,
    private readonly archive: StandingsArchive | null,
    private readonly options: SettlerOptions,
  ) {
    this.prefix = (ledgers[0] as Ledger).settings.prefix;
    this.standings = new PartStandings(redis, archive, options);
  }

  /** The periods due now, the longest first. One round trip a board. */
  async due(): Promise<DuePeriod[]> {
    const { settles = () => true } = this.options;
    const found = this.ledgers.flatMap((ledger) => {
      const { boards, clock } = ledger.settings;
      const ended = boards.filter(({ name, period }) => period !== 'all' && settles(name));
      return ended.map(async ({ name: leaderboard }) =>
        (await ledger.periods.unsettled(leaderboard)).flatMap((period): DuePeriod[] => {
          const { closesAtMs: closedAtMs } = ledger.periods.timesOf(leaderboard, period);
          return closedAtMs <= clock.now() ? [{ ledger, leaderboard, period, closedAtMs }] : [];
        }),
      );
    });
    return (await Promise.all(found)).flat().sort((a, b) => a.closedAtMs - b.closedAtMs);
  }

  /**
   * Settles the due periods that are wanted. Null: another instance settles.
   * @param announces false leaves the announcements to an instance that has listeners.
   */
  async settleDue(wanted: (due: DuePeriod) => boolean = () => true, announces = true): Promise<Settlement | null> {
    const due = (await this.due()).filter(wanted);
    const settling = await this.settle(due);
    const { done, failed, waiting } = announces ? await this.announce(due) : { done: due, failed: [], waiting: [] };
    if (!settling) return null;
    const found = done.filter((one) => !settling.missed.includes(one));
    const parts = await Promise.all(found.map((one) => this.partsOf(one)));
    const settled = [...new Set([...settling.archived, ...parts.flat()])];
    return { ...settling, settled, failed: [...settling.failed, ...failed], waiting };
  }

  /** Freezes and archives due periods, under the lease. Null: another instance has it. */
  async settle(periods: readonly DuePeriod[]): Promise<Pick<Settlement, 'archived' | 'failed' | 'missed'> | null> {
    const lease = await Lease.take(this.redis, settlingKeys.settling(this.prefix), this.options.leaseMs);
    if (!lease) return null;
    const archived: SettledPeriod[] = [];
    const failed: FailedPeriod[] = [];
    const missed: DuePeriod[] = [];
    const mustStop = () => lease.lost.aborted || this.options.stop?.aborted;
    for (const due of periods) {
      if (mustStop()) break;
      try {
        if (!(await this.archivePeriod(due, lease, archived))) missed.push(due);
      } catch (error) {
        // Another instance goes on with this one and those behind it.
        if (!mustStop()) failed.push({ due, error });
      }
    }
    await lease.release();
    return { archived, failed, missed };
  }

  /**
   * Announces the archived ones of these periods to the listeners of this instance, to each in their order: a listener
   * keeps no other from hearing. Those that all listeners have acknowledged, here or elsewhere, are done.
   */
  async announce(periods: readonly DuePeriod[]) {
    const own = await this.register();
    const failed: FailedPeriod[] = [];
    const waiting: Settlement['waiting'][number][] = [];
    const done: DuePeriod[] = [];
    const known = await Promise.all(periods.map((due) => this.progressOf(due)));
    const calls = await Promise.allSettled(
      own.map(async (listener) => {
        const waits = (one: Progress) => 'archived' in one && !(`heard ${listener.name}` in one);
        const left = periods.filter((_, i) => waits(known[i] as Progress));
        if (left.length > 0) await this.announceTo(listener, left, failed);
      }),
    );
    for (const call of calls) if (call.status === 'rejected') throw call.reason;
    // Now: an instance with another listener may have started while those here were waited for.
    const names = await this.requiredListeners();
    for (const due of periods) {
      try {
        const progress = await this.progressOf(due);
        if (!('archived' in progress)) continue;
        const listeners = names.filter((name) => !(`heard ${name}` in progress));
        if (listeners.length > 0) {
          waiting.push({ due, listeners });
          continue;
        }
        await due.ledger.periods.markSettled(due.leaderboard, due.period);
        // An instance that still takes the period for due finds what was acknowledged.
        await this.redis.pexpire(this.keyOf(due), dayMs);
        done.push(due);
      } catch (error) {
        failed.push({ due, error });
      }
    }
    return { done, failed, waiting };
  }

  /** Says in Redis, which may have lost it, which listeners are here: from now on they must acknowledge. */
  async register(): Promise<readonly NamedListener[]> {
    const own = this.options.own();
    const names = own.map(({ name }) => name);
    if (names.length > 0) await this.redis.sadd(settlingKeys.listeners(this.prefix), ...names);
    return own;
  }

  /** The names of the listeners that must acknowledge. One round trip. */
  async requiredListeners(): Promise<readonly string[]> {
    const known = await this.redis.smembers(settlingKeys.listeners(this.prefix));
    return [...new Set([...(this.options.listeners ?? []), ...known])].sort();
  }

  /** Freezes a period and makes its parts final; false: its boards had expired before. */
  private async archivePeriod(due: DuePeriod, lease: Lease, archived: SettledPeriod[]): Promise<boolean> {
    const { ledger, leaderboard, period } = due;
    const { periods, excluded, settings } = ledger;
    const progress = await this.progressOf(due);
    if ('archived' in progress) return true;
    const hasExpired = () => periods.timesOf(leaderboard, period).expireAtMs <= settings.clock.now();
    const wasGone = hasExpired();
    const { mark } = await ledger.placement();
    await ledger.syncShards();
    const erasuresBefore = Number(progress.erasures ?? (await excluded.countErasures()));
    if (!wasGone) {
      // For an instance that finds parts whose writer crashed before it looked for users erased meanwhile.
      await this.note(due, { erasures: erasuresBefore });
      // Before its parts are listed: none is born after.
      await periods.freeze(leaderboard, period);
    }
    const parts: SettledPeriod[] = [];
    for await (const { label, partition } of periods.sets(leaderboard, period)) {
      const part: DuePart = { ...due, label, partition };
      const reading = { lease, mark, erasuresBefore };
      const found = await this.standings.find(part);
      if (hasExpired() && !found) continue;
      const settled = found ?? (await this.standings.write(part, reading));
      if (!hasExpired()) await this.standings.dropErased(part, settled, reading);
      if (this.archive) await this.standings.hideExcluded(part);
      if (!found) archived.push(settled);
      parts.push(settled);
    }
    // Parts on shards that were given up meanwhile may have been passed over.
    await assertUnmoved(ledger, mark);
    if (wasGone && parts.length === 0) {
      await periods.markSettled(leaderboard, period);
      return false;
    }
    const boards = new SettledBoards(this.redis, ledger);
    if (!this.archive) await boards.keep(leaderboard, period, parts, this.options.retention);
    await this.note(due, { archived: 1 });
    this.parts.set(due, Promise.resolve(parts));
    return true;
  }

  /** The settled parts of a period. */
  private partsOf(due: DuePeriod): Promise<readonly SettledPeriod[]> {
    return cachedWith(this.parts, due, async () => {
      const found: SettledPeriod[] = [];
      for await (const { label, partition } of due.ledger.periods.sets(due.leaderboard, due.period)) {
        const part = await this.standings.find({ ...due, label, partition });
        if (part) found.push(part);
      }
      return found;
    });
  }

  /** Announces periods to a listener, one after the other, unless another instance announces to it. */
  private async announceTo(listener: NamedListener, periods: readonly DuePeriod[], failed: FailedPeriod[]) {
    const key = settlingKeys.announcing(this.prefix, listener.name);
    const lease = await Lease.take(this.redis, key, this.options.leaseMs);
    if (!lease) return;
    for (const due of periods) {
      if (lease.lost.aborted || this.options.stop?.aborted) break;
      try {
        await this.announcePeriod(listener, due, lease);
      } catch (error) {
        // Another instance announces the rest.
        if (!lease.lost.aborted) failed.push({ due, error });
      }
    }
    await lease.release();
  }

  /** Announces to a listener those parts of a period that it has not acknowledged. */
  private async announcePeriod(listener: NamedListener, due: DuePeriod, lease: Lease): Promise<void> {
    const { name } = listener;
    const { leaderboard, period } = due;
    const pause = settlingKeys.pause(this.prefix, name, leaderboard, period.key);
    // Another instance may have announced it until the lease was taken.
    const progress = await this.progressOf(due);
    if (`heard ${name}` in progress || (await this.redis.exists(pause)) === 1) return;
    let failure: Pick<ListenerFailure, 'reason' | 'error'> | null = null;
    for (const part of await this.partsOf(due)) {
      if (`heard ${name} ${part.leaderboard}` in progress) continue;
      const event = await this.eventOf(due, part);
      if (this.options.stop?.aborted) return;
      await lease.confirm();
      const outcome = await this.call(listener, event);
      if (outcome === 'stopped') return;
      if (outcome === 'heard') await this.redis.hset(this.keyOf(due), `heard ${name} ${part.leaderboard}`, 1);
      else failure = outcome;
      // A listener that hangs is not waited for at every part.
      if (failure?.reason === 'timeout') break;
    }
    if (!failure) {
      await this.redis.hset(this.keyOf(due), `heard ${name}`, 1);
      return;
    }
    const tries = await this.redis.hincrby(this.keyOf(due), `tries ${name}`, 1);
    const pauseMs = Math.min(maxPauseMs, this.options.everyMs * 2 ** Math.min(tries - 1, 30));
    await this.redis.set(pause, String(tries), 'PX', pauseMs);
    this.options.onFailure?.({ listener: name, leaderboard, period: period.key, ...failure, pauseMs });
  }

  /** Calls a listener and waits until it has acknowledged, failed, or had its time. */
  private async call(
    { hear }: NamedListener,
    event: LeaderboardSettledEvent,
  ): Promise<'heard' | 'stopped' | Pick<ListenerFailure, 'reason' | 'error'>> {
    const { listenerTimeoutMs, giveUp } = this.options;
    const controller = new AbortController();
    const end = (): void => controller.abort();
    const ended = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
    const timer = setTimeout(end, listenerTimeoutMs);
    giveUp?.addEventListener('abort', end);
    if (giveUp?.aborted) end();
    try {
      const heard = Promise.resolve(hear(event, controller.signal)).then(() => 'heard' as const);
      return (
        (await Promise.race([heard, ended])) ?? (giveUp?.aborted ? 'stopped' : { reason: 'timeout', error: undefined })
      );
    } catch (error) {
      return { reason: 'threw', error };
    } finally {
      clearTimeout(timer);
      giveUp?.removeEventListener('abort', end);
    }
  }

  /** The announcement of a part, the same to all listeners. */
  private eventOf(due: DuePeriod, part: SettledPeriod): Promise<LeaderboardSettledEvent> {
    return cachedWith(this.events, part, async () => {
      const { winners: first, decimals = 0 } = this.options;
      const { winners, total } = await this.standings.first(due, part, first);
      const inPoints = winners.map((one) => ({ ...one, score: pointsOf(one.score, decimals) }));
      return new LeaderboardSettledEvent(part.leaderboard, part.period, total, part.checksum, inPoints);
    });
  }

  private keyOf({ leaderboard, period }: DuePeriod): string {
    return settlingKeys.period(this.prefix, leaderboard, period.key);
  }

  private progressOf(due: DuePeriod): Promise<Progress> {
    return this.redis.hgetall(this.keyOf(due));
  }

  private async note(due: DuePeriod, progress: Readonly<Record<string, number>>): Promise<void> {
    const key = this.keyOf(due);
    const change = this.redis.multi().hset(key, progress);
    await change.pexpire(key, 366 * dayMs).exec();
  }
}
