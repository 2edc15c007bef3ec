import { compactDay } from '../../time/days';
import { keys } from '../../keys/keys';
import { cached } from '../../lists/lists';
import { scripts } from '../../scripts/scripts.generated';
import { factText, firstMsOf, nothing, type Grant, type Moment } from '../facts/fact';
import type { LedgerSettings } from '../model/ledger-options';
import type { FieldLaw, TransitionLimit } from '../facts/laws';
import type { TransitionResult } from '../model/ledger.types';
import { pageOf } from '../pages/page-of';
import type { BoardPeriod, BoardSet, CalendarDay } from '../periods/calendar';
import { BoardAnswers, shownOn } from './board-answers';
import type { Judging } from './member-facts';
import { messagePack } from './message-pack';
import { slotOf } from '../facts/standing';
import { Places, recordOf } from './places';
import { partsOf, type OpenTransition } from './planned';
import { keptForMs, lawOf } from './room';

const { records } = scripts.recordGrants;

/** A set of boards in a call, those that are open. */
interface Group {
  readonly place: number;
  readonly set: BoardSet;
  readonly open: readonly BoardPeriod[];
  /** The places of these boards in the call. */
  readonly boards: readonly number[];
  readonly answers: BoardAnswers;
}

interface Planned {
  readonly asked: OpenTransition;
  readonly group: Group;
  readonly member: number;
  readonly limits: readonly TransitionLimit[];
}

/** Makes the keys and the plan of record-grants.lua, and reads its reply. */
export class GrantCall extends Places {
  private readonly names = new Map<string, number>();
  private readonly boards = new Map<
    string,
    { readonly place: number; readonly period: BoardPeriod; readonly list: number }
  >();
  private readonly groups = new Map<BoardSet, Group | null>();
  private readonly units = new Map<number, number>();
  private readonly flatUnits: unknown[] = [];
  private readonly unitGroups: { readonly group: Group; readonly member: number }[] = [];
  private readonly events: unknown[] = [];
  private readonly named: unknown[] = [];
  private readonly planned: Planned[] = [];
  /** Standing grants with points for an owner, and since when they stand. */
  readonly gifts: { readonly asked: OpenTransition; readonly since: Moment }[] = [];
  private mostPoints = 0;
  private readonly settings: LedgerSettings;
  private readonly tag: string;

  constructor(
    private readonly judging: Judging,
    private readonly shard: number,
    private readonly nowMs: number,
  ) {
    super();
    this.settings = judging.settings;
    this.tag = judging.settings.tags[shard] as string;
  }

  get members(): string[] {
    return [...this.names.keys()];
  }

  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /** Whether a transition may be a grant that only appends. */
  mayTake({ transition, law, set }: OpenTransition): boolean {
    const { kind, points, id, isTaken } = transition;
    if (isTaken) return false;
    if (kind === 'gift' ? transition.turn > 0 || !transition.stands : kind !== 'grant' || id !== undefined)
      return false;
    const { once, limits } = law;
    if (points < 0 || (kind === 'grant' && once !== 1 && once !== Infinity)) return false;
    if (limits.some(({ type }) => type === 'own')) return false;
    return this.groupOf(set) !== null;
  }

  /** Takes a grant that may only append. */
  take(asked: OpenTransition): void {
    const { transition, name, day, version, law, set } = asked;
    const { kind, points, occurredAtMs: ms, sequence = 0, gift, names = [], counterpart } = transition;
    const isGift = kind === 'gift';
    const group = this.groupOf(set) as Group;
    const member = this.names.get(transition.member) ?? this.names.size + 1;
    this.names.set(transition.member, member);
    const grant: Grant = { points, version, ms, sequence, gift: isGift ? null : (gift?.points ?? null) };
    const isForEver = !isGift && law.once === Infinity;
    const owner = counterpart ?? gift?.member ?? null;
    const parts = partsOf(transition, this.settings.partitionKeys);
    const fact = { ...nothing, first: grant, last: grant, owner, parts };
    const unit = this.unitOf(asked, group, member, law);
    const more = this.moreOf(asked, law, isForEver);
    this.events.push(unit, name, factText(fact, isForEver ? -1 : day.number), points, ms, more);
    this.mostPoints += points;
    this.planned.push({ asked, group, member, limits: isGift ? [] : law.limits });
    const texts = transition.namedAs ?? names;
    const atMs = isForEver || day.ledgerExpireAtMs === 0 ? '+inf' : String(day.ledgerExpireAtMs);
    const listOf = (text: string) => this.place(keys.naming(this.settings.prefix, this.tag, text));
    for (const [i, text] of texts.entries()) this.named.push(this.planned.length, names[i] ?? text, listOf(text), atMs);
    // An owner's erasure finds the giver by what was given, as long as the owner's ledger has it: late, it may be
    // closed.
    if (owner !== null && !isGift) {
      const list = listOf(owner);
      this.named.push(
        this.planned.length,
        owner,
        isForEver || !gift || day.number < this.judging.lastDay ? list : -list,
        atMs,
      );
    }
  }

  /** The keys, in the order of the script's contract. */
  keys() {
    const { prefix } = this.settings;
    return {
      others: this.others,
      boards: [...this.boards.keys()],
      excluded: [keys.excluded(prefix, this.tag)] as const,
      claims: [keys.claims(prefix, this.tag)] as const,
      erased: [keys.erased(prefix, this.tag)] as const,
      frozen: [...this.boards.values()].map(({ period }) => period.frozenKeys[this.shard] as string),
    };
  }

  /** The plan as the script reads it. Asked for before {@link keys}, of which it names one more. */
  plan(): Buffer {
    const { prefix, keepsFirstDays } = this.settings;
    const boards = [...this.boards.values()].flatMap(({ period: { score, expireAtMs, partition, board }, list }) =>
      recordOf(records.board, {
        ...{ originMs: score.originMs, tickMs: score.tickMs, unit: score.unit },
        ...{ expireAtMs, list, listName: partition ?? '' },
        lastElapsed: Math.floor((score.endMs - 1 - score.originMs) / score.tickMs),
        isTally: board.tallyOf == null ? 0 : 1,
      }),
    );
    const groups = [...this.groups.values()].flatMap((group) => (group ? [group.boards] : []));
    const { events, named, mostPoints, nowMs } = this;
    const firstDays = keepsFirstDays ? this.place(keys.firstDays(prefix, this.tag)) : 0;
    return messagePack(
      recordOf(records.plan, {
        ...{ names: this.members, boards, groups, units: this.flatUnits, events, named },
        ...{ mostPoints, nowMs, firstDays },
      }),
    );
  }

  /** Gives each transition's result; what was left is given back. */
  read(reply: readonly number[], take: (index: number, result: TransitionResult) => void): OpenTransition[] {
    if (reply.length === 0) return this.planned.map(({ asked }) => asked);
    const told: (readonly [code: number, one: number, other: number])[] = [];
    let at = 0;
    for (let i = 0; i < this.planned.length; i += 1) {
      const code = reply[at] as number;
      const isMore = code > 1;
      told.push([code, isMore ? (reply[at + 1] as number) : 0, isMore ? (reply[at + 2] as number) : 0]);
      at += isMore ? 3 : 1;
    }
    /** By members and boards. */
    const ofMembers = Array.from({ length: this.names.size }, (): number[] => []);
    const ofMember = (member: number) => ofMembers[member - 1] as number[];
    for (const { group, member } of this.unitGroups)
      for (const [i, { score }] of group.open.entries())
        ofMember(member)[group.boards[i] as number] = Math.floor((reply[at++] ?? 0) / score.unit);
    const left: OpenTransition[] = [];
    for (let i = this.planned.length - 1; i >= 0; i -= 1) {
      const planned = this.planned[i] as Planned;
      const [code, one, other] = told[i] as (typeof told)[number];
      const { asked, group, member } = planned;
      if (code === 0) {
        left.unshift(asked);
        continue;
      }
      const own = { ms: asked.transition.occurredAtMs, sequence: asked.transition.sequence ?? 0 };
      const isOther = code === 2 && one >= 0;
      const since = isOther ? { ms: firstMsOf(asked.day.number) + one, sequence: other } : own;
      if (asked.transition.gift && code !== 3) this.gifts.unshift({ asked, since });
      const given = code === 1 ? asked.transition.points : code === 4 ? one : 0;
      const outcome = code === 2 ? 'duplicate' : code === 3 ? 'limited' : 'granted';
      const { boards: words, late } = group.answers.of(outcome);
      const moved = ofMember(member);
      const { scores, full } = shownOn(group.open, (_, k) => moved[group.boards[k] as number] ?? 0);
      const isFull = full.length > 0 && outcome === 'granted';
      const boards = isFull
        ? { ...words, ...Object.fromEntries(full.map((label) => [label, 'full' as const])) }
        : words;
      for (const [k, place] of group.boards.entries()) {
        const by = group.open[k]?.board.tallyOf == null ? given : code === 1 || code === 4 ? 1 : 0;
        moved[place] = (moved[place] ?? 0) - by;
      }
      const limit = code === 3 ? planned.limits[one - 1] : code === 4 ? planned.limits[other - 1] : undefined;
      take(asked.index, {
        ...{ outcome, points: given, scores, boards },
        ...(late.length > 0 && { late }),
        ...(limit && { reason: limit.name }),
        ...(limit &&
          code === 3 && { refusal: { limit: limit.name, allowedAgainAtMs: this.againAt(limit, asked, other) } }),
      });
    }
    return left;
  }

  private againAt(limit: TransitionLimit, { day }: OpenTransition, ms: number): number {
    return ms >= 0 || limit.type !== 'daily'
      ? ms
      : (slotOf(limit, { name: '', day: day.number, owner: null }, this.judging.almanac)?.endMs ?? 0);
  }

  private groupOf(set: BoardSet): Group | null {
    const known = this.groups.get(set);
    if (known !== undefined) return known;
    return cached(this.groups, set, () => {
      const { nowMs } = this;
      const open = nowMs < set.firstClosesAtMs ? set.periods : set.periods.filter((one) => nowMs < one.closesAtMs);
      if (open.length === 0 || nowMs >= set.day.ledgerClosesAtMs) return null;
      const place = [...this.groups.values()].filter((one) => one !== null).length + 1;
      const boards = open.map((period) => this.placeOf(period));
      return { place, set, open, boards, answers: new BoardAnswers(set, open, nowMs) };
    });
  }

  private placeOf(period: BoardPeriod): number {
    const key = period.keys[this.shard] as string;
    return cached(this.boards, key, () => {
      const list = period.listKeys?.[this.shard];
      return { place: this.boards.size + 1, period, list: list === undefined ? 0 : this.place(list) };
    }).place;
  }

  private unitOf({ transition, day }: OpenTransition, group: Group, member: number, { limits }: FieldLaw): number {
    const isLimited = limits.length > 0 && transition.kind !== 'gift';
    // A call has at most 500 grants.
    const id = 2 * (1_000 * member + group.place) + (isLimited ? 1 : 0);
    let unit = this.units.get(id);
    if (unit !== undefined) return unit;
    const { prefix } = this.settings;
    const isLate = day.number < this.judging.lastDay;
    const isOld = day.number < this.judging.packedBefore;
    this.flatUnits.push(
      ...recordOf(records.unit, {
        member,
        group: group.place,
        day: day.number,
        expireAtMs: day.ledgerExpireAtMs,
        ledger: this.others.push(keys.ledger(prefix, this.tag, day.compactKey, transition.member)),
        date: isOld ? compactDay(day.number) : '',
        old: isOld ? this.place(keys.old(prefix, this.tag, transition.member)) : 0,
        revokes:
          isLate && transition.kind !== 'gift' ? this.place(keys.revokes(prefix, this.tag, transition.member)) : 0,
        room: isLimited ? this.place(keys.room(prefix, this.tag, transition.member)) : 0,
      }),
    );
    unit = this.unitGroups.push({ group, member });
    this.units.set(id, unit);
    return unit;
  }

  private moreOf({ transition, name, day }: OpenTransition, { limits }: FieldLaw, isForEver: boolean): unknown {
    const { prefix, fieldNames } = this.settings;
    const { lastDay } = this.judging;
    const { member, sequence = 0, version = 1, kind } = transition;
    const isPaged = fieldNames.isPaged(name);
    const isLimited = limits.length > 0 && kind !== 'gift';
    if (!isPaged && !isForEver && !isLimited) return 0;
    const [, total = ''] = /^([^:]*:[^:]*:)/.exec(name) ?? [];
    const owner = transition.counterpart ?? transition.gift?.member ?? null;
    const about = { name, day: day.number, owner };
    return {
      ...(isForEver && { always: this.place(keys.always(prefix, this.tag, member)) }),
      ...(isPaged && {
        page: this.place(keys.page(prefix, this.tag, day.compactKey, pageOf(name), member)),
        crowd: this.place(keys.crowd(prefix, this.tag, day.compactKey, member)),
        letters: pageOf(name),
        total: `${version}${total}`,
      }),
      ...(isLimited && {
        sequence,
        limits: limits.flatMap((limit) => this.limitOf(limit, about)),
        ...(this.isAlone(limits, day, transition.occurredAtMs) && { alone: this.nowMs + keptForMs(limits) }),
        // Some minutes before midnight: another host may be ahead.
        ...(day.number < lastDay && { latest: this.place(keys.ledger(prefix, this.tag, compactDay(lastDay), member)) }),
      }),
    };
  }

  /** Whether limits of a grant of today look at that day alone. */
  private isAlone(limits: readonly TransitionLimit[], day: CalendarDay, ms: number): boolean {
    const isWithin = (limit: TransitionLimit) =>
      limit.type === 'daily'
        ? limit.period === undefined
        : ms - limit.windowMs >= day.startMs && ms + limit.windowMs <= day.endMs;
    const { lastDay } = this.judging;
    return day.number >= lastDay - 1 && this.nowMs < day.endMs && limits.every(isWithin);
  }

  private limitOf(
    limit: TransitionLimit,
    about: { name: string; day: number; owner: string | null },
  ): readonly unknown[] {
    const kind = limit.type === 'daily' ? { grants: 1, points: 2, standing: 3 }[limit.of] : 4;
    const { key = null } = slotOf(limit, about, this.judging.almanac) ?? {};
    // A grant of what has no owner is not limited by pairs.
    const max = limit.type === 'own' || key === null ? Number.MAX_SAFE_INTEGER : limit.max;
    const windowMs = limit.type === 'daily' ? 0 : limit.windowMs;
    return recordOf(records.limit, {
      ...{ kind: key === null ? 3 : kind, slot: key ?? '', max, windowMs },
      ...{ name: limit.name, law: lawOf(limit) },
    });
  }
}
