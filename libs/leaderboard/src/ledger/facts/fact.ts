import { dayMs } from '../../time/days';

/** When something happened. At one millisecond a higher sequence is later; at the same moment a revoke is. */
export interface Moment {
  readonly ms: number;
  readonly sequence: number;
}

/** A grant, and what it asked for. */
export interface Grant extends Moment {
  readonly points: number;
  /** Of the rules by which it asked. */
  readonly version: number;
  /** The points of the rule for the subject's owner, if the field counts; null: not even a count. */
  readonly gift: number | null;
}

/**
 * What was ever heard of one field on one day, or on all days of what counts once for ever. Facts only grow: the first
 * grant only moves back, the last grant and the revoke only forward, so they end alike in whatever order they come.
 */
export interface Fact {
  /** The earliest grant; null: none was seen. */
  readonly first: Grant | null;
  /** The latest grant; the same as {@link first} where there is one. */
  readonly last: Grant | null;
  /** The latest revoke that ends on this day: one that names the day, or a general one made on it. */
  readonly revoke: Moment | null;
  /** How often what its owner is owed has changed; of what an owner was given, which of these changes it is. */
  readonly turn: number;
  /** The owner of the field's subject: the first that was named. */
  readonly owner: string | null;
  /** By their keys, the parts on which it counts. Of an adjustment, under '', the only board that it adjusts. */
  readonly parts: Readonly<Record<string, string>> | null;
  /** Of an adjustment: why. */
  readonly note: string | null;
  /** Of an adjustment: the day whose boards it adjusts. */
  readonly day: number | null;
}

/** The sequence of an operator's revoke: what it ends keeps its place under limits, so it makes no room for others. */
export const voidSequence = Number.MAX_SAFE_INTEGER;

/** What a hold holds back: fields that begin so, since a moment, or the one of this digest, on the day of this span. */
export type HeldPart = readonly [of: string, fromMs: number, untilMs: number];

/** The end of a span that has none. */
export const heldForGood = Number.MAX_SAFE_INTEGER;

export const nothing: Fact = Object.freeze({
  first: null,
  last: null,
  revoke: null,
  turn: 0,
  owner: null,
  parts: null,
  note: null,
  day: null,
});

/** Below zero where `a` is the earlier moment. */
export function compare(a: Moment, b: Moment): number {
  return a.ms - b.ms || a.sequence - b.sequence;
}

/** The later of two moments. */
export function later<M extends Moment>(a: M | null, b: M | null): M | null {
  if (!a || !b) return a ?? b;
  return compare(a, b) >= 0 ? a : b;
}

/** Both facts in one: what is known stays, and what is heard twice changes nothing. */
export function join(known: Fact, heard: Fact): Fact {
  const isFirst = heard.first !== null && (known.first === null || compare(heard.first, known.first) < 0);
  const isLast = heard.last !== null && (known.last === null || compare(heard.last, known.last) > 0);
  const named = known.owner === null ? heard : known;
  // A fact without an owner, or with another, gives the field's owner what the fact that names them gives.
  const asked = (grant: Grant | null, { owner }: Fact) =>
    grant && owner !== named.owner ? { ...grant, gift: named.first?.gift ?? null } : grant;
  return {
    first: isFirst ? asked(heard.first, heard) : asked(known.first, known),
    last: isLast ? asked(heard.last, heard) : asked(known.last, known),
    revoke: later(known.revoke, heard.revoke),
    turn: Math.max(known.turn, heard.turn),
    owner: named.owner,
    parts: known.parts ?? heard.parts,
    note: known.note ?? heard.note,
    day: known.day ?? heard.day,
  };
}

/** Whether a field has two grants that are not the same. */
export function isRepeated({ first, last }: Fact): boolean {
  return first !== null && last !== null && compare(last, first) > 0;
}

/*
 * A fact as a ledger's hash has it: `first;last;revoke;turn;more`, without the semicolons at its end.
 *   first   usually one whole number, which Redis stores in 6 bytes, or in 10: high * 10000000000 + low, where
 *             low   ms + 180000000 * (points modulo 55)
 *             high  version - 1 + 32 * (points / 55 + 32 * sequence)
 *           and ms counts from 14 hours before the day's midnight in UTC: a day of any time zone lies in the 50 hours
 *           from there. What does not fit is `points:version:ms:sequence`.
 *   last    how many ms later than the first, and the sequence, `1500.3`, where it asked for the same; else in full;
 *           empty: the same grant
 *   revoke  `ms.sequence`; the sequence is left out where it is 0
 *   turn    left out where it is 0
 *   more    JSON: [owner, gift, parts, note, day], without the nulls at its end; a sixth where the last grant's
 *             gift is another, '' for none
 * record-grants.lua knows the first two.
 */
const spanMs = 180_000_000;
const beforeMs = 50_400_000;
const pointsSpan = 55;
const partSpan = 32;
const highestPart = 922_337_202;
const lowDigits = 10;

/** From when on times in the ledger of a day count. */
export function firstMsOf(day: number): number {
  return day * dayMs - beforeMs;
}

/** A field's text in the ledger of a day, by the day's number; of what has no day, -1. */
export function factText(fact: Fact, day: number): string {
  const { first, last, revoke, turn, owner, parts, note, day: adjusted } = fact;
  const head = first ? grantText(first, day) : '';
  if (!revoke && turn === 0 && owner === null && !parts && note === null && !isRepeated(fact)) return head;
  const gift = first?.gift ?? null;
  const lastGift = !last || last.gift === gift ? null : (last.gift ?? '');
  const more: unknown[] = [owner, gift, parts, note, adjusted, lastGift];
  while (more.length > 0 && more.at(-1) === null) more.pop();
  const texts = [
    head,
    first && last && isRepeated(fact) ? lastText(last, first) : '',
    revoke ? momentText(revoke) : '',
    turn === 0 ? '' : String(turn),
    more.length > 0 ? JSON.stringify(more) : '',
  ];
  while (texts.at(-1) === '') texts.pop();
  return texts.join(';');
}

/** Reads what {@link factText} wrote; null: it did not. */
export function factIn(text: string, day: number): Fact | null {
  if (isNumber(text)) {
    const first = shortGrant(text, day);
    return { ...nothing, first, last: first };
  }
  const parts = /^([\d:-]*)(?:;([\d:.-]*)(?:;(\d*(?:\.\d+)?)(?:;(\d*)(?:;(\[[^]*\]))?)?)?)?$/.exec(text);
  if (!parts) return null;
  const [, head = '', lastly = '', revoked = '', turn = '', more = ''] = parts;
  const first = head === '' ? null : isNumber(head) ? shortGrant(head, day) : fullGrant(head);
  const [owner = null, gift = null, named = null, note = null, adjusted = null, lastGift = gift] =
    more === '' ? [] : listIn(more);
  if ((head !== '' && !first) || (lastly !== '' && !first)) return null;
  const last = lastly === '' || !first ? first : lastly.includes(':') ? fullGrant(lastly) : laterGrant(first, lastly);
  return {
    first: first && giving(first, gift),
    last: last && giving(last, lastGift),
    revoke: revoked === '' ? null : momentIn(revoked),
    turn: Number(turn),
    owner: owner as string | null,
    parts: named as Fact['parts'],
    note: note as string | null,
    day: adjusted as number | null,
  };
}

/** A moment as lists of revokes have it. */
export function momentText({ ms, sequence }: Moment): string {
  return sequence === 0 ? String(ms) : `${ms}.${sequence}`;
}

/** Reads what {@link momentText} wrote. */
export function momentIn(text: string): Moment {
  const at = text.indexOf('.');
  if (at < 0) return { ms: Number(text), sequence: 0 };
  return { ms: Number(text.slice(0, at)), sequence: Number(text.slice(at + 1)) };
}

function grantText({ points, version, ms, sequence }: Grant, day: number): string {
  const since = ms - firstMsOf(day);
  const isShort =
    day >= 0 && since >= 0 && since < spanMs && version <= partSpan && points >= 0 && points < partSpan * pointsSpan;
  const high = version - 1 + partSpan * (Math.floor(points / pointsSpan) + partSpan * sequence);
  if (!isShort || high > highestPart) return `${points}:${version}:${ms}:${sequence}`;
  const low = since + spanMs * (points % pointsSpan);
  return high === 0 ? String(low) : `${high}${String(low).padStart(lowDigits, '0')}`;
}

function lastText(last: Grant, first: Grant): string {
  if (last.points !== first.points || last.version !== first.version)
    return `${last.points}:${last.version}:${last.ms}:${last.sequence}`;
  return last.sequence === 0 ? String(last.ms - first.ms) : `${last.ms - first.ms}.${last.sequence}`;
}

function shortGrant(text: string, day: number): Grant {
  const low = Number(text.slice(-lowDigits));
  const high = Number(text.slice(0, -lowDigits));
  const since = low % spanMs;
  const more = Math.floor(high / partSpan);
  return {
    points: (low - since) / spanMs + pointsSpan * (more % partSpan),
    version: (high % partSpan) + 1,
    ms: firstMsOf(day) + since,
    sequence: Math.floor(more / partSpan),
    gift: null,
  };
}

function fullGrant(text: string): Grant | null {
  const [, points, version, ms, sequence] = /^(-?\d+):(\d+):(\d+):(\d+)$/.exec(text) ?? [];
  if (points === undefined) return null;
  return { points: Number(points), version: Number(version), ms: Number(ms), sequence: Number(sequence), gift: null };
}

function laterGrant(first: Grant, text: string): Grant {
  const { ms, sequence } = momentIn(text);
  return { ...first, ms: first.ms + ms, sequence };
}

function listIn(text: string): readonly unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return [];
  }
}

function giving(grant: Grant, gift: unknown): Grant {
  return typeof gift === 'number' ? { ...grant, gift } : grant;
}

/** Whether a text is one whole number: nearly every fact is. */
function isNumber(text: string): boolean {
  if (text.length === 0 || text.length > 19) return false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
