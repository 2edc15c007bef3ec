import { type BoardReader, PackedScore } from '../board';
import { invalidArgument } from '../errors/errors';
import { checkedPartition } from '../keys/keys';
import { cached } from '../lists/lists';
import type { Ledger } from '../ledger';
import { Period } from '../time/period';
import { type RedisClient, checkedClient } from '../redis/redis-client';
import { rollingKeys, type WindowName } from '../keys/rolling-keys';
import { RollingWindow } from './rolling-window';

/** The options of a {@link RollingBoard}. */
export interface RollingBoardOptions {
  /** A board of days that the ledger feeds. */
  readonly board: string;
  /** How many local days a window has: 1 to 366. */
  readonly days: number;
  /** How old a window may be when it is read. */
  readonly refreshMs: number;
}

/** How many windows a process remembers: yesterday's and today's of many partitions. */
const maxKept = 1_000;

/**
 * The sum of a board's last `days` days, as a board: points are summed, and equal sums are ordered by their latest
 * `reachedAt`. Redis builds the window when it is read and older than `refreshMs`; one process at a time starts a
 * build. Of today the window is exact as of the moment at which the build began. The days that are over are summed
 * anew when twenty times as long has passed as that took: what changes on them shows within that time, and in a window
 * of which all days are over within ten minutes. Node's memory does not grow with it.
 *
 * Cost: summing the days that are over takes about 4 us an entry and day, a twentieth of the time at most. A refresh
 * copies today's board, about 1 us an entry in one call, and then takes about 3 us for each entry of the window and of
 * today, in calls of about a millisecond. Redis holds up to three copies of the window meanwhile. The read of a
 * window that is too old waits for a refresh; from three quarters of that age on, a read starts the refresh and does
 * not wait.
 */
export class RollingBoard {
  private readonly readers = new Map<string, ReturnType<RollingBoard['newReaders']>>();

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: RollingBoardOptions,
  ) {
    checkedClient(redis, 'the prefix of the ledger');
  }

  /**
   * Reads the window that ends with a day. A read rejects with `unavailable` if the window cannot be built in time.
   * @param window a rolling period of as many days, in the ledger's zone.
   * @throws LeaderboardError `invalidArgument` if it is no such period, or if its first days are no longer kept.
   */
  reader(window: Period, partition: string | null = null): BoardReader {
    return this.readersOf(window, partition).shown;
  }

  /** As {@link reader}, for the members alone that `Ledger.excluded` names. */
  aside(window: Period, partition: string | null = null): BoardReader {
    return this.readersOf(window, partition).aside;
  }

  private readersOf(window: Period, partition: string | null) {
    if (partition !== null) checkedPartition(partition);
    if (!this.keeps(window)) {
      throw invalidArgument(`The first days of the window that ends with ${window.key} are no longer kept.`);
    }
    const id = `${this.ledger.shards}:${window.key}:${partition ?? ''}`;
    return cached(this.readers, id, () => this.newReaders(window, partition), maxKept);
  }

  /** Whether all days of the window are kept. */
  keeps(window: Period): boolean {
    const { board, days } = this.options;
    const { timezone, clock } = this.ledger.settings;
    if (!window.isCutBy({ kind: 'rolling', days }, timezone)) {
      throw invalidArgument(`${window.key} is no window of ${days} days in ${timezone}.`);
    }
    const firstDay = Period.of('day', window.start, timezone);
    return this.ledger.periods.timesOf(board, firstDay).expireAtMs > clock.now();
  }

  /** Of its shown members, and of its excluded members. */
  private newReaders(window: Period, partition: string | null) {
    const { prefix, tags, maxPoints } = this.ledger.settings;
    const { refreshMs, ...of } = this.options;
    const name: WindowName = { prefix, board: of.board, days: of.days, day: window.key, partition };
    const score = new PackedScore({ period: window, maxPoints });
    const board = this.ledger.periods.named(of.board);
    const days = this.daysOf(window);
    const fresh = new RollingWindow(this.redis, this.ledger, { name, days, score, refreshMs });
    const readerOf = (keyOf: (name: WindowName, tag: string) => string) =>
      this.ledger.readerOf(board, score, { keys: tags.map((tag) => keyOf(name, tag)), ready: () => fresh.ensure() });
    return { shown: readerOf(rollingKeys.board), aside: readerOf(rollingKeys.aside) };
  }

  /** The window's days, oldest first. */
  daysOf(window: Period): Period[] {
    const days: Period[] = [];
    const endMs = window.end?.getTime() ?? Infinity;
    let day: Period | null = Period.of('day', window.start, window.timezone);
    for (; day && day.start.getTime() < endMs; day = day.next()) days.push(day);
    return days;
  }
}
