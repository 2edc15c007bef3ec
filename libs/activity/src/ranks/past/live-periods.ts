import type { Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from '../../connection/redis-connection';
import type { LeaderboardBoards } from '../../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { Leaderboards } from '../leaderboards';

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

/** How far back periods are looked for one by one. */
const maxLookedAt = 400;
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

  /** Those that anyone is on, the latest first. One round trip. */
  async list(leaderboard: LeaderboardBoards, { beforeMs, limit }: PeriodWindow): Promise<LivePeriod[]> {
    const periods = this.candidates(leaderboard, beforeMs);
    const totals = await this.connection.read(() =>
      Promise.all(periods.map((period) => leaderboard.reader(period).size())),
    );
    return periods
      .map((period, i) => ({ period, total: totals[i] ?? 0 }))
      .filter(({ total }) => total > 0)
      .slice(0, limit);
  }

  private candidates(leaderboard: LeaderboardBoards, beforeMs: number): Period[] {
    const nowMs = this.settings.clock.now();
    const isRolling = leaderboard.settings.rolling !== null;
    // Windows overlap: many of them begin before that moment and hold it.
    const start = beforeMs > nowMs || isRolling ? leaderboard.current() : leaderboard.periodAt(beforeMs - 1);
    const most = isRolling ? maxWindows : maxLookedAt;
    const found: Period[] = [];
    for (let period: Period | null = start; period; period = this.leaderboards.before(leaderboard, period)) {
      if (nowMs >= leaderboard.timesOf(period).expireAtMs || found.length === most) break;
      if (period.start.getTime() < beforeMs) found.push(period);
    }
    return found;
  }
}
