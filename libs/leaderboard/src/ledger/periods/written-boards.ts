import { keys } from '../../keys/keys';
import type { Period } from '../../time/period';
import { served } from '../../redis/served';
import type { BoardPeriod } from './calendar';
import type { LedgerBoard } from '../model/ledger.types';
import { membersByName } from '../model/names';
import type { LedgerContext } from './ledger-context';

/** The periods of a ledger's boards, and their parts, on which a member of a shard may have entries. */
export class WrittenBoards {
  constructor(private readonly ledger: LedgerContext) {}

  /** All that Redis still has, the latest first. Two round trips, and one for each 1,000 parts of a period. */
  async of(shard: number): Promise<BoardPeriod[]> {
    const found = await Promise.all(this.ledger.settings.boards.map((board) => this.ofBoard(board, shard)));
    return found.flat();
  }

  /** The names of rolling windows that Redis still has, and of their drafts and sums. One round trip. */
  windows(shard: number): Promise<string[]> {
    const { redis, settings } = this.ledger;
    return served(redis, keys.windows(settings.prefix, this.ledger.tag(shard)), (key) => redis.zrange(key, '0', '-1'));
  }

  private async ofBoard(board: LedgerBoard, shard: number): Promise<BoardPeriod[]> {
    const { redis, settings, calendar, registry } = this.ledger;
    const all = new Map([...this.periodsOfNow(board), ...(await registry.written(board))].map((one) => [one.key, one]));
    if (!board.partition) return [...all.values()].map((period) => calendar.boardPeriod(board, period));
    const parts: BoardPeriod[] = [];
    for (const period of all.values()) {
      const list = keys.boardParts(settings.prefix, this.ledger.tag(shard), board.name, period.key);
      for await (const name of membersByName(redis, list)) {
        parts.push(calendar.boardPeriod(board, period, name));
      }
    }
    return parts;
  }

  /** Those of now by any host's clock: they may be written before they are noted. */
  private periodsOfNow(board: LedgerBoard): Period[] {
    const { settings, calendar } = this.ledger;
    const { clock, clockSkewMs } = settings;
    const nowMs = clock.now();
    return [nowMs + clockSkewMs, nowMs, nowMs - clockSkewMs].map((atMs) =>
      calendar.periodOf(board, calendar.dayOf(Math.max(0, atMs))),
    );
  }
}
