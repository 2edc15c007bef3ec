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
      const there = page.filter((one) => this.settings.clock.now() < this.calendar.timesOf(board, one).expireAtMs);
      all.push(...there);
      before = there.at(-1)?.start.getTime() ?? before;
      // Those before one that has expired have expired, too, or are kept.
      if (there.length < page.length) return [...all, ...(await this.kept(board, before, limit))].slice(0, limit);
      if (page.length === 0 || named.length < count || all.length >= limit) return all.slice(0, limit);
    }
  }

  /** The last periods before a moment that are kept beyond their time, the latest first. */
  private async kept(board: LedgerBoard, before: number, limit: number): Promise<Period[]> {
    const [list, from] = [keys.kept(this.settings.prefix, board.name), `(${this.settings.clock.now()}`];
    const named = await served(this.redis, list, (key) => this.redis.zrange(key, from, '+inf', 'BYSCORE'));
    if (named.length === 0) return [];
    const starts = await served(this.redis, this.periodsKey(board), (key) => this.redis.zmscore(key, ...named));
    const startOf = new Map(named.map((name, i) => [name, Number(starts[i] ?? Infinity)]));
    const startMs = (name: string) => startOf.get(name) as number;
    const earlier = named.filter((name) => startMs(name) < before).sort((a, b) => startMs(b) - startMs(a));
    return this.parsed(board, earlier.slice(0, limit));
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
    return found.flatMap((key) => {
      try {
        return [Period.parse(board.period, key, this.settings.timezone)];
      } catch (error) {
        if (error instanceof LeaderboardError) return [];
        throw error;
      }
    });
  }

  /** The keys of noted periods into which a board's time is not cut any more. One round trip. */
  async foreign(board: LedgerBoard): Promise<string[]> {
    const all = await served(this.redis, this.periodsKey(board), (key) => this.redis.zrange(key, '0', '-1'));
    return all.filter((key) => this.parsed(board, [key]).length === 0);
  }

  private periodsKey(board: LedgerBoard): string {
    return keys.periods(this.settings.prefix, board.name);
  }
}
