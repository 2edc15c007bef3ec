import { keys, ledgerStem } from '../keys';
import { changesIn } from './adjustment';
import { BoardAnswers, mergedAnswer, type BoardAnswer } from './board-answers';
import type { BoardPeriod, BoardSet, Calendar, CalendarDay } from './calendar';
import type { CountSet } from './counts';
import { maxDaysScanned, type LedgerSettings } from './ledger-options';
import { LimitPlan, refusalOf, type LimitExtras } from './limit-plan';
import type { Transition, TransitionLimit, TransitionOutcome, TransitionResult } from './ledger.types';

/** The numbers by which scripts/record-transitions.lua names its outcomes; 0: not judged. */
const outcomes: readonly (TransitionOutcome | undefined)[] = [
  undefined,
  'granted',
  'revoked',
  'duplicate',
  'limited',
  'notGranted',
  'rejected',
  'closed',
];

/** One day and set of boards in a call. The members of its own events are read from each of its boards at once. */
interface Group {
  /** Its place, from 1, as Lua counts. */
  readonly place: number;
  readonly set: BoardSet;
  readonly open: readonly BoardPeriod[];
  readonly answers: BoardAnswers;
  readonly boardPlaces: readonly number[];
  /** Of the members of its own events, the places of their names in the call. */
  readonly members: number[];
  /** By a member's name, his place among `members`. */
  readonly memberPlaces: Map<string, number>;
  /** The ledger's place in KEYS for each of `members`. */
  readonly ledgerPlaces: number[];
}

/** A transition that the script judges, with what its answer needs to be read. */
interface Planned {
  readonly index: number;
  readonly group: Group;
  readonly points: number;
  readonly limits: readonly TransitionLimit[] | undefined;
  readonly isAdjustment: boolean;
}

/** Group (0: only its ledger is read), the ledger's place, the day's number: one of an extra's `days`. */
type DayPlan = readonly [group: number, ledger: number, day: number];

/** All that judging a transition needs which is no plain grant of today. */
interface Extras {
  readonly days?: readonly DayPlan[];
  readonly [name: string]: unknown;
}

/** A board of a call: its place from 1, and of a part the place of the key that lists it. */
interface PlannedBoard {
  readonly place: number;
  readonly period: BoardPeriod;
  readonly listPlace: number | null;
}

interface PlannedDay {
  readonly day: CalendarDay;
  readonly plan: DayPlan;
}

/** Whether a transition concerns more days than its own. */
export function concernsOtherDays({ kind, grantedAtMs, onceInDays = 1 }: Transition): boolean {
  return onceInDays > 1 || (kind === 'revoke' && grantedAtMs === undefined);
}

/** The twin of scripts/record-transitions.lua: makes its keys and its argument and reads its reply. */
export class TransitionPlan {
  /** By their keys: what is kept of periods may be made anew at any time. */
  private readonly boards = new Map<string, PlannedBoard>();
  private readonly groups: Group[] = [];
  private readonly groupsBySet = new Map<BoardSet, Group | null>();
  private readonly otherKeys: string[] = [];
  /** Groups' places, each with the events that follow one another in that group, flat. */
  private readonly runs: [group: number, events: unknown[]][] = [];
  private readonly planned: Planned[] = [];
  private readonly names: string[] = [];
  private readonly namePlaces = new Map<string, number>();
  /** No less than all points that the call could add to one entry. */
  private mostPoints = 0;
  private readonly results: (TransitionResult | null)[] = [];
  private readonly horizon: CalendarDay;
  /** What stands behind points granted now. */
  private readonly version: string;
  private readonly limits: LimitPlan;
  /** The place of the sorted set of first days; 0: they are not kept. */
  private readonly firstDaysPlace: number;

  constructor(
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly shard: number,
    private readonly nowMs: number,
    /** What the transitions' caller counts. */
    counts: CountSet,
    /** Of members whose days are listed in Redis, those days' numbers, as far as a transition here needs them. */
    private readonly knownDays: ReadonlyMap<string, Set<number>> = new Map(),
    /** Of the terms by which points are granted, where a transition names none. */
    version = 1,
  ) {
    this.version = versionMark(version);
    this.limits = new LimitPlan(counts, { prefix: settings.prefix, tag: this.tag, place: (key) => this.keyPlace(key) });
    // Hosts' clocks may differ by the skew allowed: a revoke that another host accepts is dated at most so far ahead.
    this.horizon = calendar.dayOf(nowMs + 2 * settings.clockSkewMs);
    this.firstDaysPlace = settings.keepsFirstDays ? this.keyPlace(keys.firstDays(settings.prefix, this.tag)) : 0;
  }

  /** Whether any transition is left for the script to judge. */
  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /**
   * Takes the next transition: settles it here where its time alone decides, plans it for the script otherwise.
   * @param index where its result is to stand.
   */
  add(transition: Transition, index: number): void {
    this.results[index] = null;
    const { occurredAtMs, grantedAtMs } = transition;
    if (occurredAtMs > this.nowMs + this.settings.clockSkewMs) {
      const boards = this.calendar.labelsOf(transition.boards, transition.partitions, 'refused');
      this.results[index] = { outcome: 'rejected', points: 0, scores: {}, boards, reason: 'future' };
      return;
    }
    const day = this.calendar.dayOf(grantedAtMs ?? occurredAtMs);
    const set = this.calendar.boardsOf(day, transition.boards, transition.partitions);
    const group = this.groupOf(set);
    if (!group) {
      const { boards } = new BoardAnswers(set, [], this.nowMs).of('closed');
      this.results[index] = { outcome: 'closed', points: 0, scores: {}, boards };
      return;
    }
    const member = this.memberPlace(group, transition.member);
    // An earlier transition of this call may be the first of its day.
    this.knownDays.get(transition.member)?.add(day.number);
    const events = this.eventsOf(group);
    const { field, points } = transition;
    const limits = transition.kind === 'grant' ? this.limits.of(transition) : null;
    const value = this.valueOf(transition, day, group, member, limits);
    if (typeof value !== 'string') {
      events.push(0, member, field, value, points, occurredAtMs);
      this.mostPoints += Math.max(points, 0) * (value.days?.length ?? 1);
    } else {
      if (limits) events.push(-member, field, value, points, occurredAtMs, ...limits);
      else events.push(member, field, value, points, occurredAtMs);
      this.mostPoints += points;
    }
    const isAdjustment = transition.kind === 'adjust';
    this.planned.push({ index, group, points: isAdjustment ? 0 : points, limits: transition.limits, isAdjustment });
  }

  /** The boards' periods that the script may change. */
  get periods(): readonly BoardPeriod[] {
    return [...this.boards.values()].map(({ period }) => period);
  }

  /**
   * The boards, the others, whose places are counted from the end of the boards, and then, counted from the end, what
   * belongs to each board: the set beside it, and its mark. Asked for after {@link scriptArgs}, which may name others.
   */
  scriptKeys(): Readonly<
    Record<'boards' | 'others' | 'windows' | 'asides' | 'counting' | 'excluded' | 'frozen', readonly string[]>
  > {
    return {
      boards: [...this.boards.keys()],
      others: this.otherKeys,
      windows: this.limits.windows,
      asides: this.periods.map((period) => period.asideKeys[this.shard] as string),
      counting: [keys.counting(this.settings.prefix, this.tag)],
      excluded: [keys.excluded(this.settings.prefix, this.tag)],
      frozen: this.periods.map((period) => period.frozenKeys[this.shard] as string),
    };
  }

  /** The plan as the script reads it. */
  scriptArgs(): { readonly plan: string } {
    const boards = [...this.boards.values()].map(({ period: { board, score, expireAtMs, partition }, listPlace }) => [
      score.originMs,
      score.tickMs,
      score.unit,
      Math.floor((score.endMs - 1 - score.originMs) / score.tickMs),
      (score.maxPoints + 1) * score.unit,
      expireAtMs,
      ...(board.tallyOf != null ? [false, false, true] : listPlace === null ? [] : [listPlace, partition]),
    ]);
    const groups = this.groups.map(({ set, open, boardPlaces, members, ledgerPlaces }) => {
      const dayBoard = open.findIndex(({ board }) => board.period === 'day');
      const dayPlace = dayBoard < 0 ? 0 : boardPlaces[dayBoard];
      const isAll = members.length === this.names.length && members.every((place, i) => place === i + 1);
      return [set.day.ledgerExpireAtMs, dayPlace, boardPlaces, isAll ? 0 : members, set.day.number, ledgerPlaces];
    });
    const daysExpireAtMs = this.settings.indexesDays ? this.keepUntilMs : -1;
    const limits = this.limits.args(this.nowMs);
    const { runs, version, firstDaysPlace, names, mostPoints } = this;
    const plan = [boards, groups, runs, daysExpireAtMs, version, limits, firstDaysPlace, names, mostPoints];
    return { plan: JSON.stringify(plan) };
  }

  /** What became of each transition, by the index given with it; null: nothing, as its list of days was out of date. */
  read(reply: unknown): (TransitionResult | null)[] {
    const values = reply as readonly (number | string)[];
    // Where boards were found frozen, what comes last is a string.
    const answers = this.answersWithout(values.at(-1));
    let at = 0;
    for (const { index, group, points: given, limits, isAdjustment } of this.planned) {
      const code = Number(values[at++] ?? 0);
      const outcome = outcomes[Math.abs(code)];
      let points = outcome === 'granted' ? given : 0;
      let detail: number | string = 0;
      if (code < 0) {
        points = Number(values[at] ?? 0);
        detail = values[at + 1] ?? 0;
        at += 2;
      }
      const { open } = group;
      if (outcome === undefined) {
        at += open.length;
        continue;
      }
      const scores: Record<string, number> = {};
      for (const { board, label, score } of open) {
        const packed = Number(values[at++] ?? 0);
        if (board.tallyOf == null && packed >= 0) scores[label] = Math.floor(packed / score.unit);
      }
      if (isAdjustment) {
        const changes = typeof detail === 'string' ? changesIn(detail) : {};
        const { boards } = answers(group).of(outcome);
        const reason = outcome === 'rejected' ? { reason: 'scoreOutOfRange' } : {};
        this.results[index] = { outcome, points, scores, boards, changes, ...reason };
        continue;
      }
      // What more there is to say of a refusal is a string too.
      const elsewhere = typeof detail === 'string' && outcome !== 'limited' ? detail : null;
      const { boards, late } = elsewhere !== null ? this.answerOf(elsewhere, answers) : answers(group).of(outcome);
      const result = late.length > 0 ? { outcome, points, scores, boards, late } : { outcome, points, scores, boards };
      if (outcome === 'rejected') {
        this.results[index] = { ...result, reason: 'scoreOutOfRange' };
      } else if (elsewhere !== null || detail === 0) {
        this.results[index] = result;
      } else {
        const refusal = refusalOf(detail, limits ?? [], group.set.day.endMs);
        const reason = refusal?.limit ?? '';
        this.results[index] = outcome === 'limited' && refusal ? { ...result, reason, refusal } : { ...result, reason };
      }
    }
    return this.results;
  }

  /** The answers of a group's boards; `frozen` are the places of those that are closed though their time is not up. */
  private answersWithout(frozen: number | string | undefined): (group: Group) => BoardAnswers {
    if (typeof frozen !== 'string') return (group) => group.answers;
    const places = new Set(frozen.split(',').map(Number));
    const made = new Map<Group, BoardAnswers>();
    return (group) => {
      const open = group.open.filter((_, i) => !places.has(group.boardPlaces[i] as number));
      const answers = made.get(group) ?? new BoardAnswers(group.set, open, this.nowMs);
      made.set(group, answers);
      return answers;
    };
  }

  /** What was done where several days, or other ones, changed: `places` are their groups', by commas. */
  private answerOf(places: string, answers: (group: Group) => BoardAnswers): BoardAnswer {
    return mergedAnswer(
      places.split(',').map((place) => answers(this.groups[Number(place) - 1] as Group).of('granted')),
    );
  }

  /** The group of a day and its open boards; null where the day is closed: its ledger, or every board. */
  private groupOf(set: BoardSet): Group | null {
    const { day } = set;
    const known = this.groupsBySet.get(set);
    if (known !== undefined) return known;
    const open =
      this.nowMs < set.firstClosesAtMs ? set.periods : set.periods.filter((period) => this.nowMs < period.closesAtMs);
    if (open.length === 0 || this.nowMs >= day.ledgerClosesAtMs) {
      this.groupsBySet.set(set, null);
      return null;
    }
    const group: Group = {
      place: this.groups.length + 1,
      set,
      open,
      answers: new BoardAnswers(set, open, this.nowMs),
      boardPlaces: open.map((period) => this.boardPlace(period)),
      members: [],
      memberPlaces: new Map(),
      ledgerPlaces: [],
    };
    this.groups.push(group);
    this.groupsBySet.set(set, group);
    return group;
  }

  private boardPlace(period: BoardPeriod): number {
    const key = period.keys[this.shard] as string;
    let board = this.boards.get(key);
    if (!board) {
      const listKey = period.listKeys?.[this.shard];
      const listPlace = listKey === undefined ? null : this.keyPlace(listKey);
      board = { place: this.boards.size + 1, period, listPlace };
      this.boards.set(key, board);
    }
    return board.place;
  }

  /** Until when what serves ledgers of now must be kept; 0: for good. */
  private get keepUntilMs(): number {
    const { ledgerRetentionMs } = this.settings;
    return ledgerRetentionMs === null ? 0 : this.horizon.endMs + ledgerRetentionMs;
  }

  private get tag(): string {
    return this.settings.tags[this.shard] as string;
  }

  private memberPlace(group: Group, member: string): number {
    let place = group.memberPlaces.get(member);
    if (place === undefined) {
      group.members.push(this.namePlace(member));
      group.ledgerPlaces.push(this.ledgerPlace(group.set.day, member));
      place = group.members.length;
      group.memberPlaces.set(member, place);
    }
    return place;
  }

  private namePlace(member: string): number {
    let place = this.namePlaces.get(member);
    if (place === undefined) {
      place = this.names.push(member);
      this.namePlaces.set(member, place);
    }
    return place;
  }

  private keyPlace(key: string): number {
    return this.otherKeys.push(key);
  }

  private eventsOf({ place }: Group): unknown[] {
    let run = this.runs.at(-1);
    if (run?.[0] !== place) {
      run = [place, []];
      this.runs.push(run);
    }
    return run[1];
  }

  /** What is granted and when; of a transition that is no plain grant of today, all that judging it needs. */
  private valueOf(
    transition: Transition,
    day: CalendarDay,
    group: Group,
    member: number,
    limits: LimitExtras | null,
  ): string | Extras {
    const { kind, points, occurredAtMs, sequence, grantedAtMs, onceInDays: once = 1, version } = transition;
    const moment = sequence ? `${occurredAtMs}.${sequence}` : `${occurredAtMs}`;
    const isLate = day.number < this.horizon.number;
    if (kind === 'grant' && !isLate && once === 1) {
      const mark = version === undefined ? this.version : versionMark(version);
      // Where there are no points, the version alone says that it stands.
      return `${points}${points === 0 ? mark || 'v1' : mark};${moment}`;
    }
    if (kind === 'adjust') {
      const { prefix } = this.settings;
      const applied = this.keyPlace(keys.adjusted(prefix, this.tag, transition.member));
      return { op: kind, moment, applied, names: group.open.map(({ label }) => label), note: transition.note };
    }

    const op = kind === 'grant' ? 'grant' : grantedAtMs === undefined ? 'revoke' : 'dayRevoke';
    const ended = op === 'revoke' ? this.openDaysBefore(day, transition) : [];
    const firstJudged = ended[0]?.day ?? day;
    const kept = once > 1 ? this.ledgersBefore(firstJudged, once - 1, transition.member) : [];
    const after = once > 1 ? this.openDaysAfter(day, transition) : [];
    const { prefix, ledgerRetentionMs } = this.settings;
    return {
      op,
      moment,
      ...(version !== undefined && { version: versionMark(version) }),
      days: [
        ...kept,
        ...ended.map((entry) => entry.plan),
        [group.place, group.ledgerPlaces[member - 1] as number, day.number],
        ...after.map((entry) => entry.plan),
      ],
      own: kept.length + ended.length + 1,
      from: firstJudged.number,
      once,
      ...(limits && { limits }),
      ...(this.knownDays.has(transition.member) && concernsOtherDays(transition)
        ? { knownDays: [...(this.knownDays.get(transition.member) ?? [])] }
        : {}),
      ...(isLate || kind === 'revoke'
        ? {
            revokes: this.keyPlace(keys.revokes(prefix, this.tag, transition.member)),
            revokesExpireAtMs: this.keepUntilMs,
            revokesFromMs: ledgerRetentionMs === null ? 0 : this.nowMs - ledgerRetentionMs - 2 * 86_400_000,
          }
        : {}),
    };
  }

  /** The days before `day` on which something may still change, oldest first. */
  private openDaysBefore(day: CalendarDay, transition: Transition): PlannedDay[] {
    const days: PlannedDay[] = [];
    for (const earlier of this.daysOf(transition.member, day.number - 1, -1)) {
      const planned = this.planDay(earlier, transition);
      // What closes, closes in order: all days before it are closed too.
      if (!planned) break;
      days.push(planned);
    }
    return days.reverse();
  }

  /** The ledgers of the days within `count` days before `day`, whether or not a board of theirs is open, oldest first. */
  private ledgersBefore(day: CalendarDay, count: number, member: string): DayPlan[] {
    const days: DayPlan[] = [];
    for (let number = day.number - count; number < day.number; number++) {
      const earlier = this.calendar.dayNumbered(number);
      if (earlier) days.push([0, this.ledgerPlace(earlier, member), number]);
    }
    return days;
  }

  /** The days after `day` up to the latest that any host may know, oldest first. */
  private openDaysAfter(day: CalendarDay, transition: Transition): PlannedDay[] {
    const days: PlannedDay[] = [];
    for (const later of this.daysOf(transition.member, day.number + 1, 1)) {
      const planned = this.planDay(later, transition);
      if (planned) days.push(planned);
    }
    return days;
  }

  /** The days, from one on in a direction, on which the member may have a ledger. */
  private *daysOf(member: string, from: number, step: 1 | -1): Generator<CalendarDay> {
    const scannedTo = from + step * maxDaysScanned;
    const beyond = [...(this.knownDays.get(member) ?? [])]
      .filter((number) => (number - scannedTo) * step >= 0)
      .sort((a, b) => (a - b) * step);
    for (let number = from; number !== scannedTo; number += step) {
      if (number > this.horizon.number) return;
      const day = this.calendar.dayNumbered(number);
      if (day) yield day;
    }
    for (const number of beyond) {
      const day = this.calendar.dayNumbered(number);
      if (day) yield day;
    }
  }

  private planDay(day: CalendarDay, { boards, partitions, member }: Transition): PlannedDay | null {
    const group = this.groupOf(this.calendar.boardsOf(day, boards, partitions));
    return group && { day, plan: [group.place, this.ledgerPlace(day, member), day.number] };
  }

  /** The place of a ledger's key; where days are listed, the key of the member's list follows it. */
  private ledgerPlace(day: CalendarDay, member: string): number {
    const place = this.keyPlace(ledgerStem(this.settings.prefix, this.tag, day.compactKey) + member);
    if (this.settings.indexesDays) this.keyPlace(keys.days(this.settings.prefix, this.tag, member));
    return place;
  }
}

/** What stands behind points in a ledger: nothing for the first version. */
function versionMark(version: number): string {
  return version === 1 ? '' : `v${version}`;
}
