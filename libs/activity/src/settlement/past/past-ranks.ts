import { Period, type PeriodKind } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import { checkUserId, checkWhole, dayIn } from '../../core/activity/checks';
import { invalidQuery } from '../../core/errors/errors';
import type { LeaderboardBoards } from '../../core/ledgers/leaderboard-boards';
import { allowed } from '../../core/ranks/rank.dto';
import { Leaderboards } from '../../core/ranks/leaderboards';
import { Profiles } from '../../core/ranks/profiles';
import { nameAnswer } from '../../core/ranks/page-assembler';
import type { StandingQuery } from '../../core/ranks/rank.service';
import { spanOf, type DayRange } from './live-periods';
import type { PeriodsQuery, PointsQuery, RankHistoryQuery } from './past.dto';
import type { RankHistory, RankPeriods, RankPoints } from './past.responses';
import { PastPeriods } from './past-periods';

const dayMs = 86_400_000;

/** The kinds of periods that follow one another. */
const calendarKinds: readonly PeriodKind[] = ['day', 'week', 'month', 'quarter', 'year'];

/** Reads periods that have ended: which there are, and where a user stood in them. */
@Injectable()
export class PastRanks {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly past: PastPeriods,
    private readonly profiles: Profiles,
  ) {}

  /**
   * The periods that can be read, live and archived, the latest first.
   * @throws ActivityError `unknownLeaderboard`, `invalidQuery`, `unavailable`; LeaderboardError `invalidCursor`.
   */
  async periods(leaderboard: string, query: PeriodsQuery = {}): Promise<RankPeriods> {
    const { limit = 20, cursor } = query;
    checkWhole('limit', limit, allowed.limit);
    const found = this.leaderboards.find(leaderboard, query.partition);
    return this.past.list(found, { limit, cursor, span: spanOf(query, found.settings.timezone) });
  }

  /**
   * The user's points in each period of up to 366 days (on boards of days) or ten years (on others), the earliest
   * first, the current period included. Some four round trips, and as many reads of the archive, for each 100 periods.
   * @throws ActivityError as {@link periods}.
   */
  async points(
    leaderboard: string,
    userId: string,
    { tellsExcluded = false, ...query }: PointsQuery & Pick<StandingQuery, 'tellsExcluded'> = {},
  ): Promise<RankPoints> {
    checkUserId(userId);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const range = this.pointsRange(found, query);
    const entries = await this.past.during(found, userId, { ...spanOf(range, found.settings.timezone), tellsExcluded });
    const periods = entries.map(({ period: { key, start }, score, rank }) => {
      return { period: key, start, points: score, rank };
    });
    return { ...nameAnswer(found), userId, ...range, periods };
  }

  /**
   * Where a user stood in periods that have ended, the latest first. A page may have fewer entries than `limit`
   * although others follow.
   * @throws ActivityError as {@link periods}.
   */
  async history(leaderboard: string, userId: string, query: RankHistoryQuery = {}): Promise<RankHistory> {
    checkUserId(userId);
    const { limit = 20, cursor, ranking = 'ordinal' } = query;
    checkWhole('limit', limit, allowed.limit);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const [{ entries, next }, profiles] = await Promise.all([
      this.past.history(found, userId, { limit, cursor, ranking }),
      this.profiles.find([userId]),
    ]);
    return { ...nameAnswer(found), userId, user: profiles.get(userId) ?? null, entries, next };
  }

  /** The days that are asked for, by default the year up to today. */
  private pointsRange(
    { settings, ledger }: LeaderboardBoards,
    query: DayRange,
  ): { readonly from: string; readonly to: string } {
    const { timezone, period } = settings;
    if (!calendarKinds.includes(period)) {
      throw invalidQuery('leaderboard', 'must be one of days, weeks, months or years: no others follow one another');
    }
    const today = Period.of('day', new Date(ledger.settings.clock.now()), timezone);
    const last = query.to === undefined ? today : dayIn('to', query.to, timezone);
    const days = (count: number) => new Date(last.start.getTime() - count * dayMs);
    const from = query.from ?? Period.of('day', new Date(days(365).getTime() + dayMs / 2), timezone).key;
    const maxDays = period === 'day' ? 366 : 3_660;
    if (spanOf({ from, to: last.key }, timezone).fromMs >= days(maxDays - 0.5).getTime()) return { from, to: last.key };
    throw invalidQuery('from', `must be one of the ${maxDays} days up to ${last.key}`);
  }
}
