import {
  compare,
  factText,
  heldForGood,
  join,
  later,
  momentIn,
  momentText,
  nothing,
  type Fact,
  type Grant,
  type HeldPart,
  type Moment,
} from '../facts/fact';
import { invalidArgument as invalid } from '../../errors/errors';
import { dayMs } from '../../time/days';
import { isSpread } from '../facts/laws';
import type { Counted, Refusal, Verdict } from '../facts/standing';
import type { TransitionOutcome } from '../model/ledger.types';
import type { BoardPeriod } from '../periods/calendar';
import { sha1 } from './commit';
import { type MemberLedger } from './member-ledger';
import type { GiftTransition, OpenTransition } from './planned';
import { eachTogether } from './view';

/** A field of a day that comes to count, or ceases to, or counts otherwise. */
export interface Change {
  readonly day: number;
  readonly name: string;
  readonly before: Counted | null;
  readonly after: Counted | null;
}

/** The change of a member's entry on a board. */
export interface Move {
  readonly period: BoardPeriod;
  points: number;
  /** The latest moment since when something stands that did not. */
  cameMs: number | null;
  /** The latest moment since when something stood that does not any more. */
  leftMs: number | null;
}

/** The judgement of one transition, as far as it follows from facts. */
export interface Judgement {
  readonly outcome: TransitionOutcome;
  readonly refusal: Refusal | null;
  readonly changes: readonly Change[];
  /** The parts on which its field counts. */
  readonly parts: Fact['parts'];
}

/** An owner's gift: the latest points of the giver's field on a day. */
export interface Owed {
  readonly day: number;
  readonly name: string;
  readonly owner: string;
  readonly turn: number;
  readonly points: number;
  readonly version: number;
  /** Null: nothing, any more. */
  readonly since: Moment | null;
  readonly parts: Fact['parts'];
  /** Whether it is owed from now on; else it was before, and is told again. */
  readonly isNew: boolean;
}

/** The day and field of an id's grant, as {@link markOf} has it, and the id's latest revoke. */
interface KnownId {
  readonly day: number | null;
  readonly revoke: Moment | null;
  readonly of: string;
}

/** The boards on which a field of a day moves anything: open, and not frozen. */
export type OpenBoards = (day: number, name: string, parts: Fact['parts'], sinceMs: number) => readonly BoardPeriod[];

/** Judges one member's transitions in their order: joins facts, and gathers the difference that they make. */
export class Judge {
  /** The difference between what stood and what stands, by the first keys of boards: a calendar may cut one twice. */
  readonly moves = new Map<string, Move>();
  /** By day and field. */
  readonly owed = new Map<string, Owed>();
  /** The latest that was asked by. */
  private version = 1;

  constructor(
    private readonly ledger: MemberLedger,
    private readonly openBoards: OpenBoards,
  ) {}

  judge(asked: OpenTransition): Judgement {
    const { kind } = asked.transition;
    this.version = Math.max(this.version, asked.version);
    return this[kind === 'release' ? 'hold' : kind](asked, asked.day.number);
  }

  private grant(
    { name, moment, version, gift, counterpart, parts, transition }: OpenTransition,
    day: number,
  ): Judgement {
    const { ledger } = this;
    const { points, id } = transition;
    const grant: Grant = { ...moment, points, version, gift: gift?.points ?? null };
    let heard: Fact = { ...nothing, first: grant, last: grant, owner: counterpart, parts };
    if (id !== undefined) {
      const known = this.idOf(id);
      // The id may be known of something else: by a revoke, or of an account that takes it over.
      const isOther = known.of !== '' && known.of !== markOf(name);
      if (known.day !== null && (isOther ? !transition.isTaken : known.day !== day)) return told('duplicate', parts);
      heard = { ...heard, revoke: isOther ? null : known.revoke };
      if (known.day === null) this.keepId(id, { day, revoke: heard.revoke, of: markOf(name) });
    }
    const { fact, isForEver } = ledger.factOf(day, name, version);
    const joined = join(fact, heard);
    const own = isForEver ? (ledger.dayOf(joined) as number) : day;
    const former = isForEver ? ledger.dayOf(fact) : null;
    if (isSame(fact, joined)) {
      const counts = ledger.counted(own, name);
      if (counts) this.owe(own, name, false);
      const { refusal, since } = ledger.verdict(own, name);
      return told(!counts && !since && refusal ? 'limited' : 'duplicate', joined.parts, [], refusal);
    }
    const had = ledger.counted(former ?? own, name) !== null;
    const days = former === null || former === own ? [own] : [former, own];
    const changes = this.change(days, { name, days }, () => {
      ledger.keep(own, name, joined);
      if (isForEver && own !== day) ledger.point(day, name);
    });
    const { refusal, since } = ledger.verdict(own, name);
    // The call whose grant counts may not have been answered: its repeat gives the owner what is theirs.
    if (ledger.counted(own, name) && changes.length === 0) this.owe(own, name, false);
    if (ledger.counted(own, name))
      return told(had ? 'duplicate' : 'granted', joined.parts, changes, had ? null : refusal);
    const isHeld = ledger.held(own, name) !== null;
    const why = isHeld ? { limit: 'held', allowedAgainAtMs: null } : refusal;
    if (isHeld || (!since && refusal)) return told('limited', joined.parts, changes, why);
    const isOld = fact.last !== null && compare(fact.last, moment) >= 0;
    const isEnded = !since || ledger.revokesAfter(own, name).length > 0;
    return told(!isOld && isEnded ? 'notGranted' : 'duplicate', joined.parts, changes);
  }

  private revoke({ name, moment, version, transition }: OpenTransition, ofDay: number): Judgement {
    const { ledger } = this;
    const { id, keepsGifts = false } = transition;
    let [day, isGeneral] = [ofDay, transition.grantedAtMs === undefined];
    if (id !== undefined) {
      const known = this.idOf(id);
      if (known.day === null) {
        if (known.revoke && compare(known.revoke, moment) >= 0) return told('duplicate', null);
        this.keepId(id, { ...known, revoke: moment, of: markOf(name) });
        return told('notGranted', null);
      }
      [day, isGeneral] = [known.day, false];
    }
    const { fact, isForEver } = ledger.factOf(day, name, version);
    const joined = join(fact, { ...nothing, revoke: moment });
    const isListed = isGeneral && (!isForEver || ledger.daysOf(name).some((one) => ledger.isOfDay(one, name)));
    const list = isListed ? ledger.revokes(name) : [];
    const known = list.find(({ ms }) => this.ledger.judging.calendar.dayOf(ms).number === day);
    const isKnown = isListed ? known !== undefined && compare(known, moment) >= 0 : isSame(fact, joined);
    if (isKnown) return told('duplicate', fact.parts);
    const own = isForEver ? (ledger.dayOf(fact) ?? day) : day;
    const before = isListed ? ledger.daysOf(name).filter((number) => number < day) : [];
    const waiting = keepsGifts ? ledger.held(own, name) : null;
    const stood = waiting && { counts: waiting, since: ledger.verdict(own, name).since };
    const changes = this.change([own], { name, days: [...before, own], keepsGifts }, () => {
      if (isListed) {
        // Those before have nothing left to end.
        const { nowMs, settings } = this.ledger.judging;
        const fromMs = nowMs - (settings.ledgerRetentionMs ?? Infinity) - 2 * dayMs;
        const kept = list.filter((one) => one !== known && one.ms >= fromMs);
        ledger.view.write(ledger.revokesKey, name, [...kept, moment].map(momentText).join(','));
      }
      ledger.keep(own, name, joined);
    });
    // Owners keep what they wait for, too.
    if (stood && !ledger.held(own, name)) this.owe(own, name, true, stood);
    const isRevoked = changes.some((one) => one.name === name && one.before && !one.after);
    const change = changes.find((one) => one.name === name);
    const parts = change ? ledger.fact(change.day, name).parts : joined.parts;
    return told(isRevoked ? 'revoked' : 'notGranted', parts, changes);
  }

  /** An adjustment is a fact with a sign: once a field, on the boards of its day. */
  private adjust({ name, moment, version, parts, transition }: OpenTransition, day: number): Judgement {
    const { points, note = null } = transition;
    if (this.ledger.always(name).first) return told('duplicate', parts);
    const grant: Grant = { ...moment, points, version, gift: null };
    const heard: Fact = { ...nothing, first: grant, last: grant, parts, note, day };
    const changes = this.change([], { name, days: [day] }, () => this.ledger.keep(day, name, heard));
    return told(points > 0 ? 'granted' : 'revoked', parts, changes);
  }

  /** What a giver's field came to: a later turn of it replaces an earlier one, whichever comes first. */
  private gift({ name, moment, version, parts, counterpart, transition }: OpenTransition, day: number): Judgement {
    const { turn, stands, points } = transition as GiftTransition;
    const fact = this.ledger.fact(day, name);
    if ((fact.first || fact.turn > 0) && fact.turn >= turn) return told('duplicate', fact.parts);
    // What counts on closed boards alone stays, as it does for its giver.
    const counts = stands || transition.isTaken ? null : this.ledger.counted(day, name);
    const on = counts && this.ledger.boardsOf(day, name, fact.parts, counts.sinceMs).periods;
    if (on?.every(({ closesAtMs }) => closesAtMs <= this.ledger.judging.nowMs)) return told('notGranted', fact.parts);
    const grant: Grant | null = stands ? { ...moment, points, version, gift: null } : null;
    const about = { revoke: fact.revoke, owner: counterpart, parts: parts ?? fact.parts, turn };
    const heard: Fact = { ...nothing, first: grant, last: grant, ...about };
    const changes = this.change([], { name, days: [day] }, () => this.ledger.keep(day, name, heard));
    const { before = null, after = null } = changes[0] ?? {};
    const outcome = before ? (after ? 'duplicate' : 'revoked') : after ? 'granted' : 'notGranted';
    return told(outcome, heard.parts, changes);
  }

  /** The subject's owner is another account now; the note says which it was. Null: the member, who is owed nothing. */
  private owner({ name, version, counterpart, transition }: OpenTransition, day: number): Judgement {
    const { ledger } = this;
    const { fact } = ledger.factOf(day, name, version);
    if (fact.owner !== transition.note) return told('duplicate', fact.parts);
    const renamed = { ...fact, owner: counterpart };
    const changes = this.change([day], { name, days: [day] }, () => ledger.keep(day, name, renamed));
    // What the giver took back meanwhile, the owner from now on may have taken over.
    this.owe(day, name, ledger.counted(day, name) !== null);
    return told('duplicate', fact.parts, changes);
  }

  /** Takes over another account's note of an id. */
  private id({ transition: { id = '', note = '' } }: OpenTransition): Judgement {
    const [known, heard] = [this.idOf(id), idIn(note)];
    this.keepId(id, { ...(known.day === null ? heard : known), revoke: later(known.revoke, heard.revoke) });
    return told('duplicate', null);
  }

  /** Holds back one field of a day, or all that begin so; facts stay, and what stands by them comes back. */
  private hold({ name: field, moment, transition }: OpenTransition, own: number): Judgement {
    const { ledger } = this;
    const { judging } = ledger;
    const { kind, id = '', grantedAtMs } = transition;
    const known = ledger.holds.get(id);
    const { startMs = 0, endMs = 0 } = judging.calendar.dayNumbered(own) ?? {};
    const part: HeldPart = grantedAtMs === undefined ? [field, moment.ms, heldForGood] : [sha1(field), startMs, endMs];
    const isKnown = kind === 'hold' && known?.some((one) => String(one) === String(part));
    if (known === null || isKnown) return told('duplicate', null);
    const after = kind === 'hold' ? [...(known ?? []), part] : null;
    const parts = after ? [part] : (known ?? []);
    const first = judging.calendar.dayOf(Math.min(judging.nowMs, ...parts.map(([, fromMs]) => fromMs))).number;
    const fields = new Map<string, { readonly day: number; readonly name: string }>();
    const look = (day: number) => (name: string) =>
      void (ledger.held(day, name, parts) && fields.set(`${day} ${name}`, { day, name }));
    eachTogether(ledger.daysBetween(first, Infinity), (day) => eachTogether(ledger.facts(day).keys(), look(day)));
    eachTogether(ledger.countedBefore(first), ({ day, name }) => look(day)(name));
    const changes = this.change([], { name: '', days: [] }, () => ledger.keepHold(id, after), fields);
    return told(changes.length === 0 ? 'notGranted' : after ? 'revoked' : 'granted', null, changes);
  }

  /** What was granted on a day asks for other points, at its own moments; how often it counts stays as it was. */
  private revalue({ transition: { worth }, version: current }: OpenTransition, day: number): Judgement {
    const { ledger } = this;
    const { laws, settings } = ledger.judging;
    const asking = new Map<string, Fact>();
    const given: string[] = [];
    eachTogether(ledger.facts(day), ([name, fact]) => {
      const { first, last, owner, parts } = fact;
      if (!worth || !first || !last || !ledger.isOwn(name) || ledger.dayOf(fact) !== day) return;
      const asked = (grant: Grant): Grant => {
        const about = { ms: grant.ms, partitions: parts ?? {} };
        const { version = current, points, gift } = worth(settings.fieldNames.long(name), about);
        if (![points, gift ?? 0].every(Number.isSafeInteger)) throw invalid(`${name} is worth ${points} points.`);
        const isAsOften = laws.of(name, version).once === laws.of(name, grant.version).once;
        return {
          ...grant,
          points,
          gift: isNobody(owner, grant) ? null : gift,
          version: isAsOften ? version : grant.version,
        };
      };
      const after = { ...fact, first: asked(first), last: asked(last) };
      if (isSame(fact, after)) return;
      const isOwed = after.first.gift !== first.gift || after.last.gift !== last.gift;
      asking.set(name, isOwed ? { ...after, turn: fact.turn + 1 } : after);
      if (isOwed) given.push(name);
    });
    const fields = new Map([...asking.keys()].map((name) => [`${day} ${name}`, { day, name }]));
    const keep = () => asking.forEach((fact, name) => ledger.keep(day, name, fact));
    const changes = this.change([day], { name: '', days: [] }, keep, fields);
    const isTold = (name: string) => changes.some((one) => one.day === day && one.name === name);
    for (const name of given) if (!isTold(name) && ledger.counted(day, name)) this.owe(day, name, true);
    return told(asking.size > 0 ? 'granted' : 'duplicate', null, changes);
  }

  /**
   * Keeps facts, and gives all that comes to count, or ceases to, by them.
   * @param limitedDays whose limits may judge other fields anew. @param fields that may change beside the own one.
   */
  private change(
    limitedDays: readonly number[],
    own: { readonly name: string; readonly days: readonly number[]; readonly keepsGifts?: boolean },
    keep: () => void,
    fields = new Map<string, { readonly day: number; readonly name: string }>(),
  ): Change[] {
    const { ledger } = this;
    const add = (days: readonly number[], name: string) => {
      for (const day of ledger.isOwn(name) && isSpread(ledger.judging.laws, name, this.version)
        ? new Set([...days, ...ledger.daysOf(name)])
        : days)
        fields.set(`${day} ${name}`, { day, name });
    };
    const undo = ledger.save();
    const judged = new Set<number>();
    const link = () => {
      const names = new Set([own.name, ...[...fields.values()].map(({ name }) => name)]);
      for (const day of limitedDays) {
        const isLimited = [...names].some((name) => ledger.isLimited(name, ledger.fact(day, name)));
        if (isLimited) for (const other of ledger.together(day)) judged.add(other).add(day);
      }
    };
    const verdictsOf = () => [...new Set([...judged].map((day) => ledger.triedOn(day).found))];
    // Grants that count once for ever may leave a window by their latest moment.
    link();
    keep();
    add(own.days, own.name);
    link();
    const after = verdictsOf();
    const redo = ledger.save();
    ledger.restore(undo);
    const former = verdictsOf();
    for (const [some, others] of [[after, former] as const, [former, after] as const])
      for (const verdicts of some)
        for (const [field, verdict] of verdicts)
          if (!others.some((other) => isSameVerdict(other.get(field), verdict))) add([field.day], field.name);
    const all = [...fields.values()];
    const before: Change['before'][] = [];
    eachTogether(all, ({ day, name }) => before.push(ledger.counted(day, name)));
    const partsBefore = all.map(({ day, name }) => ledger.fact(day, name).parts);
    keep();
    ledger.restore(redo);
    const now = all.map(({ day, name }) => ledger.counted(day, name));
    const changes = all.flatMap(({ day, name }, i) => {
      const change: Change = { day, name, before: before[i] ?? null, after: now[i] ?? null };
      const { parts } = ledger.fact(day, name);
      // What counted already names a part for the first time: it counts by that from now on.
      const isPlaced = parts !== null && partsBefore[i] === null && change.before !== null;
      const [had, has] = [change.before, change.after];
      if (had?.points === has?.points && had?.sinceMs === has?.sinceMs && !isPlaced) return [];
      const on = (where: Fact['parts'], { sinceMs }: Counted) => this.openBoards(day, name, where, sinceMs);
      const open = has ? on(parts, has) : [];
      const known = had ? on(isPlaced ? null : parts, had) : [];
      if (open.length + known.length === 0) {
        if (!own.keepsGifts && this.isGiftOpen(day, name, (has ?? had)?.sinceMs ?? 0)) this.owe(day, name, true);
        return [];
      }
      for (const one of new Set([...known, ...open]))
        this.move(one, known.includes(one) ? change.before : null, open.includes(one) ? change.after : null);
      return [change];
    });
    if (!own.keepsGifts) for (const { day, name } of changes) this.owe(day, name, true);
    return changes;
  }

  /** Adds what a field came to on a board of its day. */
  private move(period: BoardPeriod, before: Counted | null, after: Counted | null): void {
    const isTally = period.board.tallyOf != null;
    const [had, has] = [worth(before, isTally), worth(after, isTally)];
    const isOther = had !== has || before?.sinceMs !== after?.sinceMs;
    if (!isOther || (had === 0 && has === 0)) return;
    const [key = ''] = period.keys;
    const move = this.moves.get(key) ?? { period, points: 0, cameMs: null, leftMs: null };
    this.moves.set(key, move);
    move.points += has - had;
    if (after && has !== 0) move.cameMs = Math.max(move.cameMs ?? 0, after.sinceMs);
    if (before && had !== 0 && (has === 0 || (after as Counted).sinceMs < before.sinceMs)) {
      move.leftMs = Math.max(move.leftMs ?? 0, before.sinceMs);
    }
  }

  /** Whether a board on which the owner's gift counts is open: it may close later than the giver's. */
  private isGiftOpen(day: number, name: string, sinceMs: number): boolean {
    const { owner, parts } = this.ledger.fact(day, name);
    if (owner === null || this.ledger.isGift(name)) return false;
    const { field } = this.ledger.judging.settings.fieldNames.gift(this.ledger.member, name);
    return this.openBoards(day, field, parts, sinceMs).length > 0;
  }

  /** Notes what the owner of a field is owed, where it has one. */
  private owe(day: number, name: string, isNew: boolean, stood?: { counts: Counted; since: Grant | null }): void {
    const { ledger } = this;
    const fact = ledger.fact(day, name);
    const { owner, parts, first, last } = fact;
    // What was given before may be nothing now.
    const isGiving = (first?.gift ?? last?.gift ?? null) !== null || fact.turn > 0;
    if (owner === null || !isGiving || ledger.isGift(name)) return;
    const turn = isNew ? fact.turn + 1 : fact.turn;
    const counts = stood?.counts ?? ledger.counted(day, name);
    const stands = stood ?? ledger.verdict(day, name);
    // The rule of this grant may give owners nothing, where that of the other one does.
    const since = counts && counts.gift !== null ? stands.since : null;
    if (isNew) ledger.keepAsItStands(day, name, { ...fact, turn });
    const points = counts?.gift ?? 0;
    const id = `${day} ${name}`;
    const isNoted = isNew || this.owed.get(id)?.isNew === true;
    const version = counts?.version ?? 1;
    this.owed.set(id, { day, name, owner, turn, points, version, since, parts, isNew: isNoted });
  }

  /** The state of an id. */
  private idOf(id: string): KnownId {
    return idIn(this.ledger.view.field(this.ledger.alwaysKey, `#${id}`) ?? '');
  }

  private keepId(id: string, { day, revoke, of }: KnownId): void {
    this.ledger.view.write(this.ledger.alwaysKey, `#${id}`, `${day ?? ''};${revoke ? momentText(revoke) : ''};${of}`);
  }
}

/** Reads the note of an id; it tells no field where a revoke alone is known. */
export function idIn(text: string): KnownId {
  const [day = '', revoke = '', of = ''] = text.split(';');
  return { day: day === '' ? null : Number(day), revoke: revoke === '' ? null : momentIn(revoke), of };
}

/** A field in the note of an id: too short to name anybody whom the field names. */
export const markOf = (name: string): string => sha1(name).slice(0, 3);

function told(
  outcome: TransitionOutcome,
  parts: Fact['parts'],
  changes: readonly Change[] = [],
  refusal: Refusal | null = null,
): Judgement {
  return { outcome, parts, changes, refusal };
}

/** An erased owner stays in facts by a token, and is given nothing. */
function isNobody(owner: string | null, { gift }: Grant): boolean {
  return owner === null || (gift === null && /^#[\w-]{16}$/.test(owner));
}

function isSame(one: Fact, other: Fact): boolean {
  return factText(one, -1) === factText(other, -1);
}

function isSameVerdict(a: Verdict | undefined, b: Verdict): boolean {
  return a?.points === b.points && a.since?.ms === b.since?.ms && a.since?.sequence === b.since?.sequence;
}

/** On a tally each counts one. */
export function worth(counted: Counted | null, isTally: boolean): number {
  if (!counted) return 0;
  return isTally ? 1 : counted.points;
}
