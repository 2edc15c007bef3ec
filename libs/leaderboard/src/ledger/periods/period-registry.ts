import { LeaderboardError } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { Period } from '../../time/period';
import type { RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import { whenAll } from '../../redis/when-all';
import type { BoardPeriod, Calendar } from './calendar';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerBoard } from '../model/ledger.types';

/** How often a process notes again a period that it writes, in case Redis has lost the note. */
const noteEveryMs = 60_000;

interface Note {
  readonly atMs: number;
  /** Null: done. */
  underWay: Promise<void> | null;
}

/** How many periods one command reads. */
const pageSize = 1_000;

/** Which periods of a ledger's boards were written, and which of them are kept. */
export class PeriodRegistry {
  private readonly notes = new WeakMap<BoardPeriod, Note>();

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
  ) {}

  /** Notes periods not noted within the last minute, sent before it returns. Null: there is nothing to wait for. */
  note(periods: Iterable<BoardPeriod>): Promise<unknown> | null {
    const nowMs = this.settings.clock.now();
    let waits: Promise<void>[] | undefined;
    for (const period of periods) {
      let note = this.notes.get(period);
      if (!note || Math.abs(nowMs - note.atMs) >= noteEveryMs) {
        note = { atMs: nowMs, underWay: null };
        note.underWay = this.send(period, note);
        this.notes.set(period, note);
      }
      if (note.underWay) (waits ??= []).push(note.underWay);
    }
    return waits ? whenAll(waits) : null;
  }

  /** Known periods before a moment that Redis has, the latest first. One round trip or a few. */
  async written(board: LedgerBoard, beforeMs = Infinity, limit = Infinity): Promise<Period[]> {
    const all: Period[] = [];
    const count = Math.min(limit, pageSize);
    for (let before = beforeMs; ;) {
      const from = Number.isFinite(before) ? `(${before}` : '+inf';
      const read = (key: string) => this.redis.zrange(key, from, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, count);
      const named = await served(this.redis, this.periodsKey(board), read);
      const page = this.parsed(board, named).filter(({ start }) => start.getTime() < before);
      const there = await this.there(board, page);
      all.push(...there);
      const last = page.at(-1);
      if (!last || there.length === 0 || named.length < count || all.length >= limit) return all.slice(0, limit);
      before = last.start.getTime();
    }
  }

  /** Those that have not expired or are kept. */
  private async there(board: LedgerBoard, periods: readonly Period[]): Promise<Period[]> {
    const nowMs = this.settings.clock.now();
    const isOver = (period: Period) => nowMs >= this.calendar.timesOf(board, period).expireAtMs;
    const names = periods.filter(isOver).map(({ key }) => key);
    const read = (key: string) => this.redis.zmscore(key, ...names);
    const ends = names.length > 0 ? await served(this.redis, keys.kept(this.settings.prefix, board.name), read) : [];
    const kept = new Set(names.filter((_, i) => nowMs < Number(ends[i] ?? 0)));
    return periods.filter((period) => !isOver(period) || kept.has(period.key));
  }

  private async send(period: BoardPeriod, note: Note): Promise<void> {
    try {
      const { start, key: name } = period.period;
      await served(this.redis, this.periodsKey(period.board), (key) => this.redis.zadd(key, start.getTime(), name));
      note.underWay = null;
    } catch (error) {
      if (this.notes.get(period) === note) this.notes.delete(period);
      throw error;
    }
  }

  /** The periods of a board that keys name; those that a changed configuration no longer understands are nobody's. */
  parsed(board: LedgerBoard, found: readonly string[]): Period[] {
    const { timezone } = this.settings;
    return found.flatMap((key) => {
      try {
        return [Period.parse(board.period, key, timezone)];
      } catch (error) {
        if (error instanceof LeaderboardError) return [];
        throw error;
      }
    });
  }

  private periodsKey(board: LedgerBoard): string {
    return keys.periods(this.settings.prefix, board.name);
  }
}
