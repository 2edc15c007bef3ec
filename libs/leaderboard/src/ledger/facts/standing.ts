/**
 * What stands, of facts: the law of points in TypeScript. It knows no Redis and no clock. {@link tried} says of each
 * field of some days whether it stands on its day, by holding and limits; {@link countedDays} which of a field's days
 * count, by later revokes and by how often it may. Points and times on boards are sums and maxima of that.
 */
import { compare, isRepeated, voidSequence, type Fact, type Grant, type Moment } from './fact';
import type { FieldLaw, Laws, LimitedGrant, TransitionLimit } from './laws';

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
  /** The first moment that would allow the same grant: of a daily limit the next day's start; null: not known. */
  readonly allowedAgainAtMs: number | null;
  /** The error of a limit of the caller's own. */
  readonly fault?: string;
}

/** Whether a field stands on its day. */
export interface Verdict {
  /** The grant since which it stands; null: it does not. */
  readonly since: Grant | null;
  /** The points that it was given. */
  readonly points: number;
  /** The limit that refused its latest try, or gave it less than it asked for. */
  readonly refusal: Refusal | null;
}

/** The result of a field on one day. */
export interface Counted {
  readonly points: number;
  readonly sinceMs: number;
  readonly version: number;
  /** The owner's points for it; null: not even a count. */
  readonly gift: number | null;
}

/** The calendar and names that limits need. */
export interface Almanac {
  /** The day, or the period of a limit, that holds a day. */
  readonly spanOf: (limit: DailyLimit, day: number) => { readonly key: string; readonly endMs: number } | null;
  /** By what windows per field know a field. */
  readonly subjectOf: (name: string) => string;
}

export type DailyLimit = Extract<TransitionLimit, { type: 'daily' }>;
export type OwnLimit = Extract<TransitionLimit, { type: 'own' }>;

/** A grant at which a field may come to hold its place. */
export interface Try {
  readonly of: DayField;
  readonly grant: Grant;
  /** The revoke of its day until which it holds its place; null: it holds that at the end. */
  readonly until: Moment | null;
  /** 0: the first; 1: again, where the first was refused; 2: again, as a revoke has ended the first. */
  readonly again: 0 | 1 | 2;
}

/** A grant that stood: it holds its place until its end. */
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
 * leaves; where one leaves nothing it is refused. What is given holds its place until a revoke of its day. A cap on
 * points neither refuses nor counts what asks for none, or takes them. With it all that was given, the earliest first.
 */
export function tried(fields: readonly DayField[], laws: Laws, almanac: Almanac) {
  const found = new Map<DayField, Verdict>();
  const counts = new Counts(almanac);
  for (const one of fields.flatMap(triesOf).sort(byMoment)) {
    if (one.again === 1 && found.get(one.of)?.since) continue;
    const law = laws.of(one.of.name, one.grant.version);
    const { points, refusal } = admitted(one, law, counts);
    if (points !== null) counts.given.push({ ...one, law, points });
    found.set(one.of, { since: points === null ? null : one.grant, points: points ?? 0, refusal });
  }
  // A field that a revoke of its day ended held its place until then.
  for (const field of found.keys()) {
    if (!holdsSince(field.fact)) found.set(field, { since: null, points: 0, refusal: null });
  }
  return { found, given: counts.given };
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
    const { ms, version, gift } = verdict.since;
    found.set(day, { points: verdict.points, sinceMs: ms, version, gift });
    before = day;
  }
  return found;
}

function triesOf(of: DayField): Try[] {
  const { first, last, revoke } = of.fact;
  if (!first || !last) return [];
  const isEnded = revoke !== null && compare(revoke, first) >= 0;
  const isBack = isEnded && compare(last, revoke) > 0;
  // What was voided holds its place until it comes back itself, if it does.
  const kept = isBack ? { ...last, sequence: last.sequence - 1 } : null;
  const until = isEnded ? (revoke.sequence === voidSequence ? kept : revoke) : null;
  const tries: Try[] = [{ of, grant: first, until, again: 0 }];
  if (!isRepeated(of.fact)) return tries;
  tries.push({ of, grant: last, until: isBack ? null : until, again: isBack ? 2 : 1 });
  return tries;
}

function byMoment(a: Try, b: Try): number {
  return compare(a.grant, b.grant) || (a.of.name < b.of.name ? -1 : a.of.name > b.of.name ? 1 : a.again - b.again);
}

/** A try's points; null: a limit refuses it. */
function admitted(one: Try, { limits }: FieldLaw, counts: Counts) {
  const { fact, name, day } = one.of;
  const asking: Asking = { day, moment: one.grant, name, owner: fact.owner };
  let { points } = one.grant;
  let refusal: Refusal | null = null;
  for (const limit of limits) {
    const isOfPoints = limit.type === 'daily' && limit.of === 'points';
    if (isOfPoints && points <= 0) continue;
    const room =
      limit.type === 'own' ? leftByOwn(limit, one, counts.within(limit, asking)) : counts.room(limit, asking);
    if (!room || (room.left > 0 && (!isOfPoints || room.left >= points))) continue;
    const { left, againAtMs, fault } = room;
    refusal = { limit: limit.name, allowedAgainAtMs: againAtMs, ...(fault && { fault }) };
    if (left <= 0) return { points: null, refusal };
    points = left;
  }
  return { points, refusal };
}

/** For what field a limit is asked. */
export interface LimitedField {
  readonly day: number;
  /** Null: none, which limits per field need. */
  readonly name: string | null;
  /** Null: none, which limits per pair need. */
  readonly owner: string | null;
}

/** When a limit is asked what it leaves, and for what. */
export interface Asking extends LimitedField {
  readonly moment: Moment;
}

/** The rest of a limit, and the moment from which there is one again. */
export interface Room {
  readonly used: number;
  readonly left: number;
  readonly againAtMs: number | null;
  readonly fault?: string;
}

/** The count of a limit that holds a field, and when it begins anew; null: it does not limit the field. */
export function slotOf(limit: TransitionLimit, { name, day, owner }: LimitedField, { spanOf, subjectOf }: Almanac) {
  if (limit.type === 'daily') {
    const span = spanOf(limit, day);
    return span && { key: `${limit.name}:${span.key}`, endMs: span.endMs };
  }
  const of = limit.per === 'member' ? '' : limit.per === 'pair' ? owner : name === null ? null : subjectOf(name);
  return of === null ? null : { key: `${limit.name}:${of}`, endMs: 0 };
}

/** What a limit counts together, the earliest first; of a day or period what is to end, beside how much holds. */
interface Slot {
  readonly endMs: number;
  given: Given[];
  held: number;
}

/** What limits count of what was given by a moment; moments are asked for in their order, so each counts once. */
export class Counts {
  readonly given: Given[] = [];
  private readonly slots = new Map<TransitionLimit, { seen: number; readonly by: Map<string | number, Slot | null> }>();

  constructor(private readonly almanac: Almanac) {}

  /** The grants in a limit's window; null: the limit does not apply. */
  within(limit: Exclude<TransitionLimit, DailyLimit>, asking: Asking): readonly Given[] | null {
    const slot = this.slotAt(limit, asking);
    if (!slot) return null;
    let first = slot.given.length;
    while (first > 0 && (slot.given[first - 1] as Given).grant.ms > asking.moment.ms - limit.windowMs) first -= 1;
    return slot.given.slice(first);
  }

  /** The rest of a limit that is not custom; null: the limit does not apply. */
  room(limit: Exclude<TransitionLimit, OwnLimit>, asking: Asking): Room | null {
    if (limit.type === 'sliding') {
      const counted = this.within(limit, asking);
      const freeing = counted?.[counted.length - limit.max];
      const againAtMs = freeing ? freeing.grant.ms + limit.windowMs : null;
      return counted && { used: counted.length, left: limit.max - counted.length, againAtMs };
    }
    const slot = this.slotAt(limit, asking);
    if (!slot) return null;
    slot.given = slot.given.filter((given) => {
      const holds = compare(given.until as Moment, asking.moment) >= 0;
      if (!holds) slot.held -= worth(limit, given);
      return holds;
    });
    return { used: slot.held, left: limit.max - slot.held, againAtMs: slot.endMs };
  }

  private slotAt(limit: TransitionLimit, asking: Asking): Slot | null {
    const slots = this.slots.get(limit) ?? { seen: 0, by: new Map<string | number, Slot | null>() };
    this.slots.set(limit, slots);
    const slotFor = (field: LimitedField) => {
      // By days too: to find the period of each costs much more.
      const known = limit.type === 'daily' ? slots.by.get(field.day) : undefined;
      if (known !== undefined) return known;
      const { key = null, endMs = 0 } = slotOf(limit, field, this.almanac) ?? {};
      const slot = key === null ? null : (slots.by.get(key) ?? { endMs, given: [], held: 0 });
      if (key !== null) slots.by.set(key, slot);
      if (limit.type === 'daily') slots.by.set(field.day, slot);
      return slot;
    };
    for (; slots.seen < this.given.length; slots.seen += 1) {
      const given = this.given[slots.seen] as Given;
      if (!given.law.limits.some(({ name }) => name === limit.name)) continue;
      const { day, name, fact } = given.of;
      const slot = slotFor({ day, name, owner: fact.owner });
      if (slot && limit.type === 'daily') slot.held += worth(limit, given);
      if (limit.type !== 'daily' || given.until) slot?.given.push(given);
    }
    return slotFor(asking);
  }
}

/** How much of a limit by the day, or by a period, a grant takes. */
export function worth({ of }: DailyLimit, { points }: Pick<Given, 'points'>): number {
  return of === 'points' ? Math.max(0, points) : of === 'standing' || points !== 0 ? 1 : 0;
}

/** A grant as limits of the caller's own know it. */
export function limitedGrant({ of: { name, fact }, grant }: Try, points: number): LimitedGrant {
  return { field: name, points, ms: grant.ms, counterpart: fact.owner };
}

function leftByOwn(limit: OwnLimit, one: Try, counted: readonly Given[] | null): Room | null {
  if (!counted) return null;
  const used = counted.length;
  try {
    const given = counted.map((other) => limitedGrant(other, other.points));
    const allowed = limit.allows(limitedGrant(one, one.grant.points), given);
    const isAllowed = allowed === true;
    return { used, left: isAllowed ? Infinity : 0, againAtMs: typeof allowed === 'number' ? allowed : null };
  } catch (error) {
    return { used, left: 0, againAtMs: null, fault: error instanceof Error ? error.message : String(error) };
  }
}
