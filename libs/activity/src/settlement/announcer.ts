import type { RedisClient } from '@laurel/leaderboard';
import { LeaderboardSettledEvent, type NamedListener, type Winner } from './settled-listeners';
import { pointsOf } from '../core/points/decimals';
import { Lease, LeaseLostError } from '../core/redis/lease';
import { progressKeys, type PeriodProgress } from './settlement-progress';
import type { SettledPeriod } from './archive/standings-archive';

/** Why a listener did not acknowledge. */
export type ListenerFailure = 'threw' | 'timeout';

interface Failure {
  readonly reason: ListenerFailure;
  readonly error: unknown;
}

/** A listener that did not acknowledge a period. */
export interface UnheardPeriod extends Failure {
  readonly listener: string;
  readonly leaderboard: string;
  readonly period: string;
  /** When it is told again, at the earliest. */
  readonly pauseMs: number;
}

/** How an {@link Announcer} announces. */
export interface AnnouncerOptions {
  /** First part of every key. */
  readonly prefix: string;
  /** Of points, which settled standings have as whole units. Default 0. */
  readonly decimals?: number;
  /** How many of the first an announcement names. */
  readonly winners: number;
  /** How long a dead instance's listener waits for another instance. */
  readonly leaseMs: number;
  /** How long a listener may take over one announcement. */
  readonly timeoutMs: number;
  /** The shortest pause before a listener that did not acknowledge is told again; each is twice as long. */
  readonly pauseMs: number;
  /** Listeners that must acknowledge, whether or not an instance has said that it has them. */
  readonly required?: readonly string[];
  /** The listeners of this instance, as they are now. */
  readonly listeners: () => readonly NamedListener[];
  /** Hears of each listener that did not acknowledge. */
  readonly onFailure?: (unheard: UnheardPeriod) => void;
  /** Begins nothing more. */
  readonly stop?: AbortSignal;
  /** Waits for no listener any more. */
  readonly giveUp?: AbortSignal;
}

/** Listeners to settled periods: those of this process, and the names of all that must acknowledge. */
export interface Audience {
  readonly own: readonly NamedListener[];
  readonly names: readonly string[];
}

/** A period to announce: how far it is, and its archived parts. */
export interface Announceable {
  readonly leaderboard: string;
  readonly period: string;
  readonly progress: PeriodProgress;
  readonly parts: () => Promise<readonly SettledPeriod[]>;
  /** The first of a part who show, and how many show. */
  readonly first: (part: SettledPeriod, count: number) => Promise<FirstOfPart>;
}

/** Its announcement: one event for each part, the same to all listeners. */
interface Announced extends Announceable {
  readonly eventOf: (part: SettledPeriod) => Promise<LeaderboardSettledEvent>;
}

/** The first of those who show, in order, and how many they all are. */
export interface FirstOfPart {
  readonly winners: readonly Winner[];
  readonly total: number;
}

/** How many periods may be under way to listeners at once; those beyond have to wait for a later round. */
const maxUnderWay = 64;

/** The longest pause before a listener that did not acknowledge is told again. */
const maxPauseMs = 600_000;

/**
 * Announces archived periods to listeners, each until it has acknowledged once. Redis has the names of those that must,
 * and what they have acknowledged: where a listener rejects, takes too long or dies, it is told again with the same
 * event id, by whichever instance has it. One instance at a time announces to a listener, by a lease. A listener keeps
 * no other from hearing, and no other period from being told to it.
 */
export class Announcer {
  private registered = '';
  /** Announcements under way to listeners of this process. */
  private readonly underWay = new Set<string>();
  /** By listener, while something is under way to it. */
  private readonly leases = new Map<string, { readonly taken: Promise<Lease | null>; users: number }>();

  constructor(
    private readonly redis: RedisClient,
    private readonly options: AnnouncerOptions,
  ) {}

  /** The names of the listeners that must acknowledge. One round trip. */
  async required(): Promise<readonly string[]> {
    const { prefix, required = [] } = this.options;
    const known = await this.redis.smembers(progressKeys.listeners(prefix));
    return [...new Set([...required, ...known])].sort();
  }

  /** Forgets a listener's name; false: there was none. One round trip. */
  async retire(name: string): Promise<boolean> {
    return (await this.redis.srem(progressKeys.listeners(this.options.prefix), name)) === 1;
  }

  /**
   * Says in Redis which listeners are here: from now on they must acknowledge. One round trip, none where it is said.
   */
  async register(): Promise<readonly NamedListener[]> {
    const own = this.options.listeners();
    const names = own.map(({ name }) => name).join(' ');
    if (names === this.registered) return own;
    if (own.length > 0) {
      await this.redis.sadd(progressKeys.listeners(this.options.prefix), ...own.map(({ name }) => name));
    }
    this.registered = names;
    return own;
  }

  /** The listeners that must acknowledge, and those of this process, as of now. Two round trips at most. */
  async audience(): Promise<Audience> {
    return { own: await this.register(), names: await this.required() };
  }

  /**
   * Announces a period to those who have not acknowledged it and are here; gives the names of those who have still not,
   * here or elsewhere. Null: it is not archived yet. One round trip where there is nothing to do.
   */
  async announce(due: Announceable, audience: Audience): Promise<readonly string[] | null> {
    const read = await due.progress.read();
    if (!read.isArchived) return null;
    const missing = audience.names.filter((name) => !read.hasHeard(name));
    const own = audience.own.filter(({ name }) => missing.includes(name));
    const events = new Map<string, Promise<LeaderboardSettledEvent>>();
    const eventOf = (part: SettledPeriod): Promise<LeaderboardSettledEvent> => {
      const event = events.get(part.leaderboard) ?? this.eventOf(part, due);
      events.set(part.leaderboard, event);
      return event;
    };
    const told = await Promise.allSettled(own.map((listener) => this.tell(listener, { ...due, eventOf })));
    const failed = told.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const heard = own.filter((_, i) => (told[i] as PromiseFulfilledResult<boolean>).value).map(({ name }) => name);
    return missing.filter((name) => !heard.includes(name));
  }

  /** Announces a period to one listener, unless that is under way or put off; true: it has acknowledged all parts. */
  private async tell(listener: NamedListener, due: Announced): Promise<boolean> {
    const { name } = listener;
    const id = `${name} ${due.leaderboard} ${due.period}`;
    const isFull = this.underWay.size >= maxUnderWay;
    if (isFull || this.underWay.has(id) || this.options.stop?.aborted) return false;
    this.underWay.add(id);
    try {
      if (await due.progress.isPutOff(name)) return false;
      return await this.withLease(name, (lease) => this.tellParts(listener, due, lease));
    } catch (error) {
      // Another instance announces the rest now.
      if (error instanceof LeaseLostError) return false;
      throw error;
    } finally {
      this.underWay.delete(id);
    }
  }

  /** Announces a period's parts, as far as they are not acknowledged; true: all of them are. */
  private async tellParts(
    listener: NamedListener,
    { leaderboard, period, progress, parts, eventOf }: Announced,
    lease: Lease,
  ): Promise<boolean> {
    const { name } = listener;
    // Another may have told the listener until the lease was taken.
    const read = await progress.read();
    if (read.hasHeard(name)) return true;
    let failure: Failure | null = null;
    for (const part of await parts()) {
      if (read.hasHeard(name, part.leaderboard)) continue;
      const event = await eventOf(part);
      if (this.options.stop?.aborted) return false;
      await lease.confirm();
      const answer = await this.hear(listener, event);
      if (answer === 'stopped') return false;
      if (answer === 'heard') await progress.heard(name, part.leaderboard);
      else failure = answer;
      // A listener that hangs is not waited for at every part.
      if (failure?.reason === 'timeout') break;
    }
    if (!failure) {
      await progress.heard(name);
      return true;
    }
    const pauseMs = await progress.putOff(name, (tries) => this.pauseOf(tries));
    this.options.onFailure?.({ listener: name, leaderboard, period, ...failure, pauseMs });
    return false;
  }

  private async hear({ hear }: NamedListener, event: LeaderboardSettledEvent): Promise<'heard' | 'stopped' | Failure> {
    const { timeoutMs, giveUp } = this.options;
    const controller = new AbortController();
    let end: (why: 'timeout' | 'stopped') => void = () => undefined;
    const ended = new Promise<'timeout' | 'stopped'>((resolve) => (end = resolve));
    const stop = (): void => end('stopped');
    const timer = setTimeout(end, timeoutMs, 'timeout');
    giveUp?.addEventListener('abort', stop);
    if (giveUp?.aborted) stop();
    try {
      const heard = Promise.resolve(hear(event, controller.signal)).then(() => 'heard' as const);
      const first = await Promise.race([ended, heard]);
      if (first === 'heard') return first;
      // Nobody waits for it any more.
      heard.catch(() => undefined);
      controller.abort();
      return first === 'stopped' ? first : { reason: first, error: undefined };
    } catch (error) {
      return { reason: 'threw', error };
    } finally {
      clearTimeout(timer);
      giveUp?.removeEventListener('abort', stop);
    }
  }

  /** The settled standings: each time the same, but for users hidden or shown meanwhile. */
  private async eventOf(part: SettledPeriod, { first }: Announceable): Promise<LeaderboardSettledEvent> {
    const { leaderboard, period, checksum } = part;
    const { winners: inUnits, total } = await first(part, this.options.winners);
    const winners = inUnits.map((one) => ({ ...one, score: pointsOf(one.score, this.options.decimals ?? 0) }));
    return new LeaderboardSettledEvent(leaderboard, period, total, checksum, winners);
  }

  /** Does something while this process is the one that announces to a listener; false: another is. */
  private async withLease(name: string, work: (lease: Lease) => Promise<boolean>): Promise<boolean> {
    const held = this.leases.get(name) ?? { taken: this.takeLease(name), users: 0 };
    this.leases.set(name, held);
    held.users += 1;
    try {
      const lease = await held.taken;
      return lease !== null && (await work(lease));
    } finally {
      held.users -= 1;
      if (held.users === 0) {
        this.leases.delete(name);
        await held.taken.then(
          (lease) => lease?.release(),
          () => undefined,
        );
      }
    }
  }

  private takeLease(name: string): Promise<Lease | null> {
    return Lease.take(this.redis, progressKeys.announcing(this.options.prefix, name), this.options.leaseMs);
  }

  private pauseOf(tries: number): number {
    return Math.min(maxPauseMs, this.options.pauseMs * 2 ** Math.min(tries - 1, 30));
  }
}
