import { Period, type LedgerDay } from '@laurel/leaderboard';
import { weekSpec } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { checkUserId } from '../core/activity/checks';
import { allTimeScores } from '../shared/all-time-score';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { RedisConnection } from '../core/redis/redis-connection';
import { RulesInForce } from '../core/rules/rules-in-force';
import { actionOfTally, tallyBoard, type Tally, type TallySide } from '../core/rules/rule-book';
import { countsOf } from '../titles/ledger-facts';
import type { HistoryCounts, PeriodCounts } from './account.responses';

/**
 * Counts what a user did, and what others did to what is theirs, in the current week, month and of all time. Weeks and
 * months are counted in the ledgers of their days, at most 31: recording keeps no counts for them. All time is what the
 * tallies of an all-time leaderboard have counted since they were configured.
 */
@Injectable()
export class ActionCounts {
  /** By tally, the all-time leaderboard that keeps it. */
  private readonly kept = new Map<Tally, string>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    for (const { name, period, partition, tallies, where } of settings.leaderboards) {
      if (period !== 'all' || partition !== null || where.length > 0) continue;
      for (const tally of tallies) if (!this.kept.has(tally)) this.kept.set(tally, name);
    }
  }

  /**
   * A user's activities that count now. Two round trips or three: a read of each day of the week and the month so far,
   * at most 31, and two ZMSCORE for each tally of all time.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async of(userId: string): Promise<HistoryCounts> {
    checkUserId(userId);
    const { timezone, clock, weekStart } = this.settings;
    const now = new Date(clock.now());
    const [week, month] = [Period.of(weekSpec(weekStart), now, timezone), Period.of('month', now, timezone)];
    const from = week.start < month.start ? week : month;
    const [days, all] = await this.connection.read(() =>
      Promise.all([
        this.ledgers.main.history.days(userId, Period.of('day', from.start, timezone), Period.of('day', now, timezone)),
        this.ofAllTime(userId),
      ]),
    );
    return { week: this.counted(week, days), month: this.counted(month, days), all };
  }

  /** Null: not all of the period's ledgers are kept any more. */
  private counted(period: Period, days: readonly LedgerDay[]): PeriodCounts | null {
    const first = Period.of('day', period.start, this.settings.timezone);
    if (!this.ledgers.keeps(first)) return null;
    const own = days.filter(({ date }) => date >= first.key);
    const { given, received } = countsOf(own, this.rules.book);
    return { period: period.key, actions: given, received };
  }

  /** Null: nothing is kept of all time. */
  private async ofAllTime(userId: string): Promise<PeriodCounts | null> {
    if (this.kept.size === 0) return null;
    const counts = await Promise.all(
      [...this.kept].map(async ([tally, leaderboard]) => {
        const board = tallyBoard(leaderboard, tally, this.settings.rules);
        const [count = 0] = await allTimeScores(this.ledgers.boards(leaderboard), board, [userId]);
        return { tally, count };
      }),
    );
    const of = (side: TallySide) => {
      const own = counts.filter(({ tally, count }) => tally.startsWith(`${side}:`) && count !== 0);
      return Object.fromEntries(own.map(({ tally, count }) => [actionOfTally(tally), count]));
    };
    return { period: 'all', actions: of('given'), received: of('received') };
  }
}
