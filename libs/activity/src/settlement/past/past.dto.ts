import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { EqualsRanked, ListQuery, Partition } from '../../ranks/rank.dto';
import type { rankings } from '../../ranks/rank.responses';

/** An optional local day of the leaderboard's zone. */
function LocalDay(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ format: 'date', description }),
    IsOptional(),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'must be a day such as 2026-11-20' }),
  );
}

/** Which of a leaderboard's periods. */
class ListPeriodsQuery extends ListQuery {
  @Partition()
  readonly partition?: string;
}

/** The periods that touch a range of days, both days included. */
export class PeriodsQuery extends ListPeriodsQuery {
  @LocalDay('The first day. Default: since ever.')
  readonly from?: string;

  @LocalDay('The last day. Default: until now, or as far as there are any.')
  readonly to?: string;
}

/** The days of a user's points, both included. */
export class PointsQuery {
  @Partition()
  readonly partition?: string;

  @LocalDay('Default: 365 days before `to`. On boards of days at most 366 days, on others at most 3,660.')
  readonly from?: string;

  @LocalDay('Default: today.')
  readonly to?: string;
}

/** Which of a user's past periods, and how equal scores are ranked. */
export class RankHistoryQuery extends ListPeriodsQuery {
  @EqualsRanked()
  readonly ranking?: (typeof rankings)[number];
}
