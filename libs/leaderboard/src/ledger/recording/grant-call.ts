import { compactDay } from '../../time/days';
import { keys } from '../../keys/keys';
import { cached } from '../../lists/lists';
import { scripts } from '../../scripts/scripts.generated';
import { factText, firstMsOf, nothing, type Grant, type Moment } from '../facts/fact';
import type { LedgerSettings } from '../model/ledger-options';
import { isSpread, type TransitionLimit } from '../facts/laws';
import type { TransitionResult } from '../model/ledger.types';
import { pageOf } from '../pages/page-of';
import { finiteOrNone, type BoardPeriod, type BoardSet, type CalendarDay } from '../periods/calendar';
import { BoardAnswers, shownOn } from './board-answers';
import type { Judging } from './reading';
import { Places, messagePack, recordOf } from './message-pack';
import { slotOf } from '../facts/standing';
import type { OpenTransition } from './planned';
import { partsFor } from '../facts/adjustment';
import { keptForMs, lawOf } from './room';

const { records } = scripts.recordGrants;

/** The open boards of a set in a call. */
interface Group {
  readonly place: number;
  /** The places of these boards in the call. */
  readonly boards: readonly number[];
  /** Those that are no tallies, and their places. */
  readonly periods: readonly BoardPeriod[];
  readonly shown: readonly number[];
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
  private readonly boards = new Map<string, { readonly place: number; readonly period: BoardPeriod }>();
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
  private readonly shard: number;
  private readonly nowMs: number;

  constructor(private readonly judging: Judging) {
    super();
    ({ settings: this.settings, tag: this.tag, shard: this.shard, nowMs: this.nowMs } = judging);
  }

  get members(): string[] {
    return [...this.names.keys()];
  }

  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /** Whether a transition may be a grant that only appends. */
  mayTake({ transition, law, set, name, day, version }: OpenTransition): boolean {
    const { kind, points, id, isTaken } = transition;
    if (isTaken) return false;
    // By a former rule, a later day may count no more beside it.
    const { laws, lastDay } = this.judging;
    if (kind === 'grant' && day.number < lastDay && isSpread(laws, name, version)) return false;
    if (kind === 'gift' ? transition.turn > 0 || !transition.stands : kind !== 'grant' || id !== undefined)
      return false;
    const { once, limits } = law;
    if (points < 0 || (kind === 'grant' && once !== 1 && once !== Infinity)) return false;
    if (limits.some(({ type }) => type === 'own')) return false;
    return this.groupOf(set) !== null;
  }

  /** Takes a grant that may only append. */
  take(asked: OpenTransition): void {
    const { transition, name, day, version, law, set, gift, counterpart: owner, parts } = asked;
    const { kind, points, occurredAtMs: ms, sequence = 0, names = [] } = transition;
    const isGift = kind === 'gift';
    const group = this.groupOf(set) as Group;
    const member = cached(this.names, transition.member, () => this.names.size + 1);
    const grant: Grant = { points, version, ms, sequence, gift: isGift ? null : (gift?.points ?? null) };
    const planned: Planned = { asked, group, member, limits: isGift ? [] : law.limits };
    const isForEver = !isGift && law.once === Infinity;
    const text = factText({ ...nothing, first: grant, last: grant, owner, parts }, isForEver ? -1 : day.number);
    this.events.push(this.unitOf(planned), name, text, points, ms, this.moreOf(planned, isForEver));
    this.mostPoints += points;
    this.planned.push(planned);
    const texts = transition.namedAs ?? names;
    if (owner === null && texts.length === 0) return;
    const atMs = isForEver || day.ledgerClosesAtMs === Infinity ? '+inf' : String(day.ledgerClosesAtMs);
    const listOf = (text: string) => this.place(keys.naming(this.settings.prefix, this.tag, text));
    for (const [i, text] of texts.entries()) this.named.push(this.planned.length, names[i] ?? text, listOf(text), atMs);
    // An owner's erasure finds the giver by what was given, where the owner's ledger has it.
    if (owner !== null && !isGift) {
      const isListed = isForEver || !gift || day.number < this.judging.lastDay || !this.isGiftOpen(asked);
      this.named.push(this.planned.length, owner, (isListed ? 1 : -1) * listOf(owner), atMs);
    }
  }

  /** The keys, in the order of the script's contract. */
  keys() {
    const { prefix } = this.settings;
    return {
      others: this.others,
      boards: [...this.boards.keys()],
      excluded: [keys.excluded(prefix, this.tag)] as const,
      holding: [keys.holding(prefix, this.tag)] as const,
      claims: [keys.claims(prefix, this.tag)] as const,
      erased: [keys.erased(prefix, this.tag)] as const,
      frozen: [...this.boards.values()].map(({ period }) => period.frozenKeys[this.shard] as string),
    };
  }

  /** The plan as the script reads it. Asked for before {@link keys}, of which it names more. */
  plan(): Buffer {
    const { prefix, keepsFirstDays } = this.settings;
    const boards = [...this.boards.values()].flatMap(({ period: { score, expireAtMs, partition, board, listKeys } }) =>
      recordOf(records.board, {
        ...{ originMs: score.originMs, tickMs: score.tickMs, unit: score.unit },
        ...{ expireAtMs, list: listKeys ? this.place(listKeys[this.shard] as string) : 0, listName: partition ?? '' },
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
  read(text: string, take: (index: number, result: TransitionResult) => void): OpenTransition[] {
    if (text === '') return this.planned.map(({ asked }) => asked);
    const reply = JSON.parse(`[${text}0]`) as number[];
    let at = 0;
    const ends = this.planned.map(() => (at += (reply[at] as number) > 1 ? 3 : 1));
    // By members and boards.
    const points = new Array<number>((this.names.size + 1) * this.boards.size).fill(0);
    const placeOf = (member: number, board: number) => member * this.boards.size + board - 1;
    for (const { group, member } of this.unitGroups)
      for (const board of group.shown) points[placeOf(member, board)] = reply[at++] as number;
    const left: OpenTransition[] = [];
    for (let i = this.planned.length - 1; i >= 0; i -= 1) {
      const { asked, group, member, limits } = this.planned[i] as Planned;
      const begin = ends[i - 1] ?? 0;
      const [code, one, other] = [reply[begin] as number, reply[begin + 1] as number, reply[begin + 2] as number];
      if (code === 0) {
        left.unshift(asked);
        continue;
      }
      const { transition, day } = asked;
      if (transition.gift && code !== 3) {
        const isOther = code === 2 && one >= 0;
        const own = { ms: transition.occurredAtMs, sequence: transition.sequence ?? 0 };
        this.gifts.unshift({ asked, since: isOther ? { ms: firstMsOf(day.number) + one, sequence: other } : own });
      }
      const given = code === 1 ? transition.points : code === 4 ? one : 0;
      const outcome = code === 2 ? 'duplicate' : code === 3 ? 'limited' : 'granted';
      const { boards: words, late } = group.answers.of(outcome);
      const pointsOn = (_: BoardPeriod, k: number) => points[placeOf(member, group.shown[k] as number)] ?? 0;
      const { scores, boards } = shownOn(group.periods, pointsOn, words);
      if (given !== 0) for (const board of group.shown) (points[placeOf(member, board)] as number) -= given;
      const limit = code === 3 ? limits[one - 1] : code === 4 ? limits[other - 1] : undefined;
      const usual: TransitionResult = { outcome, points: given, scores, boards };
      if (late.length === 0 && !limit) take(asked.index, usual);
      else
        take(asked.index, {
          ...{ ...usual, ...(late.length > 0 && { late }), ...(limit && { reason: limit.name }) },
          ...(limit &&
            code === 3 && { refusal: { limit: limit.name, allowedAgainAtMs: this.againAt(limit, asked, other) } }),
        });
    }
    return left;
  }

  private againAt(limit: TransitionLimit, { day }: OpenTransition, ms: number): number {
    if (ms >= 0 || limit.type !== 'daily') return ms;
    return slotOf(limit, { name: '', day: day.number, owner: null }, this.judging.almanac)?.endMs ?? 0;
  }

  private isGiftOpen({ transition, name, day, version, parts }: OpenTransition): boolean {
    const { calendar, laws } = this.judging;
    const { field } = this.settings.fieldNames.gift(transition.member, name);
    const { boards } = laws.of(this.settings.fieldNames.short(field), version);
    const { periods } = calendar.boardsOf(day, transition.occurredAtMs, boards, partsFor(field, parts));
    return periods.some(({ closesAtMs }) => this.nowMs < closesAtMs);
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
      const periods = open.filter(({ board }) => board.tallyOf == null);
      const shown = periods.map((period) => this.placeOf(period));
      return { place, boards, periods, shown, answers: new BoardAnswers(set, open, nowMs) };
    });
  }

  private placeOf(period: BoardPeriod): number {
    const key = period.keys[this.shard] as string;
    return cached(this.boards, key, () => ({ place: this.boards.size + 1, period })).place;
  }

  private unitOf({ asked: { transition, day }, group, member, limits }: Planned): number {
    const isLimited = limits.length > 0;
    // A call has at most 500 grants.
    const id = 2 * (1_000 * member + group.place) + (isLimited ? 1 : 0);
    let unit = this.units.get(id);
    if (unit !== undefined) return unit;
    const { prefix } = this.settings;
    const isLate = day.number < this.judging.lastDay;
    const isOld = day.number < this.judging.packedBefore;
    const date = compactDay(day.number);
    this.flatUnits.push(
      ...recordOf(records.unit, {
        member,
        group: group.place,
        day: day.number,
        expireAtMs: finiteOrNone(day.ledgerClosesAtMs),
        ledger: this.others.push(keys.ledger(prefix, this.tag, date, transition.member)),
        date: isOld ? date : '',
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

  private moreOf({ asked, limits }: Planned, isForEver: boolean): unknown {
    const { transition, name, day, counterpart: owner } = asked;
    const { prefix, fieldNames } = this.settings;
    const { lastDay } = this.judging;
    const { member, sequence = 0, version = 1 } = transition;
    const isPaged = fieldNames.isPaged(name);
    const isLimited = limits.length > 0;
    if (!isPaged && !isForEver && !isLimited) return 0;
    const [, total = ''] = /^([^:]*:[^:]*:)/.exec(name) ?? [];
    const about = { name, day: day.number, owner };
    const date = compactDay(day.number);
    return {
      ...(isForEver && { always: this.place(keys.always(prefix, this.tag, member)) }),
      ...(isPaged && {
        page: this.place(keys.page(prefix, this.tag, date, pageOf(name), member)),
        crowd: this.place(keys.crowd(prefix, this.tag, date, member)),
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
