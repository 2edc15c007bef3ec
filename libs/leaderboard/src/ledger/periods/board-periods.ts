import { LeaderboardError } from '../../errors/errors';
import { checkedPartition, keys } from '../../keys/keys';
import { Period } from '../../time/period';
import { sendTogether, type Command } from '../../redis/send';
import type { MemberScripts } from '../sharding/guard';
import type { RedisClient } from '../../redis/redis-client';
import { scripts } from '../../scripts/scripts.generated';
import type { BoardPeriod, Calendar } from './calendar';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerBoard } from '../model/ledger.types';
import { membersByName, mergedByName, type NamesOptions } from '../model/names';
import type { PeriodRegistry } from './period-registry';
import type { ShardsInForce } from '../sharding/shards-in-force';

/** The most frozen periods remembered. */
const maxKnownFrozen = 20_000;

/**
 * `notStarted`: the board's first period, which has not begun: a contest. `open`: running, or to come. `closing`:
 * ended, and late transitions may still count. `settled`: final.
 */
export type PeriodState = 'notStarted' | 'open' | 'closing' | 'settled';

/** The state of a board's periods. */
export interface BoardPeriodsParts {
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly registry: PeriodRegistry;
  readonly members: MemberScripts;
  readonly inForce: ShardsInForce;
}

/** The periods of a ledger's boards: their keys and their ends. */
export class BoardPeriods {
  private readonly settings: LedgerSettings;
  private readonly calendar: Calendar;
  private readonly registry: PeriodRegistry;
  private readonly members: MemberScripts;
  private readonly inForce: ShardsInForce;
  /** Periods known to be frozen: they stay so. */
  private readonly known = new Set<string>();

  constructor(
    private readonly redis: RedisClient,
    { settings, calendar, registry, members, inForce }: BoardPeriodsParts,
  ) {
    this.settings = settings;
    this.calendar = calendar;
    this.registry = registry;
    this.members = members;
    this.inForce = inForce;
  }

  /** @throws LeaderboardError `invalidArgument` where there is no such board. */
  named(name: string): LedgerBoard {
    const board = this.settings.boards.find((candidate) => candidate.name === name);
    if (board) return board;
    const names = this.settings.boards.map((candidate) => candidate.name).join(', ');
    throw new LeaderboardError('invalidArgument', `No board is named "${name}": there are ${names}.`);
  }

  private checkedBoard(name: string, period: Period): LedgerBoard {
    const board = this.named(name);
    if (period.isCutBy(board.period, this.settings.timezone)) return board;
    throw new LeaderboardError(
      'invalidArgument',
      `The period ${period.key} in ${period.timezone} is none of the board "${name}", whose time is cut by ${JSON.stringify(board.period)} in ${this.settings.timezone}.`,
    );
  }

  /** As `Ledger.boardPeriod`. */
  boardPeriod(name: string, period: Period, partition: string | null): BoardPeriod {
    const board = this.checkedBoard(name, period);
    if ((partition === null) !== !board.partition) {
      const fault = partition === null ? `has parts: name one by its ${board.partition}` : 'has no parts';
      throw new LeaderboardError('invalidArgument', `The board "${name}" ${fault}.`);
    }
    return this.calendar.boardPeriod(board, period, partition === null ? null : checkedPartition(partition));
  }

  /** As `Ledger.boardTimes`. */
  boardTimes(board: string, period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    const { closesAtMs, expireAtMs } = this.calendar.timesOf(this.checkedBoard(board, period), period);
    return { closesAtMs, expireAtMs };
  }

  /** As `Ledger.periodOf`. */
  periodOf(board: string, atMs = this.settings.clock.now()): Period {
    return this.calendar.periodOf(this.named(board), this.calendar.dayOf(atMs));
  }

  /** As `Ledger.parsePeriod`. */
  parsePeriod(board: string, key: string): Period {
    return Period.parse(this.named(board).period, key, this.settings.timezone);
  }

  /** As `Ledger.stateOf`. */
  async stateOf(board: string, period: Period): Promise<PeriodState> {
    const { freezes } = this.checkedBoard(board, period);
    const now = this.settings.clock.now();
    if (now < period.start.getTime() && period.kind !== 'all' && period.previous() === null) return 'notStarted';
    const { closesAtMs, expireAtMs } = this.boardTimes(board, period);
    if (period.end === null || now < period.end.getTime()) return 'open';
    if (!(typeof freezes === 'function' ? freezes() : freezes)) return now < closesAtMs ? 'closing' : 'settled';
    const [isFrozen, isWritten] = await Promise.all([
      this.isFrozen(board, period),
      now < closesAtMs || this.registry.isWritten(this.named(board), period),
    ]);
    return isFrozen || now >= expireAtMs || !isWritten ? 'settled' : 'closing';
  }

  /** As `Ledger.freeze`. */
  async freeze(board: string, period: Period): Promise<void> {
    const { tallyOf } = this.checkedBoard(board, period);
    if (tallyOf != null) {
      throw new LeaderboardError(
        'invalidArgument',
        `"${board}" is a tally, frozen with its board: freeze "${tallyOf}".`,
      );
    }
    const { expireAtMs } = this.boardTimes(board, period);
    if (period.end === null) {
      throw new LeaderboardError('invalidArgument', `The period "${period.key}" of "${board}" never ends.`);
    }
    const args = { name: 'SET', arguments: Number.isFinite(expireAtMs) ? ['1', 'PXAT', expireAtMs] : ['1'] };
    await this.inForce.inShards(() => {
      const { tags } = this.settings;
      const marks = this.frozenKeys(board, period);
      return Promise.all(
        tags.map((tag, shard) =>
          this.members.run(scripts.runCommand, { key: marks[shard] as string }, args, { tag, members: [] }),
        ),
      );
    });
    if (this.settings.clock.now() < expireAtMs) this.known.add(`${board}:${period.key}`);
  }

  /** As `Ledger.isFrozen`. */
  async isFrozen(board: string, period: Period): Promise<boolean> {
    const id = `${board}:${period.key}`;
    if (this.known.has(id)) return true;
    const marks = await sendTogether(
      this.redis,
      this.frozenKeys(board, period).map((key): Command => ['exists', key]),
    );
    if (marks.some((mark) => mark !== 1)) return false;
    if (this.known.size >= maxKnownFrozen) this.known.clear();
    this.known.add(id);
    return true;
  }

  /** As `Ledger.periods`. */
  async periods(board: string, options: { readonly before?: Date; readonly limit?: number } = {}): Promise<Period[]> {
    const { before, limit = 100 } = options;
    const found = await this.registry.written(this.named(board), before?.getTime() ?? Infinity, limit);
    const now = this.settings.clock.now();
    return found.filter((period) => now < this.boardTimes(board, period).expireAtMs);
  }

  /** As `Ledger.unsettled`. */
  unsettled(board: string): Promise<Period[]> {
    return this.registry.unsettled(this.named(board));
  }

  /** As `Ledger.markSettled`. */
  markSettled(board: string, period: Period): Promise<boolean> {
    return this.registry.settle(this.checkedBoard(board, period), period);
  }

  /** As `Ledger.partitions`. */
  async *partitions(board: string, period: Period, options?: NamesOptions): AsyncGenerator<string> {
    const { name } = this.checkedBoard(board, period);
    const { prefix, tags } = this.settings;
    const lists = tags.map((tag) => membersByName(this.redis, keys.boardParts(prefix, tag, name, period.key), options));
    yield* mergedByName(lists);
  }

  private frozenKeys(board: string, period: Period): string[] {
    const { prefix, tags } = this.settings;
    const { name, tallyOf } = this.checkedBoard(board, period);
    return tags.map((tag) => keys.frozen(prefix, tag, tallyOf ?? name, period.key));
  }
}
