import { keys, nameAfterTag } from '../../keys/keys';
import { BoardAnswers } from './board-answers';
import { CallGroups, type Group } from './call-groups';
import type { BoardPeriod, Calendar, CalendarDay } from '../periods/calendar';
import type { CountSet } from '../limits/counts';
import type { CrowdedHashes } from './crowded-hashes';
import { DayPlans, type DayPlan, type PlannedDay } from './day-plans';
import type { LedgerSettings } from '../model/ledger-options';
import { shortValue } from '../model/field-value';
import { messagePack } from './message-pack';
import { pathsOf } from '../pages/paths';
import { dayMs } from '../../time/days';
import { recordOf } from '../../redis/record-of';
import { scripts } from '../../scripts/scripts.generated';
import type { Transition, TransitionLimit, TransitionResult } from '../model/ledger.types';
import type { ColdDays } from './cold-days';
import { concernsOtherDays, isForGood, RememberedDays } from './remembered-days';
import { Period } from '../../time/period';
import type { PeriodSpec } from '../../time/period-spec';
import type { PeriodLedgers } from '../limits/limit-lines';
import { LimitPlan, textsOf, type LimitExtras } from './limit-plan';
import { TransitionReply, type Planned } from './transition-reply';

/** A key that names somebody: the text that does, the key's place in the call, and the field; '': the key's name. */
interface ListedKey {
  readonly text: string;
  readonly position: number;
  readonly field: string;
  /** 0: never. */
  readonly expireAtMs?: number;
}

/** All that judging a transition needs which is no plain grant of today. */
interface Extras {
  readonly days?: readonly DayPlan[];
  readonly [name: string]: unknown;
}

/** Where and when a call records. */
export interface PlanPlace {
  readonly shard: number;
  readonly nowMs: number;
  /** The latest day that a transition may have which any host accepts. */
  readonly horizon: CalendarDay;
  /** Days of fields that count once for good, as far as the call knows them. */
  readonly remembered?: RememberedDays;
  /** The hashes whose pages the call names. */
  readonly crowded: CrowdedHashes;
  /** The old ledgers that came back for the call. */
  readonly cold?: ColdDays;
  /** Whether caps may change other fields than a transition's: the call names all boards of its day then. */
  readonly judgesDays?: boolean;
}

/**
 * Whether a transition may give points: a grant on its day; a revoke on days that the ended grant kept from counting.
 */
function mayComeToCount({ kind, onceInDays = 1 }: Transition): boolean {
  return kind === 'grant' || (kind === 'revoke' && onceInDays > 1);
}

/** Makes the keys and the argument of record-grants.lua and judge-transitions.lua, and reads their replies. */
export class TransitionPlan {
  private readonly groups: CallGroups;
  private readonly days: DayPlans;
  /** Groups' places, each before the events that follow one another in that group, flat. */
  private readonly runs: (number | unknown[])[] = [];
  /** The place of the group of the last of them, and those events. */
  private run: { readonly place: number; readonly events: unknown[] } | null = null;
  private readonly planned: Planned[] = [];
  /** Other members that transitions name, as NAMED of plan.lua lists them. */
  private readonly named: unknown[] = [];
  /** By text, the places of the lists of keys that name somebody by it. */
  private readonly listPlaces = new Map<string, number>();
  /** By member, period and day, the ledgers of a period's other days. */
  private readonly spans = new Map<string, readonly number[]>();
  /** How long the reply of record-grants.lua is, up to the transition that is planned next. */
  private replyLength = 0;
  /** No less than all points that the call could add to one entry. */
  private mostPoints = 0;
  /** Whether all that is planned are plain grants, without limits: record-grants.lua knows nothing else. */
  private isPlain = true;
  private results: (TransitionResult | null)[] = [];
  private readonly shard: number;
  private readonly nowMs: number;
  private readonly horizon: CalendarDay;
  /** By the names of boards that not every field counts on, what the fields begin with that do. */
  private beginnings: Transition['beginnings'];
  private readonly remembered: RememberedDays;
  private readonly crowded: CrowdedHashes;
  private readonly cold: ColdDays | undefined;
  /** Whether a plain grant may lie in a page. */
  private isPaged = false;
  /** Of how many crowded days what is left may be looked for, where something ends that gave an entry its time. */
  searches = 0;
  private readonly limits: LimitPlan;
  /** Whether caps of days bind whatever the order of arrival: which boards a field counts on must be known. */
  private hasCaps: boolean;
  private readonly judgesDays: boolean;
  /** The place of the sorted set of first days; 0: they are not kept. */
  private readonly firstDaysPlace: number;

  constructor(
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    { shard, nowMs, horizon, crowded, remembered = new RememberedDays(), cold, judgesDays = false }: PlanPlace,
    /** The counts of the transitions' caller. */
    counts: CountSet,
    /** Of members whose days are listed in Redis, those days' numbers, as far as a transition here needs them. */
    private readonly knownDays: ReadonlyMap<string, Set<number>> = new Map(),
    /** Of the terms by which points are granted, where a transition names none. */
    private readonly version = 1,
  ) {
    this.shard = shard;
    this.nowMs = nowMs;
    this.horizon = horizon;
    this.remembered = remembered;
    this.crowded = crowded;
    this.cold = cold;
    this.groups = new CallGroups(settings, shard, nowMs);
    const place = (key: string) => this.groups.keyPlace(key);
    const { prefix, fieldNames } = settings;
    const listPlace = (text: string) => this.listPlace(text);
    const ledgersOf = (period: PeriodSpec, member: string, day: CalendarDay) => this.ledgersOf(period, member, day);
    this.hasCaps = counts.caps.some((max) => max > 0) && settings.partitionKeys.length === 0;
    const limitKeys = { prefix, tag: this.groups.tag, fieldNames, place, listPlace, ledgersOf };
    this.limits = new LimitPlan(counts, limitKeys, () => this.hasCaps);
    this.judgesDays = judgesDays;
    const pagesOf = (day: CalendarDay, ledger: number, transition: Transition) => this.pagesOf(day, ledger, transition);
    this.days = new DayPlans({ calendar, groups: this.groups, horizon: this.horizon, knownDays, pagesOf });
    this.firstDaysPlace = settings.keepsFirstDays
      ? this.groups.keyPlace(keys.firstDays(settings.prefix, this.groups.tag))
      : 0;
  }

  /** Whether any transition is left for the script to judge. */
  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /**
   * Takes the transitions of a call, once. Those of one member follow one another, in their order: the script then
   * reads and writes each ledger once. Members' order does not matter: no transition reads or changes another member's.
   */
  take(transitions: readonly Transition[]): void {
    this.results = new Array<null>(transitions.length).fill(null);
    this.hasCaps &&= transitions.every(({ kind, beginnings }) => kind === 'adjust' || this.areTold(beginnings));
    const names = transitions.map(({ member }) => this.groups.namePlace(member));
    const order = names.map((_, index) => index);
    const placeAt = (index: number) => names[index] as number;
    if (this.groups.names.length < names.length) order.sort((a, b) => placeAt(a) - placeAt(b));
    for (const index of order) this.add(transitions[index] as Transition, index, placeAt(index));
  }

  /** Whether the fields of a ledger tell on which of its boards they count. */
  private areTold(beginnings: Transition['beginnings']): boolean {
    return this.settings.boards.every(({ name, tallyOf }) => tallyOf == null || beginnings?.[name] !== undefined);
  }

  /** Settles a transition here where its time alone decides, plans it for the script otherwise. */
  private add(transition: Transition, index: number, namePlace: number): void {
    const { occurredAtMs, grantedAtMs } = transition;
    if (occurredAtMs > this.nowMs + this.settings.clockSkewMs) {
      const boards = this.calendar.labelsOf(transition.boards, transition.partitions, 'refused');
      this.results[index] = { outcome: 'rejected', points: 0, scores: {}, boards, reason: 'future' };
      return;
    }
    const day = this.calendar.dayOf(grantedAtMs ?? occurredAtMs);
    const set = this.calendar.boardsOf(day, transition.boards, transition.partitions);
    const group = this.groups.groupOf(set);
    if (!group) {
      const { boards } = new BoardAnswers(set, [], this.nowMs).of('closed');
      this.results[index] = { outcome: 'closed', points: 0, scores: {}, boards };
      return;
    }
    const member = this.groups.memberPlace(group, namePlace);
    // An earlier transition of this call may be the first of its day.
    this.knownDays.get(transition.member)?.add(day.number);
    const events = this.eventsOf(group);
    const { kind, points } = transition;
    this.beginnings = transition.beginnings ?? this.beginnings;
    const limits = mayComeToCount(transition) ? this.limits.of(transition, day) : null;
    const value = this.valueOf(transition, day, group, member, limits);
    const field = this.settings.fieldNames.short(transition.field);
    this.isPlain &&= typeof value === 'string' && limits === null;
    if (typeof value !== 'string') {
      events.push(0, member, field, value, points, occurredAtMs);
      this.mostPoints += Math.max(points, 0) * (value.days?.length ?? 1);
    } else {
      const pages = this.ledgerPages(day, group.ledgerPlaces[member - 1] as number, transition);
      this.isPaged ||= pages !== undefined;
      const held = pages === undefined ? field : recordOf(scripts.judgeTransitions.records.paged, { field, pages });
      events.push(limits ? -member : member, held, value, points, occurredAtMs);
      if (limits) this.limits.ofGrants.push(...limits);
      this.mostPoints += points;
    }
    if (transition.names) {
      const place = group.ledgerPlaces[member - 1] as number;
      this.nameAll(transition, { position: place, field, expireAtMs: day.ledgerExpireAtMs });
      const revokes = typeof value !== 'string' && kind === 'revoke' && value.revokes;
      // It outlives the ledger: another revoke of the member's renews it, and this field's stays.
      if (typeof revokes === 'number' && transition.grantedAtMs === undefined) {
        this.nameAll(transition, { position: revokes, field });
      }
      const remembered = typeof value !== 'string' && value.remembered;
      if (typeof remembered === 'number') this.nameAll(transition, { position: remembered, field });
    }
    if (limits && transition.counterpart !== undefined && transition.limits?.some(isPerPair)) {
      this.name(transition.counterpart, null);
    }
    for (const key of limits && transition.prepared ? this.limits.ownKeysOf(transition) : []) {
      this.name(transition.member, { text: transition.member, position: this.groups.keyPlace(key), field: '' });
    }
    this.planned.push({ index, group, transition });
    this.replyLength += 1 + group.open.length;
  }

  /** Lists a hash that has the transition's field under what the field names others by. */
  private nameAll(transition: Transition, hash: Omit<ListedKey, 'text'>): void {
    const texts = textsOf(transition);
    transition.names?.forEach((name, i) => this.name(name, { ...hash, text: texts[i] as string }));
  }

  /** Notes that the transition which is planned next names a member, in a key that is listed or in none. */
  private name(name: string, listed: ListedKey | null): void {
    const { text, position = 1, field = '', expireAtMs = 0 } = listed ?? {};
    const values = {
      event: this.planned.length + 1,
      name,
      list: text === undefined ? 0 : this.listPlace(text),
      key: nameAfterTag(this.groups.otherKeys[position - 1] ?? ''),
      expireAtMs: expireAtMs === 0 ? '+inf' : String(expireAtMs),
      reply: this.replyLength + 1,
      position,
      field,
    };
    this.named.push(...recordOf(scripts.recordGrants.records.named, values));
  }

  /** The ledgers of a member's other days in a period, up to the latest that any host may know. */
  private ledgersOf(spec: PeriodSpec, member: string, day: CalendarDay): PeriodLedgers {
    const period = Period.find(spec, new Date(day.startMs), this.settings.timezone);
    if (!(period instanceof Period) || period.end === null) return 0;
    const id = JSON.stringify([member, period.key, day.number]);
    let span = this.spans.get(id);
    if (!span) {
      const last = Math.min(this.calendar.dayOf(period.end.getTime() - 1).number, this.horizon.number);
      const ledgers: number[] = [];
      for (let number = this.calendar.dayOf(period.start.getTime()).number; number <= last; number++) {
        const other = number === day.number ? null : this.calendar.dayNumbered(number);
        // A limit's periods are no longer than Redis keeps ledgers.
        if (other && this.nowMs < Math.min(other.ledgerClosesAtMs, other.coolsAtMs + dayMs))
          ledgers.push(this.groups.ledgerPlace(other, member));
      }
      this.spans.set(id, (span = [period.end.getTime(), ...ledgers]));
    }
    return span;
  }

  private listPlace(text: string): number {
    let place = this.listPlaces.get(text);
    if (place === undefined) {
      place = this.groups.keyPlace(keys.naming(this.settings.prefix, this.groups.tag, text));
      this.listPlaces.set(text, place);
    }
    return place;
  }

  /** Whether record-grants.lua may be asked: nothing here is limited, counted or anything but a plain grant. */
  get hasPlainGrantsAlone(): boolean {
    return this.isPlain && this.limits.isEmpty;
  }

  /** The boards' periods that the script may change. */
  get periods(): readonly BoardPeriod[] {
    return this.groups.periods;
  }

  /** The keys of record-grants.lua. Asked for after {@link scriptArgs}, which may name others. */
  grantKeys(): Readonly<Record<keyof typeof scripts.recordGrants.keys, readonly string[]>> {
    return {
      boards: this.groups.boardKeys,
      others: this.groups.otherKeys,
      counting: [keys.counting(this.settings.prefix, this.groups.tag)],
      erased: [keys.erased(this.settings.prefix, this.groups.tag)],
      excluded: [keys.excluded(this.settings.prefix, this.groups.tag)],
      frozen: this.periods.map((period) => period.frozenKeys[this.shard] as string),
    };
  }

  /** The keys of judge-transitions.lua; likewise. */
  judgeKeys(): Readonly<Record<keyof typeof scripts.judgeTransitions.keys, readonly string[]>> {
    const excludedBoards = this.periods.map((period) => period.asideKeys[this.shard] as string);
    return { ...this.grantKeys(), windows: this.limits.windows, excludedBoards };
  }

  /** The plan as the script reads it: record-grants.lua, where it is plain. */
  scriptArgs(isPlain: boolean): { readonly plan: Buffer } {
    const [boards, groups] = [this.groups.boardArgs(), this.groups.groupArgs()];
    const daysExpireAtMs = this.settings.indexesDays ? this.keepUntilMs(this.settings.ledgerRetentionMs) : -1;
    const { runs, mostPoints, nowMs } = this;
    const isPaged = this.isPaged ? 1 : 0;
    const plan = recordOf(scripts.judgeTransitions.records.plan, {
      boards,
      groups,
      runs,
      daysExpireAtMs,
      version: versionMark(this.version),
      limits: this.limits.args(nowMs),
      firstDays: this.firstDaysPlace,
      names: this.groups.names,
      mostPoints,
      nowMs,
      named: this.named.length > 0 ? this.named : 0,
      isPaged,
      cold: this.cold?.firstHotDay == null ? 0 : { ...this.cold.args(), '': [this.cold.firstHotDay] },
      standing: isPlain ? 0 : JSON.stringify(this.periods.map((period) => this.standingOn(period))),
    });
    return { plan: messagePack(plan) };
  }

  /**
   * The result of each transition, by the index given with it; null: not judged, as its list of days was out of date.
   */
  read(reply: unknown): (TransitionResult | null)[] {
    const read = new TransitionReply(this.groups.groups, this.groups.names, this.nowMs);
    read.read(reply, this.planned, this.results);
    for (const place of read.crowded) this.crowded.add(this.groups.otherKeys[place - 1] as string);
    return this.results;
  }

  /**
   * The place of the pages in which a transition's field may lie on a day; 0 where the ledger is not known to have any,
   * undefined where the field lies in the ledger itself.
   */
  private ledgerPages(
    day: CalendarDay,
    ledger: number,
    { field, member }: Pick<Transition, 'field' | 'member'>,
  ): number | undefined {
    if (!this.settings.fieldNames.isPaged(field)) return undefined;
    const { prefix } = this.settings;
    const page = (path: string) => keys.ledgerPage(prefix, this.groups.tag, day.compactKey, path, member);
    return this.pagesPlace(ledger, field, page);
  }

  /** {@link ledgerPages}, as a day's plan lists them. */
  private pagesOf(day: CalendarDay, ledger: number, transition: Transition): readonly number[] {
    const pages = this.ledgerPages(day, ledger, transition);
    if (pages === undefined) return [];
    if (pages > 0 && transition.kind !== 'grant') this.searches++;
    return [pages];
  }

  /** Likewise of the general revokes. */
  private revokesPages(revokes: number, { field, member }: Transition): number | undefined {
    if (!this.settings.fieldNames.isPaged(field)) return undefined;
    const page = (path: string) => keys.revokesPage(this.settings.prefix, this.groups.tag, path, member);
    return this.pagesPlace(revokes, field, page);
  }

  private pagesPlace(hash: number, field: string, page: (path: string) => string): number {
    if (!this.crowded.has(this.groups.otherKeys[hash - 1] as string)) return 0;
    const [first = 0] = pathsOf(field).map((path) => this.groups.keyPlace(page(path)));
    return first;
  }

  /** What tells the script which ledgers and fields may give an entry of a board its time. */
  private standingOn({ board: { name, tallyOf }, period, partition }: BoardPeriod): readonly unknown[] {
    const { keptLedgersMs, fieldNames } = this.settings;
    const dayAt = (ms: number) => this.calendar.dayOf(ms).number;
    const oldestMs = keptLedgersMs === null ? 0 : this.nowMs - keptLedgersMs;
    const lastDay = period.end ? dayAt(period.end.getTime() - 1) : Infinity;
    const beginnings = this.beginnings?.[name];
    const isUntold = partition !== null || (tallyOf != null && !beginnings);
    return recordOf(scripts.judgeTransitions.records.standing, {
      firstDay: dayAt(Math.max(0, oldestMs, period.start.getTime())),
      lastDay: Math.min(lastDay, this.horizon.number),
      beginnings: isUntold ? 1 : (beginnings?.flatMap(fieldNames.beginnings) ?? 0),
      name,
    });
  }

  /** Until when the keys that today's ledgers need must be kept, for as long as those; 0: for good. */
  private keepUntilMs(keptMs: number | null): number {
    return keptMs === null ? 0 : this.horizon.endMs + keptMs;
  }

  /** The days beside its own on which a field that counts once for good is known to stand. */
  private rememberedDays(day: CalendarDay, transition: Transition) {
    const known = this.remembered.of(transition);
    const place = this.groups.keyPlace(keys.remembered(this.settings.prefix, this.groups.tag, transition.member));
    if (transition.freesNone) return { place, before: [], after: [] };
    const { open, closed } = this.days.openAmong(
      [...known].filter((number) => number !== day.number),
      transition,
    );
    known.add(day.number);
    return {
      place,
      before: open.filter((planned) => planned.day.number < day.number),
      after: open.filter((planned) => planned.day.number > day.number),
      closed,
    };
  }

  /** What the judge needs of a transition's id: it is kept as long as the longest board of its day, and its ledger. */
  private idOf({ id, member }: Transition, { open, set }: Group) {
    const untilMs = [set.day.ledgerExpireAtMs, ...open.map(({ expireAtMs }) => expireAtMs)];
    const keptUntil = untilMs.includes(0) ? keptForEver : Math.ceil(Math.max(...untilMs) / dayMs);
    const ids = this.groups.keyPlace(keys.ids(this.settings.prefix, this.groups.tag, member));
    return { id: [ids, id, keptUntil, Math.floor(this.nowMs / dayMs)] };
  }

  private adjustedPlace({ member }: Transition): number {
    return this.groups.keyPlace(keys.adjusted(this.settings.prefix, this.groups.tag, member));
  }

  /** The place of the group of all boards of a day. */
  private groupOfAll(day: CalendarDay): number {
    return this.groups.groupOf(this.calendar.boardsOf(day, this.settings.boardNames))?.place ?? 0;
  }

  private eventsOf({ place }: Group): unknown[] {
    if (this.run?.place !== place) {
      this.run = { place, events: [] };
      this.runs.push(place, this.run.events);
    }
    return this.run.events;
  }

  /** A grant's field, points and moment; for all but plain grants of today, everything that judging needs. */
  private valueOf(
    transition: Transition,
    day: CalendarDay,
    group: Group,
    member: number,
    limits: LimitExtras | null,
  ): string | Extras {
    const { kind, id, points, occurredAtMs, sequence, grantedAtMs, onceInDays: once = 1, version } = transition;
    const isLate = day.number < this.horizon.number;
    // A page knows no limits.
    const isAlone = limits !== null && this.settings.fieldNames.isPaged(transition.field);
    const isOfDay = this.judgesDays && this.hasCaps;
    if (kind === 'grant' && points >= 0 && !isLate && once === 1 && id === undefined && !isAlone && !isOfDay) {
      const standing = { points, version: version ?? this.version, ms: occurredAtMs, sequence: sequence ?? 0 };
      return shortValue(standing, day.number);
    }
    const moment = sequence ? `${occurredAtMs}.${sequence}` : `${occurredAtMs}`;
    if (kind === 'adjust') {
      const applied = this.adjustedPlace(transition);
      return { op: kind, moment, applied, names: group.open.map(({ label }) => label), note: transition.note };
    }

    const op = kind === 'grant' ? 'grant' : grantedAtMs === undefined ? 'revoke' : 'dayRevoke';
    const forGood = isForGood(transition) ? this.rememberedDays(day, transition) : null;
    const found = op === 'revoke' ? this.days.openDaysBefore(day, transition) : [];
    const ended = op === 'revoke' && forGood ? allOf(forGood.before, found) : found;
    const firstJudged = ended[0]?.day ?? day;
    const isSpread = once > 1 && !forGood;
    const kept = isSpread ? this.days.ledgersBefore(firstJudged, once - 1, transition) : [];
    if (forGood && op !== 'revoke') kept.push(...forGood.before.map((entry) => entry.plan));
    // A revoke ends the grant of its id, whenever that was.
    const looksAhead = isSpread || (op === 'revoke' && id !== undefined);
    const after = forGood?.after ?? (looksAhead ? this.days.openDaysAfter(day, transition) : []);
    const { prefix, keptLedgersMs, indexesDays } = this.settings;
    const ledger = group.ledgerPlaces[member - 1] as number;
    const revokes =
      isLate || kind === 'revoke' ? this.groups.keyPlace(keys.revokes(prefix, this.groups.tag, transition.member)) : 0;
    const revokesPages = revokes > 0 ? this.revokesPages(revokes, transition) : undefined;
    return {
      op,
      moment,
      ...(version !== undefined && { version: versionMark(version) }),
      days: [
        ...kept,
        ...ended.map((entry) => entry.plan),
        [group.place, ledger, day.number, ...this.pagesOf(day, ledger, transition)],
        ...after.map((entry) => entry.plan),
      ],
      own: kept.length + ended.length + 1,
      from: firstJudged.number,
      once: forGood ? forGoodDays : once,
      ...(forGood && { remembered: forGood.place, closed: forGood.closed }),
      ...(id !== undefined && this.idOf(transition, group)),
      ...((points < 0 || isOfDay) && { applied: this.adjustedPlace(transition) }),
      ...(limits && { limits }),
      ...(isOfDay && { whole: this.groupOfAll(day) }),
      ...(indexesDays && this.knownDays.has(transition.member) && concernsOtherDays(transition)
        ? { knownDays: [...(this.knownDays.get(transition.member) ?? [])] }
        : {}),
      ...(revokes > 0
        ? {
            revokes,
            ...(revokesPages !== undefined && { revokesPages }),
            revokesExpireAtMs: this.keepUntilMs(keptLedgersMs),
            revokesFromMs: keptLedgersMs === null ? 0 : this.nowMs - keptLedgersMs - 2 * 86_400_000,
          }
        : {}),
    };
  }
}

/** More days than a calendar has. */
const forGoodDays = 1e9;

/** The day until which what never goes is kept; ids.lua knows it. */
const keptForEver = 2 ** 28;

/** Days of two lists, oldest first, each once. */
function allOf(one: readonly PlannedDay[], other: readonly PlannedDay[]): PlannedDay[] {
  const byNumber = new Map([...one, ...other].map((planned) => [planned.day.number, planned]));
  return [...byNumber.values()].sort((a, b) => a.day.number - b.day.number);
}

/** Whether the window of a limit is named by the counterpart. */
function isPerPair(limit: TransitionLimit): boolean {
  return limit.type === 'sliding' && limit.per === 'pair';
}

/** The suffix of points in a ledger: empty for the first version. */
function versionMark(version: number): string {
  return version === 1 ? '' : `v${version}`;
}
