import { LeaderboardError, Period } from '@laurel/leaderboard';
import { maxPartitionBytes } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { TimedCache } from '../cache/timed-cache';
import { identifierFault } from '../activity/activity';
import { ActivityError, faultsError } from '../errors/errors';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** Finds leaderboards, and their periods, by the names that requests give them. */
@Injectable()
export class Leaderboards {
  /** Cutting a period by its zone costs more than the rest of a cached answer. */
  private readonly periods: TimedCache<Period>;

  constructor(
    private readonly ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.periods = new TimedCache({ clock: settings.clock, ttlMs: Infinity, maxWeight: 1_000 });
  }

  /**
   * A leaderboard, or one partition of it.
   * @throws ActivityError `unknownLeaderboard`; `invalidQuery` where a part is named and there are none, or the other
   * way about.
   */
  find(name: string, partition?: string): LeaderboardBoards {
    const found = this.ledgers.boards(name);
    const refuse = (message: string) => faultsError('invalidQuery', [{ path: 'partition', message }]);
    const { partition: key } = found.settings;
    if (key === null) {
      if (partition === undefined) return found;
      throw refuse(`must be left out: the leaderboard "${name}" has no partitions`);
    }
    if (partition === undefined) throw refuse(`must be given: the ${key} whose standings are wanted`);
    const fault = identifierFault(partition, maxPartitionBytes);
    if (fault !== null) throw refuse(fault);
    return found.part(partition);
  }

  /**
   * A period by its name: `current`, `previous` or a key such as `2026-11-20`.
   * @throws ActivityError `unknownPeriod`
   */
  period(leaderboard: LeaderboardBoards, key: string): Period {
    const { name } = leaderboard;
    const period = key === 'current' || key === 'previous' ? leaderboard.current() : this.parsed(leaderboard, key);
    if (key === 'previous') {
      const before = this.before(leaderboard, period);
      if (before) return before;
      throw new ActivityError(
        'unknownPeriod',
        `The leaderboard "${name}" has no period before its current one, "${period.key}".`,
      );
    }
    if (leaderboard.isKept(period)) return period;
    throw new ActivityError(
      'unknownPeriod',
      `The leaderboard "${name}" no longer keeps the days of the window that ends with ${period.key}.`,
    );
  }

  /** The period before `period`; null for the first there is, for one that never ends, and where it is not kept. */
  before(leaderboard: LeaderboardBoards, period: Period): Period | null {
    try {
      const before = this.remembered(`before ${leaderboard.name} ${period.key}`, () => period.previous());
      return before && leaderboard.isKept(before) ? before : null;
    } catch (error) {
      // The calendar begins with the year 0.
      if (error instanceof LeaderboardError) return null;
      throw error;
    }
  }

  private parsed(leaderboard: LeaderboardBoards, key: string): Period {
    try {
      return this.remembered(`${leaderboard.name} ${key}`, () => leaderboard.parse(key));
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      const message = `The leaderboard "${leaderboard.name}" has no such period. ${error.message}`;
      throw new ActivityError('unknownPeriod', message, { cause: error });
    }
  }

  private remembered<Made extends Period | null>(key: string, make: () => Made): Made | Period {
    const kept = this.periods.get(key);
    if (kept) return kept;
    const period = make();
    if (period) this.periods.set(key, period);
    return period;
  }
}
