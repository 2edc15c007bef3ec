import { invalidArgument } from '../../errors/errors';
import { checkedPartition, keys } from '../../keys/keys';
import { sendTogether, type Command } from '../../redis/send';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import { Period, type OutsidePeriods } from '../../time/period';
import type { LedgerBoard } from '../model/ledger.types';
import { membersByName, mergedByName, type NamesOptions } from '../model/names';
import type { BoardPeriod } from './calendar';
import type { LedgerContext } from './ledger-context';

/** The most frozen periods remembered. */
const maxKnownFrozen = 20_000;

/**
 * `notStarted`: the board's first period, which has not begun: a contest. `open`: running, or to come. `closing`:
 * ended, and late transitions may still count. `settled`: final.
 */
export type PeriodState = 'notStarted' | 'open' | 'closing' | 'settled';

/**
 * The periods of a ledger's boards. Each call throws `invalidArgument` if a board, or a period of it, does not exist.
 */
export class BoardPeriods {
  /** Periods known to be frozen: they stay so. */
  private readonly known = new Set<string>();

  constructor(private readonly ledger: LedgerContext) {}

  /** The ledger's board of that name. */
  named(name: string): LedgerBoard {
    const { boards } = this.ledger.settings;
    const board = boards.find((candidate) => candidate.name === name);
    if (board) return board;
    const names = boards.map((candidate) => candidate.name).join(', ');
    throw invalidArgument(`No board is named "${name}": there are ${names}.`);
  }

  /** The day that holds `atMs`. */
  dayOf(atMs: number): Period {
    return this.ledger.calendar.dayOf(atMs).period;
  }

  /** The board's period that holds `atMs`, by default now; the first or the last period if none does. */
  of(board: string, atMs = this.ledger.settings.clock.now()): Period {
    return this.ledger.calendar.periodOf(this.named(board), atMs);
  }

  /** As {@link of}, but tells if `atMs` lies before the first period or after the last. */
  find(board: string, atMs: number): Period | OutsidePeriods {
    return Period.find(this.named(board).period, new Date(atMs), this.ledger.settings.timezone);
  }

  /** The board's period that `key` names. */
  parse(board: string, key: string): Period {
    return Period.parse(this.named(board).period, key, this.ledger.settings.timezone);
  }

  /** The keys and the packing of a board's period, for readers that build other boards from it. */
  boardPeriod(name: string, period: Period, partition: string | null): BoardPeriod {
    const board = this.checkedBoard(name, period);
    if ((partition === null) !== !board.partition) {
      const fault = partition === null ? `has parts: name one by its ${board.partition}` : 'has no parts';
      throw invalidArgument(`The board "${name}" ${fault}.`);
    }
    return this.ledger.calendar.boardPeriod(board, period, partition === null ? null : checkedPartition(partition));
  }

  /** From which moments on a period takes no more transitions, and is dropped by Redis. Infinity: never. */
  timesOf(board: string, period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    return this.ledger.calendar.timesOf(this.checkedBoard(board, period), period);
  }

  /**
   * Whether the period still accepts transitions on the named board. If the ledger's periods are frozen, a period is
   * settled when it is frozen, gone, or was never known; otherwise by time alone. One round trip for an ended period
   * that is not known to be frozen, else none.
   */
  async stateOf(board: string, period: Period): Promise<PeriodState> {
    const { freezes } = this.checkedBoard(board, period);
    const now = this.ledger.settings.clock.now();
    if (now < period.start.getTime() && period.kind !== 'all' && period.previous() === null) return 'notStarted';
    const { closesAtMs, expireAtMs } = this.timesOf(board, period);
    if (now < Math.min(period.end?.getTime() ?? Infinity, closesAtMs)) return 'open';
    const isEverFrozen = period.end !== null && (typeof freezes === 'function' ? freezes() : freezes);
    if (!isEverFrozen) return now < closesAtMs ? 'closing' : 'settled';
    const { redis, settings } = this.ledger;
    const [isFrozen, isWritten] = await Promise.all([
      this.isFrozen(board, period),
      now < closesAtMs || served(redis, keys.periods(settings.prefix, board), (key) => redis.zscore(key, period.key)),
    ]);
    return isFrozen || now >= expireAtMs || isWritten === null ? 'settled' : 'closing';
  }

  /**
   * Makes a period of a board final: from now on no transition changes it, whatever the clock of the process it comes
   * from. What it counts on beside, it still counts on. Safe to repeat. One round trip.
   * @throws LeaderboardError `invalidArgument` where the period never ends, or the board is a tally.
   */
  async freeze(board: string, period: Period): Promise<void> {
    const { tallyOf } = this.checkedBoard(board, period);
    if (tallyOf != null) {
      throw invalidArgument(`"${board}" is a tally, frozen with its board: freeze "${tallyOf}".`);
    }
    const { expireAtMs } = this.timesOf(board, period);
    if (period.end === null) throw invalidArgument(`The period "${period.key}" of "${board}" never ends.`);
    const args = { name: 'SET', arguments: Number.isFinite(expireAtMs) ? ['1', 'PXAT', expireAtMs] : ['1'] };
    const { settings, members, inForce } = this.ledger;
    await inForce.inShards(() => {
      const marks = this.frozenKeys(board, period);
      return Promise.all(
        settings.tags.map((tag, shard) =>
          members.run(scripts.runCommand, { key: marks[shard] as string }, args, { tag, members: [] }),
        ),
      );
    });
    if (settings.clock.now() < expireAtMs) this.known.add(`${board}:${period.key}`);
  }

  /**
   * Lets a frozen period stay until a moment, Infinity: for good; never for less than the board's retention says, to
   * which an earlier moment brings it back. Safe to repeat. Three round trips and one for each partition.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async keep(board: string, period: Period, untilMs: number): Promise<void> {
    const { redis, inForce, settings } = this.ledger;
    const keptMs = Math.max(untilMs, this.timesOf(board, period).expireAtMs);
    const keep = (key: string): Command => (keptMs < Infinity ? ['pexpireat', key, keptMs] : ['persist', key]);
    await inForce.unmoved(async () => {
      const note = (kept: string) => redis.zadd(kept, Math.min(keptMs, Number.MAX_SAFE_INTEGER), period.key);
      await served(redis, keys.kept(settings.prefix, this.named(board).name), note);
      // A board that outlives its mark would be open again once its retention or lateness is longer.
      await sendTogether(redis, this.frozenKeys(board, period).map(keep));
      for await (const { keys: shown, asideKeys, listKeys } of this.sets(board, period)) {
        // An entry that is moved takes along the expiry of the set that it leaves: boards first and last.
        await sendTogether(redis, [...shown, ...asideKeys, ...shown, ...(listKeys ?? [])].map(keep));
      }
    });
  }

  /** Whether {@link freeze} has made a board's period final. One round trip, none if known. */
  async isFrozen(board: string, period: Period): Promise<boolean> {
    const id = `${board}:${period.key}`;
    if (this.known.has(id)) return true;
    const marks = await sendTogether(
      this.ledger.redis,
      this.frozenKeys(board, period).map((key): Command => ['exists', key]),
    );
    if (marks.some((mark) => mark !== 1)) return false;
    if (this.known.size >= maxKnownFrozen) this.known.clear();
    this.known.add(id);
    return true;
  }

  /**
   * The periods of a board that were written and are still there, the latest first: up to `limit` (default 100) that
   * start before a moment (default: all). One round trip, a few where some have expired.
   */
  written(board: string, options: { readonly before?: Date; readonly limit?: number } = {}): Promise<Period[]> {
    return this.ledger.registry.written(this.named(board), options.before?.getTime(), options.limit ?? 100);
  }

  /** Whether any period was ever written of a board of this name, whichever boards there are now. One round trip. */
  async isKnown(name: string): Promise<boolean> {
    const { redis, settings } = this.ledger;
    return (await served(redis, keys.periods(settings.prefix, name), (key) => redis.exists(key))) === 1;
  }

  /** The known periods that {@link markSettled} has not marked, the earliest first, even without boards. One trip. */
  async unsettled(board: string): Promise<Period[]> {
    const { redis, settings, registry } = this.ledger;
    const settled = keys.settled(settings.prefix, board);
    const found = await served(redis, keys.periods(settings.prefix, board), (key) => redis.zdiff(2, [key, settled]));
    return registry.parsed(this.named(board), found);
  }

  /**
   * Marks a period as settled; true for the first call that does so, which forgets marked ones that Redis has dropped.
   * Does not freeze it. One round trip, of the first call up to five.
   */
  async markSettled(board: string, period: Period): Promise<boolean> {
    const { redis, settings } = this.ledger;
    const settled = keys.settled(settings.prefix, this.checkedBoard(board, period).name);
    const isFirst = (await served(redis, settled, (key) => redis.zadd(key, period.start.getTime(), period.key))) === 1;
    if (isFirst) await this.forgetDropped(this.named(board));
    return isFirst;
  }

  /** Of a board of hours there would be ever more. */
  private async forgetDropped(board: LedgerBoard): Promise<void> {
    const { redis, settings, registry, calendar } = this.ledger;
    const [nowMs, of] = [settings.clock.now(), [settings.prefix, board.name] as const];
    const settled = keys.settled(...of);
    const marked = await served(redis, settled, (key) => redis.zrange(key, '0', '-1'));
    const kept = await served(redis, keys.kept(...of), (key) => redis.zrange(key, `(${nowMs}`, '+inf', 'BYSCORE'));
    const isDropped = (one: Period) => nowMs >= calendar.timesOf(board, one).expireAtMs && !kept.includes(one.key);
    const dropped = registry.parsed(board, marked).flatMap((one) => (isDropped(one) ? [one.key] : []));
    if (dropped.length === 0) return;
    // Marked to the last: what is known and not marked would be settled again.
    for (const list of [keys.periods(...of), settled]) await served(redis, list, (key) => redis.zrem(key, ...dropped));
  }

  /**
   * The partitions of a board's period, ordered by the bytes of their names, from the first one or from behind a name.
   * Read from each shard in pages of 1,000 or of `pageSize`, one round trip each; memory does not grow with their
   * number.
   */
  async *partitions(board: string, period: Period, options?: NamesOptions): AsyncGenerator<string> {
    const { name } = this.checkedBoard(board, period);
    const { redis, settings } = this.ledger;
    const { prefix, tags } = settings;
    const lists = tags.map((tag) => membersByName(redis, keys.boardParts(prefix, tag, name, period.key), options));
    yield* mergedByName(lists);
  }

  /** A board's period, of a partitioned board each of its parts. */
  async *sets(board: string, period: Period): AsyncGenerator<BoardPeriod> {
    if (!this.named(board).partition) yield this.boardPeriod(board, period, null);
    else for await (const part of this.partitions(board, period)) yield this.boardPeriod(board, period, part);
  }

  private checkedBoard(name: string, period: Period): LedgerBoard {
    const board = this.named(name);
    const { timezone } = this.ledger.settings;
    if (period.isCutBy(board.period, timezone)) return board;
    throw invalidArgument(
      `The period ${period.key} in ${period.timezone} is none of the board "${name}", whose time is cut by ` +
        `${JSON.stringify(board.period)} in ${timezone}.`,
    );
  }

  private frozenKeys(board: string, period: Period): readonly string[] {
    return this.ledger.calendar.boardPeriod(this.checkedBoard(board, period), period).frozenKeys;
  }
}
