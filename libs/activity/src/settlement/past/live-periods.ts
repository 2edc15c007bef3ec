import type { Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { dayIn } from '../../core/activity/checks';
import { invalidQuery } from '../../core/errors/errors';
import type { LeaderboardBoards } from '../../core/ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { Leaderboards } from '../../core/ranks/leaderboards';
import { RedisConnection } from '../../core/redis/redis-connection';

/** Days as a request names them, both included. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** From the first moment of a day up to the last of another; infinite where it has no bound. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The time from the first to the last of the days, in a zone.
 * @throws ActivityError `invalidQuery` where one is no day, or the last comes before the first.
 */
export function spanOf({ from, to }: DayRange, timezone: string): TimeSpan {
  const fromMs = from === undefined ? -Infinity : dayIn('from', from, timezone).start.getTime();
  const toMs = to === undefined ? Infinity : endOf(dayIn('to', to, timezone));
  if (fromMs < toMs) return { fromMs, toMs };
  throw invalidQuery('from', `must not come after ${to}`);
}

/** The first moment after a period; of one that never ends there is none. */
export function endOf({ end }: Pick<Period, 'end'>): number {
  return end?.getTime() ?? Infinity;
}

/** A period whose board lives in Redis, and how many users are on it. */
export interface LivePeriod {
  readonly period: Period;
  readonly total: number;
}

/** Which periods to list: those that start before a moment, at most so many. */
export interface PeriodWindow {
  readonly beforeMs: number;
  readonly limit: number;
}

/** Of rolling windows, each of which must be put together to be counted. */
const maxWindows = 2;

/** The periods of a leaderboard whose boards live in Redis. */
@Injectable()
export class LivePeriods {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** Those that anyone is on, the latest first. Two round trips; two more where nobody is left on some of them. */
  async list(leaderboard: LeaderboardBoards, { beforeMs, limit }: PeriodWindow): Promise<LivePeriod[]> {
    if (leaderboard.settings.rolling !== null) {
      const windows = this.windows(leaderboard, beforeMs);
      return (await this.counted(leaderboard, windows)).slice(0, limit);
    }
    const found: LivePeriod[] = [];
    for (let before = beforeMs; ;) {
      const periods = await this.written(leaderboard, { beforeMs: before, limit });
      found.push(...(await this.counted(leaderboard, periods)));
      const last = periods.at(-1);
      if (!last || periods.length < limit || found.length >= limit) return found.slice(0, limit);
      before = last.start.getTime();
    }
  }

  /** Those that were written, the latest first, also where nobody is left on them. One round trip. */
  async written(leaderboard: LeaderboardBoards, { beforeMs, limit }: PeriodWindow): Promise<readonly Period[]> {
    if (leaderboard.settings.rolling !== null) return this.windows(leaderboard, beforeMs).slice(0, limit);
    const options = Number.isFinite(beforeMs) ? { limit, before: new Date(beforeMs) } : { limit };
    return this.connection.read(() => leaderboard.ledger.periods.written(leaderboard.name, options));
  }

  private async counted(leaderboard: LeaderboardBoards, periods: readonly Period[]): Promise<LivePeriod[]> {
    const totals = await this.connection.read(() =>
      Promise.all(periods.map((period) => leaderboard.reader(period).size())),
    );
    return periods.map((period, i) => ({ period, total: totals[i] ?? 0 })).filter(({ total }) => total > 0);
  }

  /** Windows overlap: many of them begin before a moment and hold it. */
  private windows(leaderboard: LeaderboardBoards, beforeMs: number): Period[] {
    const nowMs = this.settings.clock.now();
    const found: Period[] = [];
    for (
      let period: Period | null = leaderboard.current();
      period;
      period = this.leaderboards.before(leaderboard, period)
    ) {
      if (nowMs >= leaderboard.timesOf(period).expireAtMs || found.length === maxWindows) break;
      if (period.start.getTime() < beforeMs) found.push(period);
    }
    return found;
  }
}
