import { dayMs, dayNumber } from '../../time/days';
import { invalidArgument } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { cached, cachedWith } from '../../lists/lists';
import { Period, type OutsidePeriods } from '../../time/period';
import type { PeriodSpec } from '../../time/period-spec';
import { PackedScore } from '../../board';
import { isCounted, partIn } from '../facts/parts';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerBoard } from '../model/ledger.types';

/** One period of one board, as transitions need it. */
export interface BoardPeriod {
  readonly board: LedgerBoard;
  readonly period: Period;
  /** Of a partitioned board: which part. */
  readonly partition: string | null;
  /** The board's name in answers: `name`, or `name/partition`. */
  readonly label: string;
  readonly score: PackedScore;
  /** From this moment on it takes no more transitions. Infinity: never. */
  readonly closesAtMs: number;
  /** When Redis drops it; 0: never. */
  readonly expireAtMs: number;
  /** Its key on each shard. */
  readonly keys: readonly string[];
  /** On each shard, the key of the set with the entries of excluded members. */
  readonly asideKeys: readonly string[];
  /** On each shard, the key that is there while it is frozen. */
  readonly frozenKeys: readonly string[];
  /** Of a part: the keys of the sets, one a shard, that list the period's parts. */
  readonly listKeys: readonly string[] | null;
}

/** Why a board has no period for a transition. */
export type NoPeriod = OutsidePeriods | 'noPartition';

/** The periods of one day on which a transition counts; one object for each set of names, compared by identity. */
export interface BoardSet {
  readonly day: CalendarDay;
  readonly periods: readonly BoardPeriod[];
  /** The boards that have none for it, by name. */
  readonly missing: ReadonlyMap<string, NoPeriod>;
  /** Before this moment all of them are open. */
  readonly firstClosesAtMs: number;
}

/** A local day as the ledger sees it. */
export interface CalendarDay {
  readonly period: Period;
  /** Days since 1970-01-01 on the calendar: differences count days, however long they were. */
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  /** From this moment on its ledgers take no more transitions, and Redis drops them. Infinity: never. */
  readonly ledgerClosesAtMs: number;
}

/** Parts are named by users: there may be any number. */
const maxPartsKept = 5_000;

/** A board, and its period that holds a day, or why none does. */
type FoundPeriod = readonly [LedgerBoard, Period | OutsidePeriods];

/** Days and the boards' periods of one ledger, each cut once and kept. */
export class Calendar {
  /** Cutting a day by its zone costs tens of microseconds. */
  private readonly days = new Map<number, CalendarDay>();
  /** By the first moment of the day, of boards of hours that of the hour, as all that is made of them. */
  private readonly foundIn = new Map<number, readonly FoundPeriod[]>();
  private readonly setsIn = new Map<number, Map<string, BoardSet>>();
  private readonly setsByPart = new Map<string, BoardSet>();
  /** The first moments of hours, by the quarters of an hour in them: no zone changes within one. */
  private readonly hours = new Map<number, number>();
  private readonly boardPeriods = new Map<string, BoardPeriod>();
  private readonly boardParts = new Map<string, BoardPeriod>();
  /** Equal lists of boards' names have one id, whatever array they come in: each array is looked through once. */
  private readonly listIds = new WeakMap<readonly string[], string>();
  private readonly latestPeriods = new Map<string, Period>();
  private latest: CalendarDay | undefined;
  /** The tags in the cached keys. */
  private tags: readonly string[] = [];
  /** The boards whose periods are kept, and whether any is of hours. */
  private boards: readonly LedgerBoard[] = [];
  private hasHours = false;

  constructor(private readonly settings: LedgerSettings) {}

  /** The day that holds `atMs`. */
  dayOf(atMs: number): CalendarDay {
    const latest = this.latest;
    if (latest && atMs >= latest.startMs && atMs < latest.endMs) return latest;
    // Zones are less than a day ahead of UTC, or behind.
    const near = Math.floor(atMs / dayMs);
    const kept = [near, near + 1, near - 1].map((number) => this.days.get(number));
    this.latest = kept.find((day) => day && atMs >= day.startMs && atMs < day.endMs) ?? this.cutDay(atMs);
    return this.latest;
  }

  /** The day of this number; null where the zone skipped it. */
  dayNumbered(number: number): CalendarDay | null {
    const day = this.days.get(number) ?? this.dayOf(number * dayMs);
    if (day.number === number) return day;
    const neighbour = this.dayOf(day.number < number ? day.endMs : day.startMs - 1);
    return neighbour.number === number ? neighbour : null;
  }

  /** The period of a limit that holds a day: the day, or its period; null: none, as a contest is over. */
  spanOf(period: PeriodSpec | undefined, number: number) {
    const { startMs, endMs } = this.dayNumbered(number) ?? { startMs: number * dayMs, endMs: Infinity };
    if (endMs === Infinity || period === undefined) return { key: String(number), startMs, endMs };
    const found = Period.find(period, new Date(startMs), this.settings.timezone);
    if (!(found instanceof Period)) return null;
    return { key: found.key, startMs: found.start.getTime(), endMs: found.end?.getTime() ?? Infinity };
  }

  /**
   * The periods of `day`, of hours the one that holds `atMs`, on the boards named that count what names these parts,
   * and of partitioned ones on the parts named; all boards where no names are given. Without parts: on those that are
   * not partitioned, whatever they count.
   * @throws LeaderboardError `invalidArgument` where there is no board of a name.
   */
  boardsOf(
    day: CalendarDay,
    atMs: number,
    names?: readonly string[],
    partitions?: Readonly<Record<string, string>>,
  ): BoardSet {
    this.forgetOthers();
    const startMs = this.hasHours ? this.hourMs(day, atMs) : day.startMs;
    if (!partitions || this.settings.partitionKeys.some((key) => partIn(partitions, key) !== null))
      return this.boardPartsOf(day, startMs, names, partitions);
    const sets = cached(this.setsIn, startMs, () => new Map<string, BoardSet>());
    return cached(sets, this.idOf(names), () => this.newSet(day, startMs, names, {}));
  }

  /** The board's period that holds `atMs`; the first or the last period if none does. */
  periodOf(board: LedgerBoard, atMs: number): Period {
    this.forgetOthers();
    let period = this.latestPeriods.get(board.name);
    if (!period?.holds(atMs)) {
      period = Period.nearest(board.period, new Date(atMs), this.settings.timezone);
      this.latestPeriods.set(board.name, period);
    }
    return period;
  }

  /** When a board's period closes and expires. */
  timesOf(board: LedgerBoard, period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    const endMs = period.end?.getTime() ?? Infinity;
    const expireAtMs = board.retentionMs === null ? Infinity : endMs + board.retentionMs;
    return { closesAtMs: Math.min(endMs + board.latenessMs, expireAtMs, board.endedAtMs ?? Infinity), expireAtMs };
  }

  /** One board's period, or one part of it. */
  boardPeriod(board: LedgerBoard, period: Period, partition: string | null = null): BoardPeriod {
    this.forgetOthers();
    const id = `${board.name}:${period.key}:${partition ?? ''}`;
    const make = () => this.newBoardPeriod(board, period, partition);
    return partition === null ? cached(this.boardPeriods, id, make) : cached(this.boardParts, id, make, maxPartsKept);
  }

  /** Drops cached keys of former shards, and periods that are cut otherwise now. */
  private forgetOthers(): void {
    if (this.tags === this.settings.tags && this.boards === this.settings.boards) return;
    this.tags = this.settings.tags;
    this.boards = this.settings.boards;
    this.hasHours = this.boards.some(isOfHours);
    const { foundIn, setsIn, setsByPart, boardPeriods, boardParts, latestPeriods } = this;
    for (const kept of [foundIn, setsIn, setsByPart, boardPeriods, boardParts, latestPeriods]) kept.clear();
  }

  /** When the hour of a day began that holds a moment; of one before or after that day, its first hour or its last. */
  private hourMs({ startMs, endMs }: CalendarDay, atMs: number): number {
    const ms = Math.min(Math.max(atMs, startMs), endMs - 1);
    const make = () => Period.of('hour', new Date(ms), this.settings.timezone).start.getTime();
    return cached(this.hours, Math.floor(ms / 900_000), make);
  }

  private boardPartsOf(
    day: CalendarDay,
    startMs: number,
    names: readonly string[] | undefined,
    partitions: Readonly<Record<string, string>> | undefined,
  ): BoardSet {
    let id = `${startMs} ${this.idOf(names)}${partitions ? '' : ' all'}`;
    for (const key of partitions ? this.settings.partitionKeys : []) {
      const part = partIn(partitions as Readonly<Record<string, string>>, key);
      id += part === null ? ' ' : ` ${part.length}:${part}`;
    }
    return cached(this.setsByPart, id, () => this.newSet(day, startMs, names, partitions), maxPartsKept);
  }

  private idOf(names: readonly string[] | undefined): string {
    return names === undefined ? '*' : cachedWith(this.listIds, names, () => [...new Set(names)].sort().join());
  }

  private newSet(
    day: CalendarDay,
    startMs: number,
    names: readonly string[] | undefined,
    partitions?: Readonly<Record<string, string>>,
  ): BoardSet {
    const { boardNames } = this.settings;
    const unknown = names?.find((name) => !boardNames.includes(name));
    if (unknown !== undefined)
      throw invalidArgument(`There is no board "${String(unknown)}": use some of ${boardNames.join(', ')}.`);
    const periods: BoardPeriod[] = [];
    const missing = new Map<string, NoPeriod>();
    for (const [board, period] of this.foundAt(startMs)) {
      if (names ? !names.includes(board.name) : board.tallyOf != null) continue;
      if (partitions && !isCounted(board.where ?? [], partitions)) continue;
      const partition = board.partition && partitions ? partIn(partitions, board.partition) : null;
      if (!(period instanceof Period)) {
        if (board.tallyOf == null) missing.set(board.name, period);
      } else if (board.partition && partition === null) missing.set(board.name, 'noPartition');
      else periods.push(this.boardPeriod(board, period, partition));
    }
    return { day, periods, missing, firstClosesAtMs: Math.min(...periods.map(({ closesAtMs }) => closesAtMs)) };
  }

  /** Parts share the periods of their day: these are cut once for however many parts there are. */
  private foundAt(startMs: number): readonly FoundPeriod[] {
    const { boards, timezone } = this.settings;
    return cached(this.foundIn, startMs, () =>
      boards
        .filter(({ endedAtMs }) => endedAtMs == null)
        .map((board) => [board, Period.find(board.period, new Date(startMs), timezone)]),
    );
  }

  private newBoardPeriod(board: LedgerBoard, period: Period, partition: string | null): BoardPeriod {
    const { prefix, tags, maxPoints } = this.settings;
    const { closesAtMs, expireAtMs } = this.timesOf(board, period);
    const score = new PackedScore({ period, maxPoints });
    const keysOf = (keyOf: typeof keys.boardPart) =>
      tags.map((tag) => keyOf(prefix, tag, board.name, period.key, partition ?? ''));
    return {
      ...{ board, period, partition, score, closesAtMs },
      label: partition === null ? board.name : `${board.name}/${partition}`,
      expireAtMs: finiteOrNone(expireAtMs),
      keys: keysOf(partition === null ? keys.board : keys.boardPart),
      asideKeys: keysOf(partition === null ? keys.aside : keys.asidePart),
      frozenKeys: tags.map((tag) => keys.frozen(prefix, tag, board.tallyOf ?? board.name, period.key)),
      listKeys: partition === null ? null : tags.map((tag) => keys.boardParts(prefix, tag, board.name, period.key)),
    };
  }

  private cutDay(atMs: number): CalendarDay {
    const { ledgerRetentionMs, timezone } = this.settings;
    const period = Period.of('day', new Date(atMs), timezone);
    const number = dayNumber(period.key);
    // Only `all` never ends.
    const endMs = period.end?.getTime() ?? Infinity;
    const day = {
      ...{ period, endMs, number, startMs: period.start.getTime() },
      ledgerClosesAtMs: ledgerRetentionMs === null ? Infinity : endMs + ledgerRetentionMs,
    };
    return cached(this.days, number, () => day);
  }
}

/** Whether a board's periods are hours, of which a day has many. */
export function isOfHours({ period }: LedgerBoard): boolean {
  return period === 'hour';
}

/** The least score that a board shows. */
export function leastShown({ floor }: LedgerBoard, { unit }: PackedScore): number {
  return floor === null ? -Infinity : unit;
}

/** The most points that a board shows, and as many below zero. */
export function mostShown({ maxPoints }: LedgerBoard): number {
  return maxPoints ?? Infinity;
}

/** When Redis drops a key; 0: never. */
export function finiteOrNone(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}
