import type { Ledger, Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER, RedisConnection } from '../../connection/redis-connection';
import type { LeaderboardSettings } from '../../options/settings';

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

/** The periods of a leaderboard whose boards live in Redis. */
@Injectable()
export class LivePeriods {
  constructor(
    private readonly connection: RedisConnection,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  /** Those that anyone is on, the latest first. Two round trips; two more where nobody is left on some of them. */
  async list({ name }: LeaderboardSettings, { beforeMs, limit }: PeriodWindow): Promise<LivePeriod[]> {
    const found: LivePeriod[] = [];
    for (let before = beforeMs; ;) {
      const options = Number.isFinite(before) ? { limit, before: new Date(before) } : { limit };
      const periods = await this.connection.read(() => this.ledger.periods(name, options));
      const totals = await this.connection.read(() =>
        Promise.all(periods.map((period) => this.ledger.board(name, period).size())),
      );
      periods.forEach((period, i) => {
        const total = totals[i] ?? 0;
        if (total > 0) found.push({ period, total });
      });
      const last = periods.at(-1);
      if (!last || periods.length < limit || found.length >= limit) return found.slice(0, limit);
      before = last.start.getTime();
    }
  }
}
