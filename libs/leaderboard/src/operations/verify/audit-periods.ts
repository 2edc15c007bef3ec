import { dayKey, dayNumber } from '../../time/days';
import { sinceField, type BoardPeriod, type LayoutFields, type Ledger, type LedgerBoard } from '../../ledger';
import type { Period } from '../../time/period';
import type { AuditGap, AuditOptions } from './audit.types';

/** An open period of a board, as an audit compares it. */
export interface AuditedPeriod {
  readonly board: LedgerBoard;
  readonly period: Period;
  /** The days whose ledgers are there, as day numbers. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** How its points are compared with the sum of the ledgers. */
  readonly comparison: 'equal' | 'atLeast' | 'atMost';
  /** What the fields begin with that count on it; null: all. */
  readonly prefixes: readonly string[] | null;
  /** What it is packed in: the period's board or, of a partitioned one, its parts; read anew by each who asks. */
  readonly sets: () => Promise<readonly BoardPeriod[]>;
  /** Since when its board is fed, where that was later than its first ledgers, which are there still; else null. */
  readonly newSinceMs: number | null;
  /** From this moment on another host's clock may have closed it: ledgers go on without it. Infinity: never. */
  readonly untilMs: number;
}

/** Periods that ledgers or boards may be met of, each looked at once. */
const maxKept = 20_000;

/** Finds the open periods of a ledger's boards: those that every transition of their days still counts on. */
export class AuditPeriods {
  private readonly kept = new Map<string, AuditedPeriod | null>();
  private readonly byDay = new Map<number, Promise<readonly AuditedPeriod[]>>();
  private readonly starts = new Map<number, number | null>();
  /** Boards of which an open period was left out. */
  private readonly partly = new Set<string>();
  /** What Redis has of the boards when the audit begins. */
  layout: LayoutFields = {};

  constructor(
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
  ) {}

  /** Those that hold a day, by its number. */
  ofDay(day: number): Promise<readonly AuditedPeriod[]> {
    let found = this.byDay.get(day);
    if (!found) {
      if (this.byDay.size >= maxKept) this.byDay.clear();
      found = this.find(day);
      this.byDay.set(day, found);
    }
    return found;
  }

  /** Whether every transition of its days still counts on a period, by any host's clock. */
  isOpen({ untilMs }: AuditedPeriod): boolean {
    return this.ledger.settings.clock.now() < untilMs;
  }

  /**
   * Those that were written, and those of now, which may be written before they are noted.
   * @param assertGoingOn asked before every round trip.
   */
  async written(assertGoingOn: () => void): Promise<AuditedPeriod[]> {
    const { settings } = this.ledger;
    const found: AuditedPeriod[] = [];
    for (const board of settings.boards) {
      const periods = new Map<string, Period>();
      const add = (period: Period) => periods.set(period.key, period);
      add(this.ledger.periods.of(board.name));
      for (let before: Date | undefined; ;) {
        assertGoingOn();
        const page = await this.ledger.periods.written(board.name, { limit: 1_000, ...(before && { before }) });
        page.forEach(add);
        before = page.at(-1)?.start;
        if (page.length === 0) break;
      }
      for (const period of periods.values()) {
        assertGoingOn();
        const audited = await this.audited(board, period);
        if (audited) found.push(audited);
      }
    }
    return found;
  }

  /** The fields of the layout that say since when boards are fed of which each open period was looked at. */
  filled(): [field: string, sinceMs: string][] {
    return this.ledger.settings.boards.flatMap(({ name }): [string, string][] => {
      const since = this.layout[sinceField(name)];
      return since && !this.partly.has(name) ? [[sinceField(name), since]] : [];
    });
  }

  /** All that were looked at. */
  seen(): AuditedPeriod[] {
    return [...this.kept.values()].filter((one) => one !== null);
  }

  /** The number of the day that holds a moment. */
  dayAt(atMs: number): number {
    return dayNumber(this.ledger.periods.dayOf(atMs).key);
  }

  /** The first moment of a day; null where the zone skipped it. */
  startOf(day: number): number | null {
    let start = this.starts.get(day);
    if (start === undefined) {
      if (this.starts.size >= maxKept) this.starts.clear();
      start = this.findStart(day);
      this.starts.set(day, start);
    }
    return start;
  }

  private async find(day: number): Promise<readonly AuditedPeriod[]> {
    const atMs = this.startOf(day);
    if (atMs === null) return [];
    const found: AuditedPeriod[] = [];
    for (const board of this.ledger.settings.boards) {
      const period = this.ledger.periods.of(board.name, atMs);
      const audited = period.holds(atMs) ? await this.audited(board, period) : null;
      if (audited) found.push(audited);
    }
    return found;
  }

  private async audited(board: LedgerBoard, period: Period): Promise<AuditedPeriod | null> {
    const id = `${board.name} ${period.key}`;
    let audited = this.kept.get(id);
    if (audited === undefined) {
      audited = await this.look(board, period);
      this.kept.set(id, audited);
    }
    return audited;
  }

  private async look(board: LedgerBoard, period: Period): Promise<AuditedPeriod | null> {
    const { includes, countsOn } = this.options;
    const { name, tallyOf, partition } = board;
    if (includes && !includes(tallyOf ?? name, period.key)) {
      this.partly.add(name);
      return null;
    }
    const state = await this.ledger.periods.stateOf(tallyOf ?? name, period);
    if (state !== 'open' && state !== 'closing') return null;
    const { clock, clockSkewMs, keptLedgersMs, cold } = this.ledger.settings;
    const nowMs = clock.now();
    const untilMs = this.ledger.periods.timesOf(name, period).closesAtMs - clockSkewMs;
    if (nowMs >= untilMs) return null;
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs + 2 * clockSkewMs);
    const [first, lastDay] = [this.dayAt(period.start.getTime()), this.dayAt(lastMs)];
    // What expires while it is read does not count as there.
    const expired = keptLedgersMs === null ? -Infinity : this.dayAt(Math.max(0, nowMs - keptLedgersMs + clockSkewMs));
    const kept = Math.max(first, expired, cold.store && cold.fromDay > 0 ? cold.fromDay : -Infinity);
    const isCut = kept > first;
    const sinceMs = Number(this.layout[sinceField(name)] || -Infinity);
    const isNew = sinceMs > period.start.getTime() && this.dayAt(sinceMs) >= kept;
    const isUnfilled = isNew && !this.options.heals && !partition;
    return {
      board,
      period,
      firstDay: kept,
      lastDay,
      comparison: partition || isUnfilled ? 'atMost' : isCut ? 'atLeast' : 'equal',
      prefixes: countsOn(name),
      newSinceMs: isUnfilled ? sinceMs : null,
      untilMs,
      sets: async () => {
        if (!partition) return [this.ledger.periods.boardPeriod(name, period, null)];
        const parts: BoardPeriod[] = [];
        for await (const part of this.ledger.periods.partitions(name, period)) {
          parts.push(this.ledger.periods.boardPeriod(name, period, part));
        }
        return parts;
      },
    };
  }

  private findStart(day: number): number | null {
    const key = dayKey(day);
    // No zone is further than 14 hours from UTC: one of the two moments lies in the day, or none does.
    for (const hours of [12, 0, 24]) {
      const found = this.ledger.periods.dayOf(Math.max(0, Date.parse(key) + hours * 3_600_000));
      if (found.key === key) return found.start.getTime();
    }
    return null;
  }
}

/** What of a period an audit cannot prove; null where it can prove all. @param isOpen whether it still is. */
export function gapOf({ board, period, comparison, newSinceMs }: AuditedPeriod, isOpen: boolean): AuditGap | null {
  const of = { board: board.name, period: period.key };
  if (!isOpen) return { ...of, reason: 'closed' };
  if (newSinceMs !== null)
    return board.tallyOf ? null : { ...of, reason: 'new', since: new Date(newSinceMs).toISOString() };
  if (comparison === 'equal') return null;
  return { ...of, reason: comparison === 'atLeast' ? 'ledgersGone' : 'parts' };
}
