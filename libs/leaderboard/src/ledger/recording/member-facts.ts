import { compactDay } from '../../time/days';
import { keys } from '../../keys/keys';
import { cached } from '../../lists/lists';
import { factIn, factText, join, momentIn, nothing, type Fact, type HeldPart, type Moment } from '../facts/fact';
import { scripts } from '../../scripts/scripts.generated';
import { escaped, isPacked, packDay, unpackDay } from '../facts/old-day';
import type { DayField } from '../facts/standing';
import { isAdjustmentField } from '../facts/adjustment';
import type { LedgerDay } from '../model/ledger.types';
import { pageOf } from '../pages/page-of';
import { termsIn } from '../settings/terms';
import { daysText, stemOf, type Judging } from './reading';
import { eachTogether, notRead, View } from './view';

/** In place of a fact: it lies in `always`. */
export const inAlways = '*';

/** In `always`: some ledger has what stands since a later day. */
const beyond = '>';

/** In `always`: what is held back. */
export const heldBack = '!';

/** So many fields a ledger has before what others gave goes to pages: up to 128 lie in Redis' compact encoding. */
export const ledgerFields = 127;

/** A larger ledger stays a hash: a packed day is read as a whole. */
const mostPacked = 500;

/** A fact with the text that was read as it. */
interface KnownFact {
  readonly text: string;
  readonly fact: Fact;
}

/** Where one member's facts lie: in ledgers of days, in pages, packed, or for ever. Reads and writes a {@link View}. */
export class MemberFacts {
  readonly oldKey: string;
  readonly alwaysKey: string;
  readonly revokesKey: string;
  readonly holdingKey: string;
  private readonly ledgerKeys = new Map<number, string>();
  private readonly days = new Map<string, ReadonlyMap<string, string>>();
  /** Of each day the facts that were read, by their fields: they are asked for again and again. */
  private readonly known = new Map<number, Map<string, KnownFact[]>>();
  /** By field, the days on which it was written, taken back since or not. */
  private readonly writtenDays = new Map<string, Set<number>>();

  readonly view: View;

  constructor(
    readonly member: string,
    readonly judging: Judging,
    /** Tells which keys are there, to all members of a call: frozen boards, and what anybody is held back by. */
    readonly marks: View['marks'],
  ) {
    const { tag, settings, firstDay } = judging;
    const { prefix } = settings;
    this.oldKey = keys.old(prefix, tag, member);
    this.alwaysKey = keys.always(prefix, tag, member);
    this.revokesKey = keys.revokes(prefix, tag, member);
    this.holdingKey = keys.holding(prefix, tag);
    this.view = new View(member, (name) => {
      const args = [stemOf(prefix, tag), member, daysText(judging), firstDay, name, escaped(name)];
      return ['evalsha', scripts.readFieldDays.sha1, 1, this.oldKey, ...args];
    });
  }

  ledgerKey(day: number): string {
    const { settings, tag } = this.judging;
    return cached(this.ledgerKeys, day, () => keys.ledger(settings.prefix, tag, compactDay(day), this.member));
  }

  pageKey(day: number, page: string): string {
    const { settings, tag } = this.judging;
    return keys.page(settings.prefix, tag, compactDay(day), page, this.member);
  }

  crowdKey(day: number): string {
    const { settings, tag } = this.judging;
    return keys.crowd(settings.prefix, tag, compactDay(day), this.member);
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

  /** Whether a field is the member's own doing: neither an adjustment nor what another gave. */
  isOwn(name: string): boolean {
    return !isAdjustmentField(name) && !this.isGift(name);
  }

  /** The fact of a field on a day; of what has no day, its only one. */
  fact(day: number, name: string): Fact {
    // A ledger that told so may be gone.
    const text = this.text(day, name) ?? (this.isForEver(name) ? inAlways : null);
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
    eachTogether(this.texts(day), ([name, text]) => {
      found.set(name, text === inAlways ? this.always(name) : this.read(text, day, name));
    });
    return found;
  }

  /** Keeps the fact of a field; of what has no day, in `always`. */
  keep(day: number, name: string, fact: Fact): void {
    if (this.isForEver(name, fact.last?.version) && !this.isOfDay(day, name)) {
      this.view.write(this.alwaysKey, name, factText(fact, -1));
      this.point(day, name);
    } else {
      this.write(day, name, factText(fact, day));
      if (fact.first && this.numberOf(fact.first.ms) > day) this.view.write(this.alwaysKey, beyond, '');
    }
  }

  /** Notes in a day's ledger that the fact of a field, which has no day, has a grant of that day. */
  point(day: number, name: string): void {
    const { calendar, nowMs } = this.judging;
    const isGone = nowMs >= (calendar.dayNumbered(day)?.ledgerClosesAtMs ?? Infinity);
    if (!isGone && this.text(day, name) !== inAlways) this.write(day, name, inAlways);
  }

  /** Whether a ledger may have what stands since a later day: what others gave for what came back. */
  get hasBeyond(): boolean {
    return this.view.all(this.alwaysKey).has(beyond);
  }

  /** By their ids, what holds hold back; null: released, for good. */
  get holds(): Map<string, readonly HeldPart[] | null> {
    const text = this.view.field(this.alwaysKey, heldBack) ?? '[]';
    return new Map(JSON.parse(text) as [string, HeldPart[] | null][]);
  }

  /** All that is held back, where anybody's is. */
  get heldParts(): readonly HeldPart[] {
    const isChanged = this.view.writes.get(this.alwaysKey)?.has(heldBack) === true;
    const isAnyHeld = isChanged || this.marks.of(this.holdingKey);
    // A commit by what is read expects it, too.
    if (!isChanged) this.view.marks.set(this.holdingKey, isAnyHeld);
    if (!isAnyHeld || this.view.field(this.alwaysKey, heldBack) === null) return [];
    return [...this.holds.values()].flatMap((parts) => parts ?? []);
  }

  keepHold(id: string, parts: readonly HeldPart[] | null): void {
    this.view.write(this.alwaysKey, heldBack, JSON.stringify([...this.holds.set(id, parts)]));
  }

  /** The general revokes of a field, of each day the latest. */
  revokes(name: string): Moment[] {
    const text = this.view.field(this.revokesKey, name) ?? '';
    const moments = text === '' ? [] : text.split(',').map(momentIn);
    if (moments.every(({ ms }) => Number.isSafeInteger(ms))) return moments;
    throw new Error(`The revokes of "${name}" cannot be read.`);
  }

  /** Every day on which there is a fact of a field, the earliest first; perhaps days more, on which there is none. */
  daysOf(name: string): number[] {
    const stored = this.view.spans.of(name).split(' ').filter(Boolean).map(Number);
    return [...new Set([...stored, ...(this.writtenDays.get(name) ?? [])])].sort((a, b) => a - b);
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

  /** Every fact that has no day. */
  *allAlways(): Generator<[name: string, fact: Fact]> {
    for (const [name, text] of this.view.all(this.alwaysKey)) {
      if (!name.startsWith('#') && name !== beyond && name !== heldBack) yield [name, this.read(text, -1, name)];
    }
  }

  /** The facts without a day that count on one before this one: they may stand since a later one. */
  countedBefore(first: number): DayField[] {
    return [...this.allAlways()].flatMap(([name, fact]) => {
      const day = this.dayOf(fact) ?? first;
      return day < first ? { day, name, fact } : [];
    });
  }

  /** The days that are packed, or are in memory past their time, the earliest first. */
  oldDays(): number[] {
    return [...this.view.all(this.oldKey).keys()].map(Number).sort((a, b) => a - b);
  }

  /** Packs a day's ledger in memory, or notes one that is too large. Returns whether there was one to be packed. */
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
    const isOld = (day: number) => day >= first && day < firstDay && day <= last;
    const found = first < firstDay ? this.oldDays().filter(isOld) : [];
    for (let day = Math.max(first, firstDay); day <= Math.min(last, lastDay); day += 1) found.push(day);
    return found;
  }

  /** The totals of a crowded day's pages. */
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
    const [{ hashes }, own] = [this.view, this.ledgerKey(day)];
    const isKnown = hashes.get(own)?.size === 0 && hashes.has(this.oldKey);
    return isKnown && this.view.all(own).size === 0 && !this.view.all(this.oldKey).has(String(day));
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

  protected texts(day: number): ReadonlyMap<string, string> {
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

  protected numberOf(ms: number): number {
    return this.judging.calendar.dayOf(ms).number;
  }

  /** The same object for the same text. */
  protected read(text: string, day: number, name: string): Fact {
    const facts = cached(this.known, day, () => new Map<string, KnownFact[]>(), Infinity);
    const known = cached(facts, name, (): KnownFact[] => [], Infinity);
    for (const one of known) if (one.text === text) return one.fact;
    const fact = factIn(text, day);
    if (fact) {
      this.learnOf(fact);
      known.push({ text, fact });
      return fact;
    }
    throw new Error(`The field "${name}" of ${day < 0 ? this.alwaysKey : this.ledgerKey(day)} cannot be read.`);
  }

  /** Reads rules that another process has put in force: their grants are not judged by others. */
  private learnOf({ first, last }: Fact): void {
    const { laws, settings } = this.judging;
    const { version } = [first, last].find((grant) => grant && laws.knows?.(grant.version) === false) ?? {};
    if (version === undefined) return;
    this.view.want(['hget', keys.terms(settings.prefix), String(version)], (stored) =>
      laws.learn?.(version, typeof stored === 'string' ? termsIn(version, stored).text : null),
    );
    throw notRead;
  }

  /** A field's text in the ledger of a day, wherever it lies. */
  private text(day: number, name: string): string | null {
    const text = this.mayBePacked(day) ? this.texts(day).get(name) : this.view.field(this.ledgerKey(day), name);
    return text ?? this.pageText(day, name);
  }

  private pageText(day: number, name: string): string | null {
    return this.isGift(name) ? this.view.field(this.pageKey(day, pageOf(name)), name) : null;
  }

  private write(day: number, name: string, text: string): void {
    cached(this.writtenDays, name, () => new Set<number>(), Infinity).add(day);
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
    return cached(this.days, packed, () => unpackDay(packed));
  }

  private mayBePacked(day: number): boolean {
    return day < this.judging.packedBefore;
  }
}
