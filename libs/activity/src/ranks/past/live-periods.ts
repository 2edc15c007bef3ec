import type { Ledger, Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER, RedisConnection } from '../../connection/redis-connection';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../../options/settings';
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

/** The periods of a leaderboard whose boards live in Redis. */
@Injectable()
export class LivePeriods {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** Those that anyone is on, the latest first. One round trip. */
  async list(leaderboard: LeaderboardSettings, { beforeMs, limit }: PeriodWindow): Promise<LivePeriod[]> {
    const periods = this.candidates(leaderboard, beforeMs);
    const totals = await this.connection.read(() =>
      Promise.all(periods.map((period) => this.ledger.board(leaderboard.name, period).size())),
    );
    return periods
      .map((period, i) => ({ period, total: totals[i] ?? 0 }))
      .filter(({ total }) => total > 0)
      .slice(0, limit);
  }

  private candidates(leaderboard: LeaderboardSettings, beforeMs: number): Period[] {
    const nowMs = this.settings.clock.now();
    const start =
      beforeMs > nowMs
        ? this.leaderboards.period(leaderboard, 'current')
        : this.ledger.periodOf(leaderboard.name, beforeMs - 1);
    const found: Period[] = [];
    for (let period: Period | null = start; period; period = this.leaderboards.before(leaderboard, period)) {
      const endMs = period.end?.getTime() ?? Infinity;
      if (nowMs >= endMs + (leaderboard.retentionMs ?? Infinity) || found.length === maxLookedAt) break;
      if (period.start.getTime() < beforeMs) found.push(period);
    }
    return found;
  }
}
