/**
 * What stands, of facts: the law of points in TypeScript. It knows no Redis and no clock. {@link verdicts} says of each
 * field of some days whether it stands on its day, by holding and limits; {@link countedDays} which of a field's days
 * count, by later revokes and by how often it may. Points and times on boards are sums and maxima of that.
 */
import { Period } from '../../time/period';
import type { TransitionLimit } from '../model/ledger.types';
import type { Calendar } from '../periods/calendar';
import { compare, isRepeated, type Fact, type Grant, type Moment } from './fact';
import type { FieldLaw, Laws } from './laws';

/** One field on one day. What counts once for ever is of the day of its first grant. */
export interface DayField {
  /** Days since 1970. */
  readonly day: number;
  readonly name: string;
  readonly fact: Fact;
}

/** Why a limit refused a grant, or gave it less. */
export interface Refusal {
  readonly limit: string;
  /** The first moment at which the same grant would be allowed; null: not known. */
  readonly allowedAgainAtMs: number | null;
  /** The error of a limit of the caller's own. */
  readonly fault?: string;
}

/** Whether a field stands on its day. */
export interface Verdict {
  /** The grant since which it stands; null: it does not. */
  readonly since: Grant | null;
  /** What it was given. */
  readonly points: number;
  /** The limit that refused its latest try, or gave it less than it asked for. */
  readonly refusal: Refusal | null;
}

/** What a field comes to on one day. */
export interface Counted {
  readonly points: number;
  readonly sinceMs: number;
  readonly version: number;
}

/** What limits must know of the calendar and of names. */
export interface Almanac {
  /** The day, or the period of a limit, that holds a day: what tells it from others, and its end. */
  readonly spanOf: (limit: DailyLimit, day: number) => { readonly key: string; readonly endMs: number };
  /** By what windows per field know a field. */
  readonly subjectOf: (name: string) => string;
}

/** The day, or the period of a limit, that holds a day. */
export function spanOf(
  { period }: DailyLimit,
  number: number,
  calendar: Pick<Calendar, 'dayNumbered'>,
  timezone: string,
): { readonly key: string; readonly endMs: number } {
  const day = calendar.dayNumbered(number);
  if (!day || period === undefined) return { key: String(number), endMs: day?.endMs ?? Infinity };
  const found = Period.nearest(period, new Date(day.startMs), timezone);
  return { key: found.key, endMs: found.end?.getTime() ?? Infinity };
}

export type DailyLimit = Extract<TransitionLimit, { type: 'daily' }>;
type OtherLimit = Exclude<TransitionLimit, { type: 'daily' }>;

/** A grant at which a field may come to hold its place. */
export interface Try {
  readonly of: DayField;
  readonly grant: Grant;
  /** The revoke of its day until which it holds; null: it holds at the end. */
  readonly until: Moment | null;
  /** 0: the first; 1: again, where the first was refused; 2: again, as a revoke has ended the first. */
  readonly again: 0 | 1 | 2;
}

/** What was given: it holds its place until its end. */
export interface Given extends Try {
  readonly law: FieldLaw;
  readonly points: number;
}

/**
 * Since when a field holds on its day, as if nothing were limited: since the first grant if no revoke of the day lies
 * at or after that; else since the latest, if that one is after the day's latest revoke.
 */
export function holdsSince({ first, last, revoke }: Fact): Grant | null {
  if (!first || !last) return null;
  if (!revoke || compare(revoke, first) < 0) return first;
  return compare(last, revoke) > 0 ? last : null;
}

/**
 * Which of the fields stand on their days, and with what points: all fields of all days that their limits look at
 * together. They try in the order of moments, then of their names, each at its first grant; what was refused, or came
 * back after a revoke, tries again at its latest. A try is given the least of what it asks for and what each limit
 * leaves; where one leaves nothing it is refused. What is given holds its place until a revoke of its day.
 */
export function verdicts(fields: readonly DayField[], laws: Laws, almanac: Almanac): Map<DayField, Verdict> {
  return judged(fields, laws, almanac).found;
}

/** All that was ever given, in the order of moments, whether or not it holds. */
export function givenOf(fields: readonly DayField[], laws: Laws, almanac: Almanac): readonly Given[] {
  return judged(fields, laws, almanac).given;
}

function judged(fields: readonly DayField[], laws: Laws, almanac: Almanac) {
  const found = new Map<DayField, Verdict>();
  const given: Given[] = [];
  for (const one of fields.flatMap(triesOf).sort(byMoment)) {
    if (one.again === 1 && found.get(one.of)?.since) continue;
    const law = laws.of(one.of.name, one.grant.version);
    const { points, refusal } = admitted(one, law, given, almanac);
    if (points !== null) given.push({ ...one, law, points });
    found.set(one.of, { since: points === null ? null : one.grant, points: points ?? 0, refusal });
  }
  // What a revoke of its day ended held its place until then.
  for (const field of found.keys()) {
    if (!holdsSince(field.fact)) found.set(field, { since: null, points: 0, refusal: null });
  }
  return { found, given };
}

/**
 * On which of its days a field counts: those on which it stands, no general revoke of a later day ends it, and none of
 * the `once - 1` days before counts.
 * @param days in their order, those alone on which it stands. @param revokedDays of general revokes.
 */
export function countedDays(
  days: readonly { readonly day: number; readonly verdict: Verdict }[],
  revokedDays: readonly number[],
  once: number,
): Map<number, Counted> {
  const lastRevoked = Math.max(-Infinity, ...revokedDays);
  const found = new Map<number, Counted>();
  let before = -Infinity;
  for (const { day, verdict } of days) {
    if (!verdict.since || lastRevoked > day || day - before < once) continue;
    const { ms, version } = verdict.since;
    found.set(day, { points: verdict.points, sinceMs: ms, version });
    before = day;
  }
  return found;
}

function triesOf(of: DayField): Try[] {
  const { first, last, revoke } = of.fact;
  if (!first || !last) return [];
  const isEnded = revoke !== null && compare(revoke, first) >= 0;
  const tries: Try[] = [{ of, grant: first, until: isEnded ? revoke : null, again: 0 }];
  if (!isRepeated(of.fact)) return tries;
  const isBack = isEnded && compare(last, revoke) > 0;
  tries.push({ of, grant: last, until: isEnded && !isBack ? revoke : null, again: isBack ? 2 : 1 });
  return tries;
}

function byMoment(a: Try, b: Try): number {
  return compare(a.grant, b.grant) || (a.of.name < b.of.name ? -1 : a.of.name > b.of.name ? 1 : a.again - b.again);
}

/** What a try is given; null: nothing, as a limit refuses it. */
function admitted(
  one: Try,
  { limits }: FieldLaw,
  given: readonly Given[],
  almanac: Almanac,
): { readonly points: number | null; readonly refusal: Refusal | null } {
  let { points } = one.grant;
  let refusal: Refusal | null = null;
  for (const limit of limits) {
    const left = limit.type === 'daily' ? leftOfDay(limit, one, given, almanac) : leftOf(limit, one, given, almanac);
    if (left === null || (!left.isFull && left.points >= points)) continue;
    refusal = { limit: limit.name, allowedAgainAtMs: left.againAtMs, ...(left.fault && { fault: left.fault }) };
    if (left.isFull) return { points: null, refusal };
    points = left.points;
  }
  return { points, refusal };
}

/** What a limit leaves for a try; null: all that it asks for. */
interface Left {
  readonly isFull: boolean;
  readonly points: number;
  readonly againAtMs: number | null;
  readonly fault?: string;
}

/** Of a limit by the day, or by a period: what holds at that moment counts. */
function leftOfDay(limit: DailyLimit, one: Try, given: readonly Given[], almanac: Almanac): Left | null {
  const { of, name } = limit;
  const span = almanac.spanOf(limit, one.of.day);
  let used = 0;
  for (const other of given) {
    if (other.until && compare(other.until, one.grant) <= 0) continue;
    if (!isUnder(other, name)) continue;
    if (other.of.day !== one.of.day && almanac.spanOf(limit, other.of.day).key !== span.key) continue;
    used += of === 'points' ? other.points : of === 'standing' || other.points !== 0 ? 1 : 0;
  }
  const left = limit.max - used;
  if (left <= 0) return { isFull: true, points: 0, againAtMs: span.endMs };
  return of === 'points' ? { isFull: false, points: left, againAtMs: span.endMs } : null;
}

/** A limit counts what is under it. */
function isUnder({ law }: Given, limit: string): boolean {
  return law.limits.some(({ name }) => name === limit);
}

/** Of a limit by the time: what was given in the window that ends at that moment counts, revoked since or not. */
function leftOf(limit: OtherLimit, one: Try, given: readonly Given[], { subjectOf }: Almanac): Left | null {
  const { ms } = one.grant;
  if (limit.per === 'pair' && one.of.fact.owner === null) return null;
  const isAlike = (other: Given) =>
    limit.per === 'field'
      ? subjectOf(other.of.name) === subjectOf(one.of.name)
      : limit.per !== 'pair' || other.of.fact.owner === one.of.fact.owner;
  const inWindow = given.filter(
    (other) =>
      other.grant.ms > ms - limit.windowMs &&
      isUnder(other, limit.name) &&
      isAlike(other),
  );
  if (limit.type === 'own') return leftByOwn(limit, one, inWindow);
  if (inWindow.length < limit.max) return null;
  const freeing = inWindow[inWindow.length - limit.max] as Given;
  return { isFull: true, points: 0, againAtMs: freeing.grant.ms + limit.windowMs };
}

function leftByOwn(
  limit: Extract<TransitionLimit, { type: 'own' }>,
  one: Try,
  inWindow: readonly Given[],
): Left | null {
  const factOf = ({ of: { name, fact }, grant }: Try, points: number) => ({
    ...{ field: name, points, ms: grant.ms, counterpart: fact.owner },
  });
  const full = { isFull: true, points: 0 };
  try {
    const allowed = limit.allows(
      factOf(one, one.grant.points),
      inWindow.map((other) => factOf(other, other.points)),
    );
    return allowed === true ? null : { ...full, againAtMs: allowed === false ? null : allowed };
  } catch (error) {
    return { ...full, againAtMs: null, fault: error instanceof Error ? error.message : String(error) };
  }
}
