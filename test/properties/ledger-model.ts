import {
  Period,
  type LedgerBoard,
  type PeriodSpec,
  type Transition,
  type TransitionLimit,
  type TransitionOutcome,
} from '@laurel/leaderboard';
import type { LedgerCount, LimitRefusal } from '@laurel/leaderboard/internals';

interface Moment {
  readonly ms: number;
  readonly sequence: number;
}

interface Revoke extends Moment {
  /** The day it names: the only one it ends, where `alone`; the day it was made, otherwise. */
  readonly day: string;
  readonly alone: boolean;
  /** It is no revoke: a limit refused the grant of this moment, which ends there. */
  readonly refusedBy?: TransitionLimit;
}

/** All that was ever heard of one member's field: histories, not maxima. */
interface Identity {
  readonly grants: (Moment & { readonly day: string })[];
  readonly revokes: Revoke[];
  /** Points that each day gave. */
  readonly counted: Map<string, number>;
}

export interface ModelEntry {
  readonly points: number;
  readonly reachedAtMs: number;
}

/** What counts on a board, and since when. */
interface Standing {
  readonly member: string;
  readonly points: number;
  readonly sinceMs: number;
}

export interface ModelSettings {
  readonly timezone: string;
  readonly boards: readonly LedgerBoard[];
  readonly clockSkewMs: number;
}

export interface ModelResult {
  readonly outcome: TransitionOutcome;
  readonly points: number;
  /** Of a limited one: the limit, and when it would allow it. */
  readonly refusal?: LimitRefusal;
}

/** How much of a grant a limit lets pass, and where nothing, when it would again. */
interface Allowance {
  readonly points: number;
  readonly againAtMs: number | null;
}

interface Refused {
  readonly refusal: LimitRefusal;
}

const compare = (a: Moment, b: Moment): number => a.ms - b.ms || a.sequence - b.sequence;

/** The ledger's meaning in plain JavaScript: it keeps every transition it was ever given and judges from the whole. */
export class LedgerModel {
  private readonly identities = new Map<string, Identity>();
  private readonly windows = new Map<string, number[]>();
  /** When grants of the own limit `spaced` were made last, by its key. */
  private readonly spaced = new Map<string, number>();
  /** By board and period, what counts there. */
  private readonly boards = new Map<string, Map<string, Standing>>();

  private readonly frozen = new Set<string>();

  constructor(private readonly settings: ModelSettings) {}

  /** Closes one board's period, whatever the time. */
  freeze(board: string, period: Period): void {
    this.frozen.add(`${board} ${period.key}`);
  }

  /** Entries by board and period: the sum of what counts there, and the latest moment since when any of it stands. */
  standings(): Record<string, Record<string, ModelEntry>> {
    const boards: Record<string, Record<string, ModelEntry>> = {};
    for (const [board, standing] of this.boards) {
      for (const { member, points, sinceMs } of standing.values()) {
        const entries = (boards[board] ??= {});
        const { points: others, reachedAtMs } = entries[member] ?? { points: 0, reachedAtMs: 0 };
        entries[member] = { points: others + points, reachedAtMs: Math.max(reachedAtMs, sinceMs) };
      }
    }
    return boards;
  }

  deliver(transition: Transition, nowMs: number): ModelResult {
    const { kind, member, field, occurredAtMs, sequence = 0, grantedAtMs } = transition;
    if (occurredAtMs > nowMs + this.settings.clockSkewMs) return { outcome: 'rejected', points: 0 };
    const day = this.dayOf(grantedAtMs ?? occurredAtMs);
    if (this.openBoards(day, nowMs).length === 0) return { outcome: 'closed', points: 0 };

    const identity = this.identity(member, field);
    const moment = { ms: occurredAtMs, sequence };
    const revoke = { ...moment, day, alone: grantedAtMs !== undefined };
    const alike =
      kind === 'grant'
        ? identity.grants.filter((grant) => grant.day === day)
        : identity.revokes.filter((other) => other.day === day && other.alone === revoke.alone);
    const ends = identity.revokes.filter((other) => other.day === day && other.alone).sort(compare);
    const last = ends.at(-1);
    if (kind === 'grant' && last?.refusedBy && compare(last, moment) === 0)
      return this.refusedAgain(last.refusedBy, transition, day);
    if (alike.some((other) => compare(other, moment) >= 0)) {
      // A repetition of a grant may be heard of before that one.
      if (kind === 'grant') identity.grants.push({ ...moment, day });
      this.stand(idOf(member, field), member, day, nowMs);
      return { outcome: 'duplicate', points: 0 };
    }

    const before = structuredClone(identity);
    if (kind === 'grant') identity.grants.push({ ...moment, day });
    else identity.revokes.push(revoke);

    const now = this.judge(identity, transition, nowMs);
    if ('refusal' in now) {
      const refusedBy = transition.limits?.find(({ name }) => name === now.refusal.limit) as TransitionLimit;
      before.grants.push({ ...moment, day });
      before.revokes.push({ ...moment, day, alone: true, refusedBy });
      this.identities.set(idOf(member, field), before);
      return { outcome: 'limited', points: 0, refusal: now.refusal };
    }

    let change = 0;
    let ended = false;
    const id = idOf(member, field);
    const days = new Set([...before.counted.keys(), ...now.keys(), ...identity.grants.map((grant) => grant.day)]);
    for (const affected of days) {
      const delta = (now.get(affected) ?? 0) - (before.counted.get(affected) ?? 0);
      change += delta;
      ended ||= before.counted.has(affected) && !now.has(affected);
    }
    identity.counted.clear();
    for (const [counting, worth] of now) identity.counted.set(counting, worth);
    for (const affected of days) this.stand(id, member, affected, nowMs);

    if (kind === 'revoke') return { outcome: ended ? 'revoked' : 'notGranted', points: change };
    if (now.has(day) && !before.counted.has(day)) return { outcome: 'granted', points: change };
    return { outcome: isEnded(identity, { ...moment, day }) ? 'notGranted' : 'duplicate', points: 0 };
  }

  /** What was refused, and is delivered again. The limit is known by its place among those of the repetition. */
  private refusedAgain(limit: TransitionLimit, { limits = [] }: Transition, day: string): ModelResult {
    if (limits.length === 0) return { outcome: 'limited', points: 0 };
    const end = limit.type === 'daily' ? Period.parse('day', day, this.settings.timezone).end : null;
    return {
      outcome: 'limited',
      points: 0,
      refusal: { limit: limit.name, allowedAgainAtMs: end?.getTime() ?? null },
    };
  }

  /**
   * Days that count, with their points. Days whose boards are all closed, and days before the only one that a
   * transition names, stay as they were. Limits are asked when a day begins to count: at its grant, or when the day
   * that kept it from counting ends. A refused day waits for its next grant.
   */
  private judge(identity: Identity, transition: Transition, nowMs: number): Map<string, number> | Refused {
    const { kind, occurredAtMs, grantedAtMs, onceInDays: once = 1 } = transition;
    const own = this.dayOf(grantedAtMs ?? occurredAtMs);
    const from = kind === 'grant' || grantedAtMs !== undefined ? own : '';
    const tooSoon = (day: string, last: string | undefined) =>
      last !== undefined && (Date.parse(day) - Date.parse(last)) / 86_400_000 < once;
    const counting = new Map<string, number>();
    let last: string | undefined;
    let lastBefore: string | undefined;
    for (const day of [...new Set(identity.grants.map((grant) => grant.day))].sort()) {
      const had = identity.counted.get(day);
      const grant = latestGrant(identity, day);
      const isOwnGrant = kind === 'grant' && day === own;
      let worth = had;
      if (day >= from && this.openBoards(day, nowMs).length > 0 && grant) {
        const counts = !isEnded(identity, grant) && !tooSoon(day, last);
        if (!counts) worth = undefined;
        else if (worth === undefined && (isOwnGrant || tooSoon(day, lastBefore))) {
          const given = this.admit({ ...transition, occurredAtMs: grant.ms }, day, isOwnGrant);
          if (typeof given === 'number') worth = given;
          else if (isOwnGrant) return given;
        }
      }
      if (worth !== undefined) {
        counting.set(day, worth);
        last = day;
      }
      if (had !== undefined) lastBefore = day;
    }
    return counting;
  }

  /** What a transition's limits let its day have; it takes its places. */
  private admit(transition: Transition, day: string, isOwnGrant: boolean): number | Refused {
    const { points, counterpart, limits = [] } = transition;
    let given = points;
    for (const limit of limits) {
      // Nobody knows what they would need to judge another day.
      const isUnknown = limit.type === 'own' || (limit.type === 'sliding' && limit.per === 'pair' && !counterpart);
      const refused = { limit: limit.name, allowedAgainAtMs: null };
      if (!isOwnGrant && isUnknown) return { refusal: refused };
      const allowance = this.allowanceOf(limit, transition, day);
      given = Math.min(given, allowance.points);
      if (given === 0) return { refusal: { ...refused, allowedAgainAtMs: allowance.againAtMs } };
    }
    for (const limit of limits) this.takePlace(limit, transition);
    return given;
  }

  /** How many fields stand on a day, or what they are worth. */
  countOf({ of, fieldPrefixes }: LedgerCount, member: string, day: string): number {
    let total = 0;
    for (const [id, { counted }] of this.identities) {
      const [owner, field] = JSON.parse(id) as [string, string];
      if (owner !== member || !fieldPrefixes.some((prefix) => field.startsWith(prefix))) continue;
      if (counted.has(day)) total += of === 'points' ? (counted.get(day) as number) : 1;
    }
    return total;
  }

  private allowanceOf(limit: TransitionLimit, transition: Transition, day: string): Allowance {
    const { points, occurredAtMs, member } = transition;
    if (limit.type === 'daily') {
      const left = Math.max(0, limit.max - this.countOf(limit.count, member, day));
      const end = Period.parse('day', day, this.settings.timezone).end as Date;
      return { points: limit.count.of === 'points' || left === 0 ? left : points, againAtMs: end.getTime() };
    }
    const fits = (ms: number) =>
      limit.type === 'own' ? this.isSpaced(transition, ms) : this.fits(limit, transition, ms);
    if (fits(occurredAtMs)) return { points, againAtMs: null };
    // Nothing but the end of a stretch that begins with a place makes room.
    const lengthMs = limit.type === 'own' ? everyMsOf(transition) : limit.windowMs;
    const places = limit.type === 'own' ? [...this.spaced.values()] : this.places(limit, transition);
    const ends = places.map((place) => place + lengthMs).sort((a, b) => a - b);
    return { points: 0, againAtMs: ends.find((end) => end > occurredAtMs && fits(end)) ?? null };
  }

  /** Whether one more place at a moment leaves every stretch of the window with no more than its most. */
  private fits(limit: SlidingLimit, transition: Transition, ms: number): boolean {
    if (limit.per === 'pair' && transition.counterpart === undefined) return true;
    const all = [...this.places(limit, transition), ms].sort((a, b) => a - b);
    return all.every((first, i) => {
      const last = all[i + limit.max];
      return last === undefined || last - first >= limit.windowMs || first > ms || last < ms;
    });
  }

  private isSpaced(transition: Transition, ms: number): boolean {
    return ms >= (this.spaced.get(spacedKey(transition)) ?? -Infinity) + everyMsOf(transition);
  }

  /** A window remembers two of its lengths before the latest place. */
  private takePlace(limit: TransitionLimit, transition: Transition): void {
    const ms = transition.occurredAtMs;
    if (limit.type === 'own') this.spaced.set(spacedKey(transition), ms);
    if (limit.type !== 'sliding') return;
    const kept = this.places(limit, transition).filter((place) => place >= ms - 2 * limit.windowMs);
    this.windows.set(windowId(limit, transition), [...kept, ms]);
  }

  private places(limit: SlidingLimit, transition: Transition): number[] {
    return this.windows.get(windowId(limit, transition)) ?? [];
  }

  /** Notes on the open boards of a day what of an identity counts there by now. */
  private stand(id: string, member: string, day: string, nowMs: number): void {
    const identity = this.identities.get(id) as Identity;
    const points = identity.counted.get(day);
    for (const { name, period } of this.openBoards(day, nowMs)) {
      const standing = this.boards.get(`${name} ${period.key}`) ?? new Map<string, Standing>();
      this.boards.set(`${name} ${period.key}`, standing);
      if (points === undefined) standing.delete(`${day} ${id}`);
      else standing.set(`${day} ${id}`, { member, points, sinceMs: standsSince(identity, day) });
    }
  }

  private openBoards(day: string, nowMs: number): { readonly name: string; readonly period: Period }[] {
    return this.settings.boards
      .map((board) => ({ board, name: board.name, period: periodOfDay(board.period, day, this.settings.timezone) }))
      .filter(({ board, period }) => nowMs < (period.end?.getTime() ?? Infinity) + board.latenessMs)
      .filter(({ name, period }) => !this.frozen.has(`${name} ${period.key}`));
  }

  private dayOf(atMs: number): string {
    return Period.of('day', new Date(atMs), this.settings.timezone).key;
  }

  private identity(member: string, field: string): Identity {
    const key = idOf(member, field);
    const identity = this.identities.get(key) ?? { grants: [], revokes: [], counted: new Map<string, number>() };
    this.identities.set(key, identity);
    return identity;
  }
}

type SlidingLimit = Extract<TransitionLimit, { type: 'sliding' }>;

function idOf(member: string, field: string): string {
  return JSON.stringify([member, field]);
}

function windowId({ name, per }: SlidingLimit, { member, field, counterpart }: Transition): string {
  return JSON.stringify([name, member, per === 'field' ? field : per === 'pair' ? counterpart : null]);
}

function spacedKey({ member, prepared }: Transition): string {
  return JSON.stringify([member, prepared?.[0]?.keys[0]]);
}

function everyMsOf({ prepared }: Transition): number {
  return Number(prepared?.[0]?.args[0]);
}

const periodsOfDays = new Map<string, Period>();

function periodOfDay(kind: PeriodSpec, day: string, timezone: string): Period {
  const key = `${JSON.stringify(kind)} ${day} ${timezone}`;
  const period = periodsOfDays.get(key) ?? Period.of(kind, Period.parse('day', day, timezone).start, timezone);
  periodsOfDays.set(key, period);
  return period;
}

function latestGrant(identity: Identity, day: string): (Moment & { readonly day: string }) | undefined {
  return identity.grants
    .filter((grant) => grant.day === day)
    .sort(compare)
    .at(-1);
}

function isEnded(identity: Identity, grant: Moment & { readonly day: string }): boolean {
  return identity.revokes.some((revoke) => compare(revoke, grant) >= 0 && (!revoke.alone || revoke.day === grant.day));
}

/** The first grant of a day, unless a revoke of that day came after it: then the latest. */
function standsSince({ grants, revokes }: Identity, day: string): number {
  const all = grants.filter((grant) => grant.day === day).sort(compare);
  const [first, last] = [all[0] as Moment, all.at(-1) as Moment];
  return (revokes.some((revoke) => revoke.day === day && compare(revoke, first) >= 0) ? last : first).ms;
}
