import { keys, ledgerStem } from '../keys';
import type { BoardPeriod, BoardSet, Calendar, CalendarDay } from './calendar';
import type { LedgerSettings } from './ledger-options';
import type { Transition, TransitionLimit, TransitionOutcome, TransitionResult } from './ledger.types';

/** The numbers by which scripts/record-transitions.lua names its outcomes; 0 is none. */
const outcomes: readonly (TransitionOutcome | undefined)[] = [
  undefined,
  'granted',
  'revoked',
  'duplicate',
  'limited',
  'notGranted',
  'rejected',
];

/** One day and set of boards in a call. The members of its own events are read from each of its boards at once. */
interface Group {
  /** Its place, from 1, as Lua counts. */
  readonly place: number;
  readonly set: BoardSet;
  readonly open: readonly BoardPeriod[];
  readonly boardPlaces: readonly number[];
  readonly members: string[];
  readonly memberPlaces: Map<string, number>;
  /** The ledger's place in KEYS for each of `members`. */
  readonly ledgerPlaces: number[];
}

/** A transition that the script judges, with what its answer needs to be read. */
interface Planned {
  readonly index: number;
  readonly group: Group;
  readonly limits: readonly TransitionLimit[] | undefined;
}

/** The twin of scripts/record-transitions.lua: names its keys and arguments and reads its reply. */
export class TransitionPlan {
  static readonly keyNames = ['boards', 'others'] as const;
  static readonly argNames = ['plan'] as const;

  private readonly boardPlaces = new Map<BoardPeriod, number>();
  private readonly groups: Group[] = [];
  private readonly groupsBySet = new Map<BoardSet, Group | null>();
  private readonly otherKeys: string[] = [];
  private readonly events: unknown[] = [];
  private readonly planned: Planned[] = [];
  private readonly results: (TransitionResult | undefined)[] = [];
  private readonly horizon: CalendarDay;

  constructor(
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly shard: number,
    private readonly nowMs: number,
  ) {
    // Hosts' clocks may differ by the skew allowed: a revoke that another host accepts is dated at most so far ahead.
    this.horizon = calendar.dayOf(nowMs + 2 * settings.clockSkewMs);
  }

  /** Whether any transition is left for the script to judge. */
  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /** Takes the next transition: settles it here where its time alone decides, plans it for the script otherwise. */
  add(transition: Transition): void {
    const index = this.results.length;
    this.results.push(undefined);
    const { occurredAtMs, grantedAtMs } = transition;
    if (occurredAtMs > this.nowMs + this.settings.clockSkewMs) {
      this.results[index] = { outcome: 'rejected', points: 0, scores: {}, reason: 'future' };
      return;
    }
    const day = this.calendar.dayOf(grantedAtMs ?? occurredAtMs);
    const group = this.groupOf(day, transition.boards);
    if (!group) {
      this.results[index] = { outcome: 'closed', points: 0, scores: {} };
      return;
    }
    const member = this.memberPlace(group, transition.member);
    const { sequence } = transition;
    const moment = sequence ? `${occurredAtMs}.${sequence}` : `${occurredAtMs}`;
    const extra = this.extraOf(transition, day, group, member);
    const value = extra === 0 ? `${transition.points};${moment}` : moment;
    this.events.push(
      group.place,
      member,
      group.ledgerPlaces[member - 1],
      transition.field,
      value,
      transition.points,
      occurredAtMs,
      extra,
    );
    this.planned.push({ index, group, limits: transition.limits });
  }

  /** All KEYS: the boards, then the others, whose places are counted from the end of the boards. */
  scriptKeys(): string[] {
    return [...[...this.boardPlaces.keys()].map((period) => this.boardKey(period)), ...this.otherKeys];
  }

  /** All ARGV: the plan alone. */
  scriptArgs(): string[] {
    const boards = [...this.boardPlaces.keys()].map(({ score, expireAtMs }) => [
      score.originMs,
      score.tickMs,
      score.unit,
      Math.floor((score.endMs - 1 - score.originMs) / score.tickMs),
      score.maxPoints,
      expireAtMs,
    ]);
    const groups = this.groups.map(({ set, open, boardPlaces, members }) => {
      const dayBoard = open.findIndex(({ board }) => board.period === 'day');
      return [set.day.ledgerExpireAtMs, dayBoard < 0 ? 0 : boardPlaces[dayBoard], boardPlaces, members];
    });
    return [JSON.stringify([boards, groups, this.events])];
  }

  /** What became of each transition, in the order they were added. */
  read(reply: unknown): TransitionResult[] {
    const numbers = reply as readonly number[];
    let at = 0;
    for (const { index, group, limits } of this.planned) {
      const code = numbers[at] ?? 0;
      const outcome = outcomes[code];
      if (outcome === undefined) throw new TypeError(`record-transitions.lua answered the unknown outcome ${code}.`);
      const scores: Record<string, number> = {};
      for (let i = 0; i < group.open.length; i++) {
        scores[(group.open[i] as BoardPeriod).board.name] = numbers[at + 3 + i] ?? 0;
      }
      const points = numbers[at + 1] ?? 0;
      if (outcome === 'limited') {
        const reason = limits?.[(numbers[at + 2] ?? 0) - 1]?.name ?? '';
        this.results[index] = { outcome, points, scores, reason };
      } else if (outcome === 'rejected') {
        this.results[index] = { outcome, points, scores, reason: 'scoreOutOfRange' };
      } else {
        this.results[index] = { outcome, points, scores };
      }
      at += 3 + group.open.length;
    }
    return this.results as TransitionResult[];
  }

  /** The group of a day and its open boards; null where the day is closed: its ledger, or every board. */
  private groupOf(day: CalendarDay, names: readonly string[] | undefined): Group | null {
    const set = this.calendar.boardsOf(day, names);
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
    let place = this.boardPlaces.get(period);
    if (place === undefined) {
      place = this.boardPlaces.size + 1;
      this.boardPlaces.set(period, place);
    }
    return place;
  }

  private boardKey(period: BoardPeriod): string {
    return period.keys[this.shard] as string;
  }

  private get tag(): string {
    return this.settings.tags[this.shard] as string;
  }

  private memberPlace(group: Group, member: string): number {
    let place = group.memberPlaces.get(member);
    if (place === undefined) {
      group.members.push(member);
      group.ledgerPlaces.push(this.keyPlace(this.ledgerKey(group.set.day, member)));
      place = group.members.length;
      group.memberPlaces.set(member, place);
    }
    return place;
  }

  private keyPlace(key: string): number {
    return this.otherKeys.push(key);
  }

  /** What a transition that is no plain grant of today brings along; 0 for a plain one. */
  private extraOf(transition: Transition, day: CalendarDay, group: Group, member: number): object | 0 {
    const { kind, grantedAtMs, onceInDays: once = 1, limits = [] } = transition;
    const isLate = day.number < this.horizon.number;
    if (kind === 'grant' && !isLate && once === 1 && limits.length === 0) return 0;

    const op = kind === 'grant' ? 'grant' : grantedAtMs === undefined ? 'revoke' : 'dayRevoke';
    const before =
      op === 'revoke' ? this.daysBefore(day, Infinity, transition) : this.daysBefore(day, once - 1, transition);
    const after = once > 1 ? this.daysAfter(day, transition) : [];
    const { prefix, ledgerRetentionMs } = this.settings;
    return {
      op,
      days: [...before, [group.place, group.ledgerPlaces[member - 1], day.number], ...after],
      own: before.length + 1,
      from: op === 'revoke' ? 0 : day.number,
      once,
      limits: limits.map((limit) => this.limitOf(limit, transition)),
      ...(isLate || kind === 'revoke'
        ? {
            revokes: this.keyPlace(keys.revokes(prefix, this.tag, transition.member)),
            revokesExpireAtMs: ledgerRetentionMs === null ? 0 : this.horizon.endMs + ledgerRetentionMs,
            revokesFromMs: ledgerRetentionMs === null ? 0 : this.nowMs - ledgerRetentionMs - 2 * 86_400_000,
          }
        : {}),
    };
  }

  /** Up to `count` days before `day` that are still open, oldest first. */
  private daysBefore(day: CalendarDay, count: number, transition: Transition): unknown[] {
    const days: unknown[] = [];
    const oldest = day.number - Math.min(count, maxDaysBack);
    for (let earlier = this.calendar.before(day); earlier.number >= oldest; earlier = this.calendar.before(earlier)) {
      const planned = this.dayOf(earlier, transition);
      if (!planned) break;
      days.unshift(planned);
    }
    return days;
  }

  private daysAfter(day: CalendarDay, transition: Transition): unknown[] {
    const days: unknown[] = [];
    for (
      let later = this.calendar.dayOf(day.endMs);
      later.number <= this.horizon.number;
      later = this.calendar.dayOf(later.endMs)
    ) {
      const planned = this.dayOf(later, transition);
      if (planned) days.push(planned);
    }
    return days;
  }

  private dayOf(day: CalendarDay, transition: Transition): unknown {
    const group = this.groupOf(day, transition.boards);
    if (!group) return undefined;
    return [group.place, this.keyPlace(this.ledgerKey(day, transition.member)), day.number];
  }

  private ledgerKey(day: CalendarDay, member: string): string {
    return ledgerStem(this.settings.prefix, this.tag, day.compactKey) + member;
  }

  private limitOf(limit: TransitionLimit, { member, field }: Transition): object {
    if (limit.type === 'daily')
      return { type: limit.type, max: limit.max, pattern: `${escapeGlob(limit.fieldPrefix)}*` };
    const subject = limit.per === 'field' ? field : '';
    const key = this.keyPlace(keys.window(this.settings.prefix, this.tag, limit.name, member, subject));
    return { type: limit.type, max: limit.max, windowMs: limit.windowMs, key };
  }
}

/** How many days back a general revoke looks where ledgers are kept for longer. */
const maxDaysBack = 400;

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}
