import { keys } from '../../keys/keys';
import { asideOf } from '../../keys/rolling-keys';
import type { Period } from '../../time/period';
import { kindOf } from '../../time/period-spec';
import { served } from '../../redis/served';
import type { LedgerBoard } from '../model/ledger.types';
import { membersByName } from '../model/names';
import { readLayout, storedBoard } from '../settings/stored-settings';
import type { LedgerContext } from './ledger-context';

/** A set of one shard, and the one beside it with the entries of excluded members; null: there is none. */
export type SetPair = readonly [shown: string, aside: string | null];

/** The sets of a ledger's boards, of all their periods and parts, in which a member of a shard may have entries. */
export class WrittenBoards {
  constructor(private readonly ledger: LedgerContext) {}

  /**
   * All that Redis still has, the latest first; also of boards that others feed, or that a start left out: they may
   * come back. Three round trips, and one for each 1,000 parts of a period.
   */
  async of(tag: string): Promise<SetPair[]> {
    const { redis, settings } = this.ledger;
    const layout = await readLayout(redis, settings.prefix);
    const stored = Object.keys(layout).flatMap((field) => /^board:(.*)$/.exec(field)?.[1] ?? []);
    const others = stored.filter((name) => !settings.boardNames.includes(name));
    const boards = [...settings.boards, ...others.flatMap((name) => storedBoard(layout, name) ?? [])];
    const found = await Promise.all(boards.map((board) => this.ofBoard(board, tag)));
    return found.flat();
  }

  /** The sets of rolling windows that Redis still has, and of their drafts and sums, which have none beside them. */
  async windows(tag: string): Promise<SetPair[]> {
    const { redis, settings } = this.ledger;
    const names = await served(redis, keys.windows(settings.prefix, tag), (key) => redis.zrange(key, '0', '-1'));
    const keyOf = (name: string) => keys.named(settings.prefix, tag, name);
    return names.map((name) => {
      const aside = asideOf(name);
      return [keyOf(name), aside && keyOf(aside)];
    });
  }

  private async ofBoard(board: LedgerBoard, tag: string): Promise<SetPair[]> {
    const { redis, settings, registry } = this.ledger;
    const { name, partition, period: spec, isMadeAnew } = board;
    const of = [settings.prefix, tag, name] as const;
    const written = [...this.periodsOfNow(board), ...(await registry.written(board))].map(({ key }) => key);
    // A contest may have had other days.
    const others = isMadeAnew || kindOf(spec) === 'contest' ? await registry.foreign(board) : [];
    const pairs: SetPair[] = [];
    for (const period of new Set([...written, ...others])) {
      if (!partition) pairs.push([keys.board(...of, period), keys.aside(...of, period)]);
      else
        for await (const part of membersByName(redis, keys.boardParts(...of, period)))
          pairs.push([keys.boardPart(...of, period, part), keys.asidePart(...of, period, part)]);
    }
    return pairs;
  }

  /** Those of now by any host's clock: they may be written before they are noted. */
  private periodsOfNow(board: LedgerBoard): Period[] {
    const { calendar, settings } = this.ledger;
    const { clock, clockSkewMs } = settings;
    return [clockSkewMs, 0, -clockSkewMs].map((ms) => calendar.periodOf(board, Math.max(0, clock.now() + ms)));
  }
}
