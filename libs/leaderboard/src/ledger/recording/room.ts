import { createHash } from 'node:crypto';
import { cachedWith } from '../../lists/lists';
import { dayMs } from '../../time/days';
import { compare, type Moment } from '../facts/fact';
import type { TransitionLimit } from '../facts/laws';
import { slotOf, tried, worth, type Given } from '../facts/standing';
import type { MemberLedger } from './member-ledger';

/** One member's rest of limits, as record-grants.lua keeps it: computed from facts, and anew when it is missing. */
export interface Room extends Moment {
  /** Whether anything was refused that a repetition may let in. */
  readonly refused: boolean;
  /** By what is counted, how much holds. */
  readonly used: Readonly<Record<string, number>>;
  /** By window, the moments of the latest grants. */
  readonly given: Readonly<Record<string, readonly number[]>>;
  /** By the names of limits, what tells them from others that had the name. */
  readonly laws: Readonly<Record<string, string>>;
  /** The longest of the windows. */
  readonly longest: number;
}

const lawTexts = new WeakMap<TransitionLimit, string>();

/** The identity of a limit among others that had, or will have, its name. */
export function lawOf(limit: TransitionLimit): string {
  const digest = () => createHash('sha1').update(JSON.stringify(limit)).digest('base64').slice(0, 6);
  return cachedWith(lawTexts, limit, digest);
}

/** How long a room is kept after the latest grant. */
export function keptForMs(limits: readonly TransitionLimit[]): number {
  return Math.max(2 * dayMs, ...limits.map((limit) => (limit.type === 'daily' ? 0 : limit.windowMs)));
}

/** A member's rest of limits after all known facts of some days; null: nothing is limited there. */
export function roomOf(ledger: MemberLedger, days: readonly number[]): Room | null {
  const { laws: ofFields, almanac } = ledger.judging;
  const fields = ledger.linked(days);
  if (fields.length === 0) return null;
  // Hardly ever has a later day what the first is not linked with.
  const known = ledger.triedOn(days[0] as number);
  const { found, given } = known.found.size === fields.length ? known : tried(fields, ofFields, almanac);
  let latest: Moment = { ms: 0, sequence: 0 };
  for (const { fact } of fields)
    for (const one of [fact.first, fact.last, fact.revoke]) if (one && compare(one, latest) > 0) latest = one;
  const used: Record<string, number> = {};
  const windows: Record<string, number[]> = {};
  const laws: Record<string, string> = {};
  let longest = 0;
  // A limit may have been another before: what was given under its name counts by what it is now.
  const latestOf = new Map<string, TransitionLimit>();
  for (const { of, law } of given)
    if (days.includes(of.day)) for (const limit of law.limits) latestOf.set(limit.name, limit);
  for (const one of given)
    for (const { name } of one.law.limits) {
      const limit = latestOf.get(name);
      if (limit) count(limit, one);
    }
  const refused = [...found].some(([{ day }, { since, refusal }]) => days.includes(day) && !since && refusal);
  return { ms: latest.ms, sequence: latest.sequence, refused, used, given: windows, laws, longest };

  function count(limit: TransitionLimit, one: Given): void {
    const { name, day: ofDay, fact } = one.of;
    const { key } = slotOf(limit, { name, day: ofDay, owner: fact.owner }, almanac) ?? {};
    if (key === undefined || limit.type === 'own') return;
    laws[limit.name] = lawOf(limit);
    if (limit.type === 'sliding') {
      longest = Math.max(longest, limit.windowMs);
      if (one.grant.ms <= latest.ms - limit.windowMs) return;
      const list = (windows[key] ??= []);
      list.push(one.grant.ms);
      if (list.length > limit.max) list.shift();
    } else if (one.until === null) used[key] = (used[key] ?? 0) + worth(limit, one);
  }
}
