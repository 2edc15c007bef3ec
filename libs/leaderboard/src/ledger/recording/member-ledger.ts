import { compactDay, dayMs } from '../../time/days';
import { keys } from '../../keys/keys';
import { Period } from '../../time/period';
import { factIn, factText, join, momentIn, nothing, type Fact, type Grant, type Moment } from '../facts/fact';
import type { Laws } from '../facts/laws';
import { isPacked, packDay, unpackDay } from '../facts/old-day';
import {
  countedDays,
  givenTo,
  holdsSince,
  spanOf,
  verdicts,
  type Almanac,
  type Counted,
  type DayField,
  type Given,
  type Verdict,
} from '../facts/standing';
import { isAdjustmentField } from '../history/adjustment';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerDay, TransitionLimit } from '../model/ledger.types';
import type { BoardSet, Calendar } from '../periods/calendar';
import { pageOf } from '../pages/page-of';
import type { View } from './view';

/** In place of a fact: it lies in `always`. */
export const inAlways = '*';

/** In `always`: some ledger has what stands since a later day. */
const beyond = '>';

/** So many fields a ledger has before what others gave goes to pages: up to 128 lie in Redis' compact encoding. */
export const ledgerFields = 127;

/** A larger ledger stays a hash: a packed day is read as a whole. */
const mostPacked = 500;

/** Whose facts, and where they lie. */
export interface MemberPlace {
  readonly prefix: string;
  readonly tag: string;
  readonly member: string;
}

/** What a ledger's facts are judged by. */
export interface Judging {
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly laws: Laws;
  readonly nowMs: number;
  /** Days before this one may be packed. */
  readonly packedBefore: number;
  /** The earliest day that may lie in memory, and the latest that any host may know. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The boards on which a field of a day counts, open or not. */
export function boardsOfField(
  { calendar, laws }: Judging,
  number: number,
  name: string,
  parts: Fact['parts'],
): BoardSet {
  const day = calendar.dayNumbered(number) ?? calendar.dayOf(number * dayMs);
  const only = parts?.[''];
  return calendar.boardsOf(day, only === undefined ? laws.of(name, 1).boards : [only], parts ?? undefined);
}

/** One member's facts as they lie in Redis, and what stands of them. Reads and writes a {@link View}. */
export class MemberLedger {
  readonly oldKey: string;
  readonly alwaysKey: string;
  readonly revokesKey: string;
  /** What stands of days that limits look at together, by day. */
  private readonly judged = new Map<number, ReadonlyMap<string, Verdict>>();
  private readonly days = new Map<string, ReadonlyMap<string, string>>();
  /** By day and field, the page in which it was met: what names nobody any more lies where its former name did. */
  private readonly metIn = new Map<string, string>();
  readonly almanac: Almanac;

  constructor(
    readonly view: View,
    readonly place: MemberPlace,
    private readonly judging: Judging,
  ) {
    const { prefix, tag, member } = place;
    this.oldKey = keys.old(prefix, tag, member);
    this.alwaysKey = keys.always(prefix, tag, member);
    this.revokesKey = keys.revokes(prefix, tag, member);
    const { calendar, settings } = judging;
    this.almanac = {
      subjectOf: settings.fieldNames.subject,
      spanOf: (limit, day) => spanOf(limit, day, calendar, settings.timezone),
    };
  }

  ledgerKey(day: number): string {
    const { prefix, tag, member } = this.place;
    return keys.ledger(prefix, tag, compactDay(day), member);
  }

  pageKey(day: number, page: string): string {
    const { prefix, tag, member } = this.place;
    return keys.page(prefix, tag, compactDay(day), page, member);
  }

  crowdKey(day: number): string {
    const { prefix, tag, member } = this.place;
    return keys.crowd(prefix, tag, compactDay(day), member);
  }

  /** Whether a field's facts have no day: what counts once for ever, and adjustments. */
  isForEver(name: string, version = 1): boolean {
    return isAdjustmentField(name) || (!this.isGift(name) && this.judging.laws.of(name, version).once === Infinity);
  }

  /** Whether a day's ledger has the fact of a field itself: a rule may have counted each day by itself before. */
  isOfDay(day: number, name: string): boolean {
    const text = this.text(day, name);
    return text !== null && text !== inAlways;
  }

  /** Whether a field is what another member gave. */
  isGift(name: string): boolean {
    return this.judging.settings.fieldNames.isPaged(name);
  }

  /** The fact of a field on a day; of what has no day, its only one. */
  fact(day: number, name: string): Fact {
    const text = this.text(day, name);
    if (text === inAlways) return this.always(name);
    return text === null ? nothing : this.read(text, day, name);
  }

  /** The fact of a field that has no day. */
  always(name: string): Fact {
    const text = this.view.field(this.alwaysKey, name);
    return text === null ? nothing : this.read(text, -1, name);
  }

  /** The day of a fact that has none. */
  dayOf({ first, day }: Fact): number | null {
    if (day !== null) return day;
    return first && this.judging.calendar.dayOf(first.ms).number;
  }

  /** Every field of a day's ledger with its fact, but for what lies in pages. */
  facts(day: number): Map<string, Fact> {
    const found = new Map<string, Fact>();
    const texts = this.texts(day);
    for (const [name, text] of texts) if (text === inAlways) this.view.wantField(this.alwaysKey, name);
    for (const [name, text] of texts) {
      found.set(name, text === inAlways ? this.always(name) : this.read(text, day, name));
    }
    return found;
  }

  /** Keeps the fact of a field; of what has no day, in `always`. */
  keep(day: number, name: string, fact: Fact): void {
    this.judged.clear();
    if (this.isForEver(name, fact.last?.version) && !this.isOfDay(day, name)) {
      this.view.write(this.alwaysKey, name, factText(fact, -1));
      this.point(day, name);
    } else {
      this.write(day, name, factText(fact, day));
      if (fact.first && this.numberOf(fact.first.ms) > day) this.view.write(this.alwaysKey, beyond, '');
    }
  }

  /** Whether a ledger may have what stands since a later day: what others gave for what came back. */
  get hasBeyond(): boolean {
    return this.view.all(this.alwaysKey).has(beyond);
  }

  /** Notes in a day's ledger that the fact of a field, which has no day, has a grant of that day. */
  point(day: number, name: string): void {
    const { calendar, nowMs } = this.judging;
    const isGone = nowMs >= (calendar.dayNumbered(day)?.ledgerClosesAtMs ?? Infinity);
    if (!isGone && this.text(day, name) !== inAlways) this.write(day, name, inAlways);
  }

  /** Whether a general revoke of a later day ends a field. */
  isRevokedAfter(day: number, name: string): boolean {
    return !this.isGift(name) && this.revokes(name).some(({ ms }) => this.numberOf(ms) > day);
  }

  /** Takes back what was written since a copy was made. */
  restore(writes: View['writes']): void {
    this.judged.clear();
    this.view.writes = new Map([...writes].map(([key, fields]) => [key, new Map(fields)]));
  }

  /** Whether a field stands on a day. */
  verdict(day: number, name: string, fact = this.fact(day, name)): Verdict {
    if (this.isLimited(name, fact)) {
      return this.verdictsOf(day).get(name) ?? { since: null, points: 0, refusal: null };
    }
    const since = isAdjustmentField(name) ? fact.first : holdsSince(fact);
    return { since, points: since?.points ?? 0, refusal: null };
  }

  /** Whether any limit has a say in what stands of a field. */
  isLimited(name: string, { first, last }: Fact): boolean {
    if (!first || !last || isAdjustmentField(name) || this.isGift(name)) return false;
    const { laws } = this.judging;
    return laws.of(name, first.version).limits.length > 0 || laws.of(name, last.version).limits.length > 0;
  }

  /** What a field comes to on a day; null: nothing counts. */
  counted(day: number, name: string): Counted | null {
    const fact = this.fact(day, name);
    const since = fact.last ?? fact.first;
    if (!since) return null;
    if (this.isForEver(name, since.version)) {
      const verdict = this.dayOf(fact) === day ? this.verdict(day, name, fact) : null;
      const counted = verdict?.since ? countedOf(verdict, verdict.since) : null;
      // An adjustment that takes points has no moment: to lose points costs nobody an earlier one.
      return counted && counted.points < 0 && isAdjustmentField(name) ? { ...counted, sinceMs: 0 } : counted;
    }
    const { once } = this.isGift(name) ? { once: 1 } : this.judging.laws.of(name, since.version);
    const days = once === 1 ? [day] : this.daysOf(name);
    const revoked = this.isGift(name) ? [] : this.revokes(name).map(({ ms }) => this.numberOf(ms));
    const standing = days.map((number) => ({ day: number, verdict: this.verdict(number, name) }));
    return countedDays(standing, revoked, once).get(day) ?? null;
  }

  /** The general revokes of a field, of each day the latest. */
  revokes(name: string): Moment[] {
    const text = this.view.field(this.revokesKey, name) ?? '';
    const moments = text === '' ? [] : text.split(',').map(momentIn);
    if (moments.every(({ ms }) => Number.isSafeInteger(ms))) return moments;
    throw new Error(`The revokes of "${name}" cannot be read.`);
  }

  /** Every day on which there is a fact of a field, the earliest first. */
  daysOf(name: string): number[] {
    const found = new Set<number>();
    for (const part of this.view.span(name).split(' ')) if (part !== '') found.add(Number(part));
    for (const day of this.written(name)) found.add(day);
    return [...found].sort((a, b) => a - b);
  }

  /** The days of all fields that limits look at together with those of a day, with what stands of them. */
  together(day: number): readonly number[] {
    return [...new Set(this.linked([day]).map((field) => field.day))];
  }

  /** What stands of the limited fields of a day. */
  verdictsOf(day: number): ReadonlyMap<string, Verdict> {
    const known = this.judged.get(day);
    if (known) return known;
    const byDay = new Map<number, Map<string, Verdict>>([[day, new Map<string, Verdict>()]]);
    for (const [field, verdict] of verdicts(this.linked([day]), this.judging.laws, this.almanac)) {
      const ofDay = byDay.get(field.day) ?? new Map<string, Verdict>();
      byDay.set(field.day, ofDay.set(field.name, verdict));
    }
    for (const [number, found] of byDay) this.judged.set(number, found);
    return this.judged.get(day) as ReadonlyMap<string, Verdict>;
  }

  /** All that was given by a moment, as far as these limits may count it, the earliest first. */
  givenBy(limits: readonly TransitionLimit[], atMs: number): readonly Given[] {
    const day = this.numberOf(atMs);
    const days = new Set([day]);
    for (const limit of limits) for (const number of this.reach(limit, atMs, day)) days.add(number);
    this.wantDays([...days]);
    const given = givenTo(this.linked([...days]), this.judging.laws, this.almanac);
    return given.filter(({ grant }) => grant.ms <= atMs);
  }

  /** The hash into which this call writes a field of a day; null: into none. */
  writtenKey(day: number, name: string): string | null {
    const possible = [
      this.alwaysKey,
      this.ledgerKey(day),
      ...(this.isGift(name) ? [this.pageKey(day, pageOf(name))] : []),
    ];
    const isOld = this.view.writes.get(this.oldKey)?.has(String(day)) === true;
    return possible.find((key) => this.view.writes.get(key)?.has(name)) ?? (isOld ? this.ledgerKey(day) : null);
  }

  /** What changes of fields that lie in pages do to their totals, and to the latest moment of each page. */
  pageTotals(
    changes: readonly {
      readonly day: number;
      readonly name: string;
      readonly before: Counted | null;
      readonly after: Counted | null;
    }[],
  ) {
    return changes.flatMap(({ day, name, before, after }) => {
      const page = this.isGift(name) ? pageOf(name) : null;
      if (page === null || !this.view.writes.get(this.pageKey(day, page))?.has(name)) return [];
      const key = this.crowdKey(day);
      const [, beginning = ''] = /^([^:]*:[^:]*:)/.exec(name) ?? [];
      const totals = [before, after].flatMap((one, i) => {
        if (!one) return [];
        const sign = i === 0 ? -1 : 1;
        const of = `${one.version}${beginning}`;
        return [[key, `=${of}`, sign] as const, [key, `+${of}`, sign * one.points] as const];
      });
      const highest = after ? [[key, `@${page}`, after.sinceMs] as const] : [];
      return [{ key, totals, highest, expireAtMs: this.judging.calendar.dayNumbered(day)?.ledgerExpireAtMs ?? 0 }];
    });
  }

  /** Every fact that has no day. */
  *allAlways(): Generator<[name: string, fact: Fact]> {
    for (const [name, text] of this.view.all(this.alwaysKey)) {
      if (!name.startsWith('#') && name !== beyond) yield [name, this.read(text, -1, name)];
    }
  }

  /** The days that are packed, or are in memory past their time, the earliest first. */
  oldDays(): number[] {
    return [...this.view.all(this.oldKey).keys()].map(Number).sort((a, b) => a - b);
  }

  /**
   * Packs the ledger of a day in memory, whose hash goes then; one that is too large stays, and is noted. Returns
   * whether there was one to be packed.
   */
  pack(day: number): boolean {
    const texts = this.texts(day);
    const known = this.view.field(this.oldKey, String(day));
    const inMemory = this.view.all(this.ledgerKey(day));
    if (inMemory.size === 0) return false;
    if (texts.size > mostPacked) {
      if (known === null) this.view.write(this.oldKey, String(day), compactDay(day));
      return false;
    }
    this.view.write(this.oldKey, String(day), packDay(texts));
    for (const name of inMemory.keys()) this.view.write(this.ledgerKey(day), name, null);
    return true;
  }

  /** The days from one to another of which there may be a ledger, the earliest first. */
  daysBetween(first: number, last: number): number[] {
    const { firstDay, lastDay } = this.judging;
    const found = new Set(first < firstDay ? this.oldDays().filter((day) => day >= first && day <= last) : []);
    for (let day = Math.max(first, firstDay); day <= Math.min(last, lastDay); day += 1) found.add(day);
    return [...found].sort((a, b) => a - b);
  }

  /** What lies in the pages of a crowded day, added up. */
  totals(day: number): NonNullable<LedgerDay['totals']> {
    if (this.texts(day).size < ledgerFields) return [];
    const crowd = this.view.all(this.crowdKey(day));
    return [...crowd].flatMap(([field, grants]) => {
      const [, version, beginning] = /^=(\d+)([^]*)$/.exec(field) ?? [];
      if (version === undefined || beginning === undefined || grants === '0') return [];
      const points = Number(crowd.get(`+${version}${beginning}`) ?? 0);
      return [{ beginning, version: Number(version), grants: Number(grants), points }];
    });
  }

  /** Wants what has no day, and what old days there are. */
  wantAlways(): void {
    for (const key of [this.alwaysKey, this.revokesKey, this.oldKey]) this.view.wantAll(key);
  }

  /** Whether it is known that there is nothing of a day. */
  isGone(day: number): boolean {
    const { wholes } = this.view;
    return wholes.get(this.ledgerKey(day))?.digest === '' && wholes.get(this.oldKey)?.fields.has(String(day)) === false;
  }

  /** Every field of a day with its fact, those in pages too. */
  everyFact(day: number): [name: string, fact: Fact][] {
    const facts = [...this.facts(day)];
    if (facts.length < ledgerFields) return facts;
    for (const field of this.view.all(this.crowdKey(day)).keys()) {
      if (field.startsWith('@')) this.view.wantAll(this.pageKey(day, field.slice(1)));
    }
    return facts.concat(...[...this.pagesLaterThan(day, () => -1)].map((page) => [...page]));
  }

  /** Wants a field of a day, before anything asks for it in turn. */
  wantFact(day: number, name: string): void {
    if (this.mayBePacked(day)) this.wantDays([day]);
    else this.view.wantField(this.ledgerKey(day), name);
    if (this.isGift(name)) this.view.wantField(this.pageKey(day, pageOf(name)), name);
  }

  /** Wants the ledgers of days, before they are asked for in turn. */
  wantDays(days: readonly number[]): void {
    for (const day of days) {
      this.view.wantAll(this.ledgerKey(day));
      if (this.mayBePacked(day)) this.view.wantField(this.oldKey, String(day));
    }
  }

  /** The pages of a crowded day, those with later moments first, as long as they may have any after a moment. */
  *pagesLaterThan(day: number, latestMs: () => number): Generator<Map<string, Fact>> {
    if (this.texts(day).size < ledgerFields) return;
    const pages: [page: string, ms: number][] = [];
    for (const [field, ms] of this.view.all(this.crowdKey(day)))
      if (field.startsWith('@')) pages.push([field.slice(1), Number(ms)]);
    for (const [page, ms] of pages.sort((a, b) => b[1] - a[1])) {
      if (ms <= latestMs()) return;
      const facts = new Map<string, Fact>();
      for (const [name, text] of this.view.all(this.pageKey(day, page))) {
        facts.set(name, this.read(text, day, name));
        this.metIn.set(`${day} ${name}`, page);
      }
      yield facts;
    }
  }

  /** Wants all that tells on which days a field counts, before anything asks for it in turn. */
  wantRevokes(names: Iterable<string>): void {
    for (const name of names)
      if (!this.isGift(name) && !isAdjustmentField(name)) this.view.wantField(this.revokesKey, name);
  }

  /** A field's text in the ledger of a day, wherever it lies. */
  private text(day: number, name: string): string | null {
    if (this.mayBePacked(day)) return this.texts(day).get(name) ?? this.pageText(day, name);
    if (!this.isGift(name)) return this.view.field(this.ledgerKey(day), name);
    this.view.wantField(this.pageKey(day, pageOf(name)), name);
    return this.view.field(this.ledgerKey(day), name) ?? this.pageText(day, name);
  }

  private pageText(day: number, name: string): string | null {
    if (!this.isGift(name)) return null;
    return this.view.field(this.pageKey(day, this.metIn.get(`${day} ${name}`) ?? pageOf(name)), name);
  }

  private texts(day: number): ReadonlyMap<string, string> {
    if (!this.mayBePacked(day)) return this.view.all(this.ledgerKey(day));
    this.view.wantAll(this.ledgerKey(day));
    const packed = this.view.field(this.oldKey, String(day));
    const inMemory = this.view.all(this.ledgerKey(day));
    if (!isPacked(packed)) return inMemory;
    if (inMemory.size === 0) return this.unpacked(packed);
    const texts = new Map(this.unpacked(packed));
    for (const [name, text] of inMemory) {
      const before = texts.get(name);
      const isBoth = before !== undefined && text !== inAlways && before !== inAlways;
      texts.set(name, isBoth ? factText(join(this.read(before, day, name), this.read(text, day, name)), day) : text);
    }
    return texts;
  }

  private write(day: number, name: string, text: string): void {
    const packed = this.mayBePacked(day) ? this.view.field(this.oldKey, String(day)) : '';
    if (isPacked(packed)) {
      const texts = new Map(this.unpacked(packed));
      if (!texts.has(name) && this.pageText(day, name) !== null) {
        this.view.write(this.pageKey(day, pageOf(name)), name, text);
        return;
      }
      const after = packDay(texts.set(name, text));
      this.days.set(after, texts);
      this.view.write(this.oldKey, String(day), after);
      return;
    }
    this.view.write(this.hashFor(day, name), name, text);
    if (packed === null) this.view.write(this.oldKey, String(day), compactDay(day));
  }

  /** The hash in which a field of a day in memory lies, or is to lie. */
  private hashFor(day: number, name: string): string {
    const ledger = this.ledgerKey(day);
    if (!this.isGift(name) || this.view.field(ledger, name) !== null) return ledger;
    const page = this.pageKey(day, pageOf(name));
    if (this.view.field(page, name) !== null) return page;
    return this.view.size(ledger) < ledgerFields ? ledger : page;
  }

  /** The fields of a packed day. They are asked for again and again. */
  private unpacked(packed: string): ReadonlyMap<string, string> {
    const texts = this.days.get(packed) ?? unpackDay(packed);
    this.days.set(packed, texts);
    return texts;
  }

  private mayBePacked(day: number): boolean {
    return day < this.judging.packedBefore;
  }

  private read(text: string, day: number, name: string): Fact {
    const fact = factIn(text, day);
    if (fact) return fact;
    throw new Error(`The field "${name}" of ${day < 0 ? this.alwaysKey : this.ledgerKey(day)} cannot be read.`);
  }

  private numberOf(ms: number): number {
    return this.judging.calendar.dayOf(ms).number;
  }

  /** The days on which this call writes a field. */
  private *written(name: string): Generator<number> {
    const stem = this.ledgerKey(0);
    const [before = '', after = ''] = [
      stem.slice(0, stem.indexOf('19700101')),
      stem.slice(stem.indexOf('19700101') + 8),
    ];
    for (const [key, fields] of this.view.writes) {
      if (!fields.has(name) || !key.startsWith(before) || !key.endsWith(after)) continue;
      const day = key.slice(before.length, before.length + 8);
      yield Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`) / 86_400_000;
    }
    for (const [day, text] of this.view.writes.get(this.oldKey) ?? []) {
      if (isPacked(text) && unpackDay(text).has(name)) yield Number(day);
    }
  }

  /**
   * All fields of the days whose limits look at one another, from some days on: those of one period of a limit, and
   * those that lie in one window.
   */
  linked(from: readonly number[]): DayField[] {
    const days = new Map<number, DayField[]>();
    const add = (number: number) => {
      if (!days.has(number)) days.set(number, this.fieldsOf(number));
    };
    from.forEach(add);
    for (let size = 0; size < days.size;) {
      size = days.size;
      for (const number of this.beside([...days.values()].flat(), days)) {
        add(number);
        this.elsewhere(number, days).forEach(add);
      }
    }
    return [...days.values()].flat();
  }

  /** The days of facts without a day that lie in the ledger of a day by another grant. */
  private elsewhere(number: number, days: ReadonlyMap<number, unknown>): number[] {
    const found: number[] = [];
    for (const [name, text] of this.texts(number)) {
      const own = text === inAlways && !isAdjustmentField(name) ? this.dayOf(this.always(name)) : null;
      if (own !== null && !days.has(own)) found.push(own);
    }
    return found;
  }

  /** The days that limits of these fields look at, beside those that are known. */
  private beside(fields: readonly DayField[], known: ReadonlyMap<number, unknown>): number[] {
    const found = new Set<number>();
    for (const { name, day, fact } of fields) {
      for (const grant of [fact.first, fact.last]) {
        for (const limit of grant ? this.judging.laws.of(name, grant.version).limits : []) {
          for (const number of this.reach(limit, (grant as Grant).ms, day)) if (!known.has(number)) found.add(number);
        }
      }
    }
    for (const day of found) this.view.wantAll(this.ledgerKey(day));
    return [...found];
  }

  /** The days at which a limit of a grant looks beside its own. */
  private *reach(limit: TransitionLimit, ms: number, day: number): Generator<number> {
    const { firstDay, lastDay } = this.judging;
    const isDaily = limit.type === 'daily';
    const span = !isDaily
      ? [this.numberOf(Math.max(0, ms - limit.windowMs + 1)), this.numberOf(ms + limit.windowMs - 1)]
      : limit.period && this.spanDays(limit.period, day);
    if (!span) return;
    const [from = 0, to = 0] = span;
    for (let number = Math.max(from, firstDay); number <= Math.min(to, lastDay); number += 1) yield number;
  }

  private spanDays(spec: Parameters<typeof Period.find>[0], number: number): [number, number] | null {
    const day = this.judging.calendar.dayNumbered(number);
    if (!day) return null;
    const period = Period.find(spec, new Date(day.startMs), this.judging.settings.timezone);
    if (!(period instanceof Period)) return null;
    const last = period.end ? this.numberOf(period.end.getTime() - 1) : this.judging.lastDay;
    return [this.numberOf(period.start.getTime()), last];
  }

  /** The fields of a day that may try: none that others gave, no adjustments. */
  private fieldsOf(day: number): DayField[] {
    const found: DayField[] = [];
    for (const [name, fact] of this.facts(day)) {
      if (this.isGift(name) || isAdjustmentField(name)) continue;
      if (this.isForEver(name, fact.last?.version) && this.dayOf(fact) !== day) continue;
      found.push({ day, name, fact });
    }
    return found;
  }
}

function countedOf(verdict: Verdict, { ms, version }: NonNullable<Verdict['since']>): Counted {
  return { points: verdict.points, sinceMs: ms, version };
}
