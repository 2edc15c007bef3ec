import { keys } from '../../keys/keys';
import { dayMs } from '../../time/days';
import { heldForGood, type Fact, type Grant, type HeldPart, type Moment } from '../facts/fact';
import type { TransitionLimit } from '../facts/laws';
import { countedDays, Counts, holdsSince, tried, type Counted, type DayField, type Verdict } from '../facts/standing';
import { isAdjustmentField, partsFor } from '../facts/adjustment';
import type { BoardSet } from '../periods/calendar';
import type { LedgerContext } from '../periods/ledger-context';
import { sha1 } from './commit';
import { inAlways, ledgerFields, MemberFacts } from './member-facts';
import { judgingAt, readFor } from './reading';
import { eachTogether, View } from './view';

/** What stands by what is written at some moment, as far as it was asked for, by day. */
class Standing {
  readonly linked = new Map<number, readonly DayField[]>();
  /** Days that are linked have the same. */
  readonly judged = new Map<number, ReturnType<typeof tried>>();
}

/** One member's facts, and what stands of them. */
export class MemberLedger extends MemberFacts {
  private standing = new Standing();
  /** Of facts that may try, the fields whose they are; null: nothing limits them. */
  private tries = new WeakMap<Fact, DayField | null>();

  /** The facts written by now, with their standing as far as it was asked for. */
  save() {
    return { writeCount: this.view.writeCount, standing: this.standing };
  }

  /** Takes back what was written since. */
  restore({ writeCount, standing }: ReturnType<MemberLedger['save']>): void {
    this.view.undoTo(writeCount);
    this.standing = standing;
  }

  begin(): void {
    this.tries = new WeakMap();
    this.restore({ writeCount: 0, standing: new Standing() });
  }

  /** Keeps a fact, by which something else may stand. */
  override keep(day: number, name: string, fact: Fact): void {
    this.standing = new Standing();
    super.keep(day, name, fact);
  }

  /** Keeps of a fact what changes nothing that stands: what has no day tries on its own, whichever day asks for it. */
  keepAsItStands(day: number, name: string, fact: Fact): void {
    const field = this.tries.get(this.fact(day, name));
    super.keep(day, name, fact);
    if (field !== undefined) this.tries.set(this.fact(day, name), field);
  }

  /** The boards on which a field of a day counts since a moment, open or not. */
  boardsOf(number: number, name: string, parts: Fact['parts'], sinceMs: number): BoardSet {
    const { calendar, laws, settings } = this.judging;
    const day = calendar.dayNumbered(number) ?? calendar.dayOf(number * dayMs);
    const only = parts?.[''];
    // The board that an adjustment names may be no more.
    const names = only === undefined ? laws.of(name, 1).boards : settings.boardNames.filter((one) => one === only);
    // An adjustment that takes points stands since no moment, but was made at one.
    const made = isAdjustmentField(name) ? this.fact(number, name).first : null;
    return calendar.boardsOf(day, made?.ms ?? sinceMs, names, partsFor(name, parts));
  }

  /** The fact that a grant or revoke of a day concerns: of what counts once for ever its only one. */
  factOf(day: number, name: string, version: number): { readonly fact: Fact; readonly isForEver: boolean } {
    const isForEver = this.isForEver(name, version) && !this.isOfDay(day, name);
    return { isForEver, fact: isForEver ? this.always(name) : this.fact(day, name) };
  }

  /** Whether a field stands on a day. */
  verdict(day: number, name: string, fact = this.fact(day, name)): Verdict {
    if (this.isLimited(name, fact)) {
      const field = this.tryOf(day, name, fact);
      return (field && this.triedOn(day).found.get(field)) ?? { since: null, points: 0, refusal: null };
    }
    const since = isAdjustmentField(name) ? fact.first : holdsSince(fact);
    return { since, points: since?.points ?? 0, refusal: null };
  }

  /** Whether any limit has a say in what stands of a field. */
  isLimited(name: string, { first, last }: Fact): boolean {
    if (!first || !last || !this.isOwn(name)) return false;
    const { laws } = this.judging;
    return laws.of(name, first.version).limits.length > 0 || laws.of(name, last.version).limits.length > 0;
  }

  /** A field's standing on a day; null: nothing counts, or it is held back. */
  counted(day: number, name: string): Counted | null {
    return this.held(day, name) ? null : this.unheld(day, name);
  }

  /** What would count of a field of the member's own, if these parts of holds did not hold it back. */
  held(day: number, name: string, parts: readonly HeldPart[] = this.heldParts): Counted | null {
    const counted = parts.length === 0 || !this.isOwn(name) ? null : this.unheld(day, name);
    if (!counted) return null;
    const { settings, calendar } = this.judging;
    const [long, digest, startMs] = [settings.fieldNames.long(name), sha1(name), calendar.dayNumbered(day)?.startMs];
    const isHeld = ([of, fromMs, untilMs]: HeldPart) =>
      untilMs === heldForGood
        ? counted.sinceMs >= fromMs && long.startsWith(of)
        : of === digest && (startMs === fromMs || this.isForEver(name, counted.version));
    return parts.some(isHeld) ? counted : null;
  }

  /** A field's standing as if nothing were held back: a hold frees no place under a limit. */
  private unheld(day: number, name: string): Counted | null {
    const fact = this.fact(day, name);
    const since = fact.last ?? fact.first;
    if (!since) return null;
    if (this.isForEver(name, since.version)) {
      const own = this.dayOf(fact) === day ? [{ day, verdict: this.verdict(day, name, fact) }] : [];
      const counted = countedDays(own, [], 1).get(day) ?? null;
      // An adjustment that takes points has no moment: to lose points costs nobody an earlier one.
      return counted && counted.points < 0 && isAdjustmentField(name) ? { ...counted, sinceMs: 0 } : counted;
    }
    const { once } = this.isGift(name) ? { once: 1 } : this.judging.laws.of(name, since.version);
    const days = once === 1 ? [day] : this.daysOf(name);
    const revoked = this.revokesAfter(days[0] ?? day, name).map(({ ms }) => this.numberOf(ms));
    const standing = days.map((number) => ({ day: number, verdict: this.verdict(number, name) }));
    return countedDays(standing, revoked, once).get(day) ?? null;
  }

  /** The general revokes of a field on later days: of the latest day there are none to be read. */
  revokesAfter(day: number, name: string): Moment[] {
    return this.isRevocable(day, name) ? this.revokes(name).filter(({ ms }) => this.numberOf(ms) > day) : [];
  }

  /** The days of all fields that limits look at together with those of a day, with what stands of them. */
  together(day: number): readonly number[] {
    return [...new Set(this.linked([day]).map((field) => field.day))];
  }

  /** What stands of the limited fields of a day and of those linked with it, and what was given. */
  triedOn(day: number): ReturnType<typeof tried> {
    const known = this.standing.judged.get(day);
    if (known) return known;
    const result = tried(this.linked([day]), this.judging.laws, this.judging.almanac);
    for (const number of [day, ...this.together(day)]) this.standing.judged.set(number, result);
    return result;
  }

  /** The counts of these limits at a moment. */
  countsAt(limits: readonly TransitionLimit[], atMs: number): Counts {
    const day = this.numberOf(atMs);
    const days = [day, ...limits.flatMap((limit) => this.daysBetween(...this.reach(limit, atMs, day)))];
    const counts = new Counts(this.judging.almanac);
    const { given } = tried(this.linked(days), this.judging.laws, this.judging.almanac);
    for (const one of given) if (one.grant.ms <= atMs) counts.given.push(one);
    return counts;
  }

  /** Every field of a day with its fact, those in pages too. */
  everyFact(day: number): [name: string, fact: Fact][] {
    const facts = [...this.facts(day)];
    if (facts.length < ledgerFields) return facts;
    return facts.concat(...[...this.pagesLaterThan(day, () => -1)].map((page) => [...page]));
  }

  /** The pages of a crowded day, those with later moments first, as long as they may have any after a moment. */
  *pagesLaterThan(day: number, latestMs: () => number): Generator<Map<string, Fact>> {
    if (this.texts(day).size < ledgerFields) return;
    const pages: [page: string, ms: number][] = [];
    for (const [field, ms] of this.view.all(this.crowdKey(day)))
      if (field.startsWith('@')) pages.push([field.slice(1), Number(ms)]);
    for (const [i, [page, ms]] of pages.sort((a, b) => b[1] - a[1]).entries()) {
      if (ms <= latestMs()) return;
      // As many at once as were read before, and one more.
      if (!this.view.hashes.has(this.pageKey(day, page)))
        for (const [next, at] of pages.slice(i, 2 * i + 1))
          if (at > latestMs()) this.view.wantAll(this.pageKey(day, next));
      const facts = new Map<string, Fact>();
      for (const [name, text] of this.view.all(this.pageKey(day, page))) facts.set(name, this.read(text, day, name));
      // An ended field leaves its moment behind: the next search need not read the page for it again.
      const own = Math.max(0, ...[...facts.keys()].map((name) => this.counted(day, name)?.sinceMs ?? 0));
      if (own < ms) this.view.write(this.crowdKey(day), `@${page}`, String(own));
      yield facts;
    }
  }

  /** Wants days with the general revokes of their fields: two round trips, however many days. */
  wantWithRevokes(days: readonly number[]): void {
    this.wantDays(days);
    for (const day of days)
      for (const name of this.texts(day).keys())
        if (this.isRevocable(day, name)) this.view.wantField(this.revokesKey, name);
  }

  /** Whether a general revoke of a later day may end a field. */
  private isRevocable(day: number, name: string): boolean {
    return day < this.judging.lastDay && this.isOwn(name);
  }

  /** All fields of days whose limits look at one another, by one period of a limit or one window, from some days on. */
  linked(from: readonly number[]): readonly DayField[] {
    const [only = 0] = from;
    const known = from.length === 1 ? this.standing.linked.get(only) : undefined;
    if (known) return known;
    const days = new Map<number, DayField[]>();
    for (let open = new Set(from); open.size > 0;) {
      this.wantDays([...open]);
      const next: number[] = [];
      for (const number of open) {
        const own = this.fieldsOf(number, next);
        days.set(number, own);
        this.lookBeside(own, next);
      }
      open = new Set(next.filter((number) => !days.has(number)));
    }
    const fields = [...days.values()].flat();
    if (from.length === 1) this.standing.linked.set(only, fields);
    return fields;
  }

  /** Adds the days that limits of a day's fields look at. */
  private lookBeside(fields: readonly DayField[], found: number[]): void {
    const spans = new Set<string>();
    for (const { name, day, fact } of fields) {
      for (const grant of fact.first === fact.last ? [fact.first] : [fact.first, fact.last]) {
        for (const limit of grant ? this.judging.laws.of(name, grant.version).limits : []) {
          const [first, last] = this.reach(limit, (grant as Grant).ms, day);
          if (first === day && last === day) continue;
          const span = `${first} ${last}`;
          if (!spans.has(span)) found.push(...this.daysBetween(first, last));
          spans.add(span);
        }
      }
    }
  }

  /** The first and the last day at which a limit of a grant looks. */
  private reach(limit: TransitionLimit, ms: number, day: number): readonly [number, number] {
    if (limit.type === 'daily') {
      const span = limit.period && this.judging.calendar.spanOf(limit.period, day);
      if (!span) return [day, day];
      return [
        this.numberOf(span.startMs),
        span.endMs === Infinity ? this.judging.lastDay : this.numberOf(span.endMs - 1),
      ];
    }
    return [this.numberOf(Math.max(0, ms - limit.windowMs + 1)), this.numberOf(ms + limit.windowMs - 1)];
  }

  /** The limited fields of a day. Adds the days of facts without a day that lie in its ledger by another grant. */
  private fieldsOf(day: number, elsewhere: number[]): DayField[] {
    const found: DayField[] = [];
    eachTogether(this.texts(day), ([name, text]) => {
      const fact = text === inAlways ? this.always(name) : this.read(text, day, name);
      if (text === inAlways && !isAdjustmentField(name)) elsewhere.push(this.dayOf(fact) ?? day);
      const field = this.tryOf(day, name, fact);
      if (field) found.push(field);
    });
    return found;
  }

  /** A field of a day that may try, the same for the same fact; null: it may not, or nothing limits it. */
  private tryOf(day: number, name: string, fact: Fact): DayField | null {
    let field = this.tries.get(fact);
    if (field === undefined || (field && field.day !== day)) {
      const isOther = this.isForEver(name, fact.last?.version) && this.dayOf(fact) !== day;
      field = isOther || !this.isLimited(name, fact) ? null : { day, name, fact };
      if (!isOther) this.tries.set(fact, field);
    }
    return field;
  }
}

/** Reads members' facts, and what stands of them. */
export class FactReader {
  constructor(readonly context: LedgerContext) {}

  /** Works on a member's facts, which are read as the work asks for them; a round trip each time. */
  async read<T>(member: string, work: (ledger: MemberLedger) => T): Promise<T> {
    return (await this.readAll([member], work))[0] as T;
  }

  /** As {@link read}, on the facts of several members together. */
  async readAll<T>(members: readonly string[], work: (ledger: MemberLedger) => T): Promise<T[]> {
    const { settings, redis } = this.context;
    const nowMs = settings.clock.now();
    return this.context.ofShards(members, async (shard, own) => {
      const results: T[] = [];
      const judging = judgingAt(this.context, nowMs, shard);
      const shared = new View('');
      shared.marks.want(keys.holding(settings.prefix, judging.tag));
      const works = own.map((member, i) => {
        const ledger = new MemberLedger(member, judging, shared.marks);
        return [ledger.view, () => void (results[i] = work(ledger))] as const;
      });
      await readFor(redis, works, [shared]);
      return results;
    });
  }
}
