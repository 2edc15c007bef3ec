import type { Ranking } from '@laurel/leaderboard';
import { Day } from '../../shared/day-field';
import { EqualsRanked, ListQuery, Partition } from '../../core/ranks/rank.dto';

/** Which of a leaderboard's periods. */
class ListPeriodsQuery extends ListQuery {
  @Partition()
  readonly partition?: string;
}

/** The periods that touch a range of days, both days included. */
export class PeriodsQuery extends ListPeriodsQuery {
  @Day('The first day. Default: since ever.')
  readonly from?: string;

  @Day('The last day. Default: until now, or as far as there are any.')
  readonly to?: string;
}

/** The days of a user's points, both included. */
export class PointsQuery {
  @Partition()
  readonly partition?: string;

  @Day('Default: 365 days before `to`. On boards of days at most 366 days, on others at most 3,660.')
  readonly from?: string;

  @Day('Default: today.')
  readonly to?: string;
}

/** Which of a user's past periods, and how equal scores are ranked. */
export class RankHistoryQuery extends ListPeriodsQuery {
  @EqualsRanked()
  readonly ranking?: Ranking;
}
