import { BoardReader, packedLayout, WholeBoard } from '../board';
import { Period, type OutsidePeriods } from '../time/period';
import { MemberScripts } from './sharding/guard';
import { checkedClient, type RedisClient } from '../redis/redis-client';
import { shardOf } from '../keys/shard';
import { BoardPeriods, type PeriodState } from './periods/board-periods';
import { Calendar, type BoardPeriod } from './periods/calendar';
import { ledgerSettings, type LedgerSettings } from './model/ledger-options';
import type { LedgerOptions } from './model/ledger.types';
import type { NamesOptions } from './model/names';
import { PeriodRegistry } from './periods/period-registry';
import { ShardsInForce } from './sharding/shards-in-force';

/** The boards of a ledger, and their periods: which there are, how far they are, and reads of them. */
export abstract class LedgerBoards {
  /** The options with all defaults. */
  readonly settings: LedgerSettings;
  protected readonly calendar: Calendar;
  protected readonly registry: PeriodRegistry;
  /** Runs the scripts that change members' data, also for services beside the ledger. */
  readonly members: MemberScripts;
  protected readonly inForce: ShardsInForce;
  protected readonly boardPeriods: BoardPeriods;
  private readonly readers = new WeakMap<BoardPeriod, BoardReader>();

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(
    protected readonly redis: RedisClient,
    options: LedgerOptions,
  ) {
    checkedClient(redis, 'the option prefix');
    const settings = ledgerSettings(options);
    const calendar = new Calendar(settings);
    const registry = new PeriodRegistry(redis, settings);
    const members = new MemberScripts(redis, settings);
    const inForce = new ShardsInForce(redis, settings, members);
    this.boardPeriods = new BoardPeriods(redis, { settings, calendar, registry, members, inForce });
    this.settings = settings;
    this.calendar = calendar;
    this.registry = registry;
    this.members = members;
    this.inForce = inForce;
  }

  /** How many shards the members are spread over. */
  get shards(): number {
    return this.settings.tags.length;
  }

  /** The shard that holds everything of `member`. */
  shardOf(member: string): number {
    return shardOf(member, this.shards);
  }

  /**
   * Reads of one board for one period, live: nothing is kept. Entries of 0 points do not show.
   * @param partition which part of a partitioned board.
   * @throws LeaderboardError `invalidArgument` where there is no such board, or the period is not of its kind.
   */
  board(name: string, period: Period, partition: string | null = null): BoardReader {
    const board = this.boardPeriods.boardPeriod(name, period, partition);
    let reader = this.readers.get(board);
    if (!reader) {
      reader = this.readerOf(board, ({ keys: own }) => own);
      this.readers.set(board, reader);
    }
    return reader;
  }

  /** As {@link board}, for the members alone that `Ledger.move` excluded. */
  aside(name: string, period: Period, partition: string | null = null): BoardReader {
    return this.readerOf(this.boardPeriods.boardPeriod(name, period, partition), ({ asideKeys }) => asideKeys);
  }

  /** A board with all entries, those of excluded members included. */
  everyone(name: string, period: Period, partition: string | null = null): WholeBoard {
    const { keys, asideKeys, score } = this.boardPeriods.boardPeriod(name, period, partition);
    const ofMember = (member: string) => shardOf(member, keys.length);
    const layout = packedLayout(score);
    return new WholeBoard(this.redis, { keys, asideKeys, shardOf: ofMember, layout, minScore: score.unit });
  }

  /** The day that holds `atMs`. */
  dayOf(atMs: number): Period {
    return this.calendar.dayOf(atMs).period;
  }

  /** The board's period that holds `atMs`, by default now; the first or the last period if none does. */
  periodOf(board: string, atMs = this.settings.clock.now()): Period {
    return this.boardPeriods.periodOf(board, atMs);
  }

  /** As {@link periodOf}, but tells if `atMs` lies before the first period or after the last. */
  findPeriod(board: string, atMs: number): Period | OutsidePeriods {
    return Period.find(this.boardPeriods.named(board).period, new Date(atMs), this.settings.timezone);
  }

  /**
   * The board's period that `key` names.
   * @throws LeaderboardError `invalidArgument` if it names none.
   */
  parsePeriod(board: string, key: string): Period {
    return this.boardPeriods.parsePeriod(board, key);
  }

  /**
   * Whether the period still accepts transitions on the named board. If the ledger's periods are frozen, a period is
   * settled when it is frozen, gone, or was never known; otherwise by time alone. One round trip for an ended period
   * that is not known to be frozen, else none.
   */
  stateOf(board: string, period: Period): Promise<PeriodState> {
    return this.boardPeriods.stateOf(board, period);
  }

  /**
   * Makes a period of a board final: from now on no transition changes it, whatever the clock of the process it comes
   * from. What it counts on beside, it still counts on. Safe to repeat. One round trip.
   * @throws LeaderboardError `invalidArgument` where the period never ends, or the board is a tally.
   */
  freeze(board: string, period: Period): Promise<void> {
    return this.boardPeriods.freeze(board, period);
  }

  /** Whether {@link freeze} has made a board's period final. One round trip, none if known. */
  isFrozen(board: string, period: Period): Promise<boolean> {
    return this.boardPeriods.isFrozen(board, period);
  }

  /**
   * The periods of a board that were written and are still there, the latest first: up to `limit` (default 100) that
   * start before a moment (default: all). One round trip.
   */
  periods(board: string, options: { readonly before?: Date; readonly limit?: number } = {}): Promise<Period[]> {
    return this.boardPeriods.periods(board, options);
  }

  /**
   * The known periods of a board that {@link markSettled} has not marked, the earliest first, even if their boards are
   * gone. One round trip.
   */
  unsettled(board: string): Promise<Period[]> {
    return this.boardPeriods.unsettled(board);
  }

  /** Marks a period as settled; true for the first call that does so. Does not freeze it. One round trip. */
  markSettled(board: string, period: Period): Promise<boolean> {
    return this.boardPeriods.markSettled(board, period);
  }

  /** From which moments on a period takes no more transitions, and is dropped by Redis. Infinity: never. */
  boardTimes(board: string, period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    return this.boardPeriods.boardTimes(board, period);
  }

  /**
   * The partitions of a board's period, ordered by the bytes of their names, from the first one or from behind a name.
   * Read from each shard in pages of 1,000 or of `pageSize`, one round trip each; memory does not grow with their
   * number.
   */
  partitions(board: string, period: Period, options?: NamesOptions): AsyncGenerator<string> {
    return this.boardPeriods.partitions(board, period, options);
  }

  /**
   * The keys and the packing of a board's period, for readers that build other boards from it.
   * @throws LeaderboardError `invalidArgument` as {@link board}.
   */
  boardPeriod(name: string, period: Period, partition: string | null): BoardPeriod {
    return this.boardPeriods.boardPeriod(name, period, partition);
  }

  private readerOf(board: BoardPeriod, keysOf: (board: BoardPeriod) => readonly string[]): BoardReader {
    const ofMember = (member: string) => shardOf(member, board.keys.length);
    const { score } = board;
    const { denseMaxAgeMs, clock } = this.settings;
    return new BoardReader(this.redis, {
      keys: keysOf(board),
      shardOf: ofMember,
      layout: packedLayout(score),
      minScore: score.unit,
      denseMaxAgeMs,
      clock,
    });
  }
}
