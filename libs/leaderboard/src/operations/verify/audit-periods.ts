import { cached } from '../../lists/lists';
import { dayNumber } from '../../time/days';
import { sinceField, type LayoutFields, type Ledger, type LedgerBoard } from '../../ledger';
import type { Period } from '../../time/period';
import type { AuditGap, AuditOptions } from './audit.types';

/** An open period of a board, as an audit compares it. */
export interface AuditedPeriod {
  readonly board: LedgerBoard;
  readonly period: Period;
  /** The days whose ledgers are there, as day numbers. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** How its points are compared with what the ledgers add up to. */
  readonly comparison: 'equal' | 'atLeast' | 'atMost';
  /** Since when its board is fed, where that was later than its first ledgers, which are there still; else null. */
  readonly newSinceMs: number | null;
  /** From this moment on another host's clock may have closed it: ledgers go on without it. Infinity: never. */
  readonly untilMs: number;
}

/** Finds the open periods of a ledger's boards: those that every transition of their days still counts on. */
export class AuditPeriods {
  private readonly kept = new Map<string, AuditedPeriod | null>();
  /** Those that were compared. */
  readonly seen = new Set<AuditedPeriod>();
  /** Boards of which an open period was left out. */
  private readonly partly = new Set<string>();
  /** The layout of the boards in Redis when the audit begins. */
  layout: LayoutFields = {};

  constructor(
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
  ) {}

  /** A period by its time; null: closed, or not to be compared. Whether it is frozen, Redis alone knows. */
  of(board: LedgerBoard, period: Period): AuditedPeriod | null {
    const id = `${board.name} ${period.key}`;
    const audited = cached(this.kept, id, () => this.look(board, period), Infinity);
    return audited && this.isOpen(audited) ? audited : null;
  }

  /** Whether every transition of its days still counts on a period, by any host's clock. */
  isOpen({ untilMs }: AuditedPeriod): boolean {
    return this.ledger.settings.clock.now() < untilMs;
  }

  /** Those that were written, and those of now, which may be written before they are noted. */
  async written(assertGoingOn: () => void): Promise<AuditedPeriod[]> {
    const { periods } = this.ledger;
    for (const board of this.ledger.settings.boards) {
      assertGoingOn();
      const all = [periods.of(board.name), ...(await periods.written(board.name, { limit: Infinity }))];
      for (const period of new Map(all.map((one) => [one.key, one])).values()) {
        assertGoingOn();
        const audited = this.of(board, period);
        if (audited && !(await periods.isFrozen(board.tallyOf ?? board.name, period))) this.seen.add(audited);
      }
    }
    return [...this.seen];
  }

  /** The fields of the layout that say since when boards are fed of which each open period was looked at. */
  filled(): [field: string, sinceMs: string][] {
    return this.ledger.settings.boards.flatMap(({ name }): [string, string][] => {
      const since = this.layout[sinceField(name)];
      return since && !this.partly.has(name) ? [[sinceField(name), since]] : [];
    });
  }

  /** The periods that cannot be proved. */
  gaps(): AuditGap[] {
    return [...this.seen].flatMap((audited): AuditGap[] => {
      const { board, period, comparison, newSinceMs } = audited;
      const of = { board: board.name, period: period.key };
      if (!this.isOpen(audited)) return [{ ...of, reason: 'closed' }];
      if (newSinceMs !== null) {
        return board.tallyOf ? [] : [{ ...of, reason: 'new', since: new Date(newSinceMs).toISOString() }];
      }
      return comparison === 'equal' ? [] : [{ ...of, reason: 'ledgersGone' }];
    });
  }

  private look(board: LedgerBoard, period: Period): AuditedPeriod | null {
    const { includes, heals } = this.options;
    const { name, tallyOf } = board;
    if (includes && !includes(tallyOf ?? name, period.key)) {
      this.partly.add(name);
      return null;
    }
    const { clock, clockSkewMs, ledgerRetentionMs } = this.ledger.settings;
    const nowMs = clock.now();
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs + 2 * clockSkewMs);
    const first = this.dayAt(period.start.getTime());
    // A board that expires while it is read does not count.
    const expiresMs = ledgerRetentionMs === null ? -Infinity : nowMs - ledgerRetentionMs + clockSkewMs;
    const firstDay = expiresMs > 0 ? Math.max(first, this.dayAt(expiresMs)) : first;
    const sinceMs = Number(this.layout[sinceField(name)] || -Infinity);
    const isUnfilled = !heals && sinceMs > period.start.getTime() && this.dayAt(sinceMs) >= firstDay;
    return {
      ...{ board, period, firstDay, lastDay: this.dayAt(lastMs) },
      comparison: isUnfilled ? 'atMost' : firstDay > first ? 'atLeast' : 'equal',
      newSinceMs: isUnfilled ? sinceMs : null,
      untilMs: this.ledger.periods.timesOf(name, period).closesAtMs - clockSkewMs,
    };
  }

  private dayAt(atMs: number): number {
    return dayNumber(this.ledger.periods.dayOf(atMs).key);
  }
}
