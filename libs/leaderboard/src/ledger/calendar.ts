import { keys } from '../keys';
import { Period } from '../period';
import { PackedScore } from '../score/packed';
import type { LedgerSettings } from './ledger-options';
import type { LedgerBoard } from './ledger.types';

/** One period of one board: what a transition needs to know of it. */
export interface BoardPeriod {
  readonly board: LedgerBoard;
  readonly period: Period;
  readonly score: PackedScore;
  /** From this moment on it takes no more transitions. Infinity: never. */
  readonly closesAtMs: number;
  /** When Redis drops it; 0: never. */
  readonly expireAtMs: number;
  /** Its key on each shard. */
  readonly keys: readonly string[];
  /** On each shard, the key that is there while it is frozen. */
  readonly frozenKeys: readonly string[];
}

/** The periods of one day that a transition counts on. One object a day and list of board names: compared by identity. */
export interface BoardSet {
  readonly day: CalendarDay;
  readonly periods: readonly BoardPeriod[];
  /** Before this moment all of them are open. */
  readonly firstClosesAtMs: number;
}

/** A local day as the ledger sees it. */
export interface CalendarDay {
  readonly period: Period;
  /** `20261120`, as ledger keys have it. */
  readonly compactKey: string;
  /** Days since 1970-01-01 on the calendar: differences count days, however long they were. */
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  /** From this moment on its ledgers take no more transitions. Infinity: never. */
  readonly ledgerClosesAtMs: number;
  /** When Redis drops its ledgers; 0: never. */
  readonly ledgerExpireAtMs: number;
}

const hourMs = 3_600_000;
/** Cutting a day by its zone costs tens of microseconds; what is kept is bounded all the same. */
const maxKept = 20_000;

/** Days and the boards' periods of one ledger, each cut once and kept. */
export class Calendar {
  private readonly days = new Map<string, CalendarDay>();
  private readonly daysByHour = new Map<number, readonly CalendarDay[]>();
  private readonly setsByDay = new Map<CalendarDay, Map<readonly string[] | undefined, BoardSet>>();
  private readonly boardPeriods = new Map<string, BoardPeriod>();
  private latest: CalendarDay | undefined;

  constructor(private readonly settings: LedgerSettings) {}

  /** The day that holds `atMs`. */
  dayOf(atMs: number): CalendarDay {
    const latest = this.latest;
    if (latest && atMs >= latest.startMs && atMs < latest.endMs) return latest;
    const hour = Math.floor(atMs / hourMs);
    const kept = this.daysByHour.get(hour);
    let day = kept?.find((candidate) => atMs >= candidate.startMs && atMs < candidate.endMs);
    if (!day) {
      day = this.dayIn(Period.of('day', new Date(atMs), this.settings.timezone));
      if (this.daysByHour.size >= maxKept) this.daysByHour.clear();
      this.daysByHour.set(hour, [...(kept ?? []), day]);
    }
    this.latest = day;
    return day;
  }

  /** The day of this number; null where the zone skipped it. */
  dayNumbered(number: number): CalendarDay | null {
    const key = new Date(number * 86_400_000).toISOString().slice(0, 10);
    const day = this.days.get(key) ?? this.dayOf(Date.parse(key));
    if (day.number === number) return day;
    const neighbour = this.dayOf(day.number < number ? day.endMs : day.startMs - 1);
    return neighbour.number === number ? neighbour : null;
  }

  /** The day that `period` is. */
  dayIn(period: Period): CalendarDay {
    let day = this.days.get(period.key);
    if (!day) {
      if (this.days.size >= maxKept) this.days.clear();
      day = this.cutDay(period);
      this.days.set(period.key, day);
    }
    return day;
  }

  /** The periods of `day` on the boards named; all boards where no names are given. Names are known by their array. */
  boardsOf(day: CalendarDay, names?: readonly string[]): BoardSet {
    let sets = this.setsByDay.get(day);
    if (!sets || sets.size >= 100) {
      if (this.setsByDay.size >= maxKept) this.setsByDay.clear();
      sets = new Map<readonly string[] | undefined, BoardSet>();
      this.setsByDay.set(day, sets);
    }
    let set = sets.get(names);
    if (!set) {
      const periods = this.settings.boards
        .filter((board) => names === undefined || names.includes(board.name))
        .map((board) => this.boardPeriod(board, Period.of(board.period, day.period.start, this.settings.timezone)));
      const firstClosesAtMs = Math.min(...periods.map((period) => period.closesAtMs));
      set = { day, periods, firstClosesAtMs };
      sets.set(names, set);
    }
    return set;
  }

  /** One board's period. */
  boardPeriod(board: LedgerBoard, period: Period): BoardPeriod {
    const id = `${board.name}:${period.key}`;
    let found = this.boardPeriods.get(id);
    if (!found) {
      if (this.boardPeriods.size >= maxKept) this.boardPeriods.clear();
      const { prefix, tags, maxPoints } = this.settings;
      const endMs = period.end?.getTime() ?? Infinity;
      const expireAtMs = board.retentionMs === null ? Infinity : endMs + board.retentionMs;
      found = {
        board,
        period,
        score: new PackedScore({ period, maxPoints }),
        closesAtMs: Math.min(endMs + board.latenessMs, expireAtMs),
        expireAtMs: finiteOrNone(expireAtMs),
        keys: tags.map((tag) => keys.board(prefix, tag, board.name, period.key)),
        frozenKeys: tags.map((tag) => keys.frozen(prefix, tag, board.name, period.key)),
      };
      this.boardPeriods.set(id, found);
    }
    return found;
  }

  private cutDay(period: Period): CalendarDay {
    // Only `all` never ends.
    const endMs = period.end?.getTime() ?? Infinity;
    const { ledgerRetentionMs } = this.settings;
    const closesAtMs = ledgerRetentionMs === null ? Infinity : endMs + ledgerRetentionMs;
    return {
      period,
      compactKey: period.key.replaceAll('-', ''),
      number: Date.parse(period.key) / 86_400_000,
      startMs: period.start.getTime(),
      endMs,
      ledgerClosesAtMs: closesAtMs,
      ledgerExpireAtMs: finiteOrNone(closesAtMs),
    };
  }
}

function finiteOrNone(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}
