import { keys } from '../../keys/keys';
import type { Period } from '../../time/period';
import type { RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import type { BoardPeriod, Calendar } from './calendar';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerBoard } from '../model/ledger.types';
import { membersByName } from '../model/names';
import type { PeriodRegistry } from './period-registry';

/** How many periods one command reads. */
const pageSize = 1_000;

/** The periods of a ledger's boards, and their parts, on which a member of a shard may have entries. */
export class WrittenBoards {
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly registry: PeriodRegistry,
  ) {}

  /**
   * All that Redis still has, the latest first. Two round trips, and one for each 1,000 parts of a period of a
   * partitioned board; these lists may be long, their names are kept nowhere else.
   */
  async of(shard: number): Promise<BoardPeriod[]> {
    const found = await Promise.all(this.settings.boards.map((board) => this.ofBoard(board, shard)));
    return found.flat();
  }

  /** The names of rolling windows that Redis still has, and of their drafts and sums. One round trip. */
  windows(shard: number): Promise<string[]> {
    const key = keys.windows(this.settings.prefix, this.settings.tags[shard] as string);
    return served(this.redis, key, () => this.redis.zrange(key, '0', '-1'));
  }

  private async ofBoard(board: LedgerBoard, shard: number): Promise<BoardPeriod[]> {
    const periods = new Map([...this.periodsOfNow(board), ...(await this.written(board))].map((one) => [one.key, one]));
    const nowMs = this.settings.clock.now();
    const kept = [...periods.values()].filter((period) => nowMs < this.calendar.timesOf(board, period).expireAtMs);
    if (!board.partition) return kept.map((period) => this.calendar.boardPeriod(board, period));
    const { prefix, tags } = this.settings;
    const parts: BoardPeriod[] = [];
    for (const period of kept) {
      const list = keys.boardParts(prefix, tags[shard] as string, board.name, period.key);
      for await (const name of membersByName(this.redis, list)) {
        parts.push(this.calendar.boardPeriod(board, period, name));
      }
    }
    return parts;
  }

  private async written(board: LedgerBoard): Promise<Period[]> {
    const all: Period[] = [];
    let beforeMs = Infinity;
    for (;;) {
      const page = await this.registry.written(board, beforeMs, pageSize);
      all.push(...page);
      const last = page.at(-1);
      if (!last || page.length < pageSize) return all;
      beforeMs = last.start.getTime();
    }
  }

  /** Those of now by any host's clock: they may be written before they are noted. */
  private periodsOfNow(board: LedgerBoard): Period[] {
    const { clock, clockSkewMs } = this.settings;
    const nowMs = clock.now();
    return [nowMs + clockSkewMs, nowMs, nowMs - clockSkewMs].map((atMs) =>
      this.calendar.periodOf(board, this.calendar.dayOf(Math.max(0, atMs))),
    );
  }
}
