import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { IsUserId } from './is-user-id';
import { rankings } from './rank.responses';

/** An optional whole number in a query, in its plain form: anything else is refused with the range that is allowed. */
function WholeFrom(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Whether entries come with titles. */
function WithTitles(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      default: false,
      description: "Whether entries come with their users' titles.",
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
  );
}

/** The partition of a leaderboard. */
function Partition(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: 'Which partition of the leaderboard; required if it has partitions.',
      example: 'java',
    }),
    IsOptional(),
    IsString(),
    Length(1, 64),
  );
}

/** Which period, and how equal scores are ranked. */
export class RankQuery {
  @ApiPropertyOptional({
    default: 'current',
    description:
      '`current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, ' +
      '`2026`, `all`, of a contest `2026-11-01--2026-11-30`.',
  })
  @IsOptional()
  @IsString()
  @Length(1, 24)
  readonly period?: string;

  @Partition()
  readonly partition?: string;

  @ApiPropertyOptional({ enum: rankings, default: 'ordinal', description: '1234, 1224 or 1223.' })
  @IsOptional()
  @IsIn(rankings)
  readonly ranking?: (typeof rankings)[number];
}

/** As {@link RankQuery}, with or without titles. */
export class LookupQuery extends RankQuery {
  @WithTitles()
  readonly titles?: boolean;
}

/** Which page of standings. */
export class StandingsQuery extends LookupQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 10 })
  @WholeFrom(1, 100)
  readonly limit?: number;

  @ApiPropertyOptional({ minimum: 0, default: 0, description: 'Entries to pass over. Not together with `cursor`.' })
  @WholeFrom(0, 1_000_000_000)
  readonly offset?: number;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  readonly cursor?: string;
}

/** An optional local day of the leaderboard's zone. */
function LocalDay(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ format: 'date', description }),
    IsOptional(),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'must be a day such as 2026-11-20' }),
  );
}

/** Which page of a list. */
class Paged {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 20 })
  @WholeFrom(1, 100)
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  readonly cursor?: string;
}

/** Which of a leaderboard's periods. */
class PagedPeriods extends Paged {
  @Partition()
  readonly partition?: string;
}

/** Which of a leaderboard's periods: those that touch the days, both included. */
export class PeriodsQuery extends PagedPeriods {
  @LocalDay('The first day. Default: since ever.')
  readonly from?: string;

  @LocalDay('The last day. Default: until now, or as far as there are any.')
  readonly to?: string;
}

/** Which partitions of a leaderboard. */
export class PartitionsQuery extends Paged {
  @ApiPropertyOptional({ default: 'current', description: 'As for standings, as long as its boards live in Redis.' })
  @IsOptional()
  @IsString()
  @Length(1, 24)
  readonly period?: string;
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
export class RankHistoryQuery extends PagedPeriods {
  @ApiPropertyOptional({ enum: rankings, default: 'ordinal', description: '1234, 1224 or 1223.' })
  @IsOptional()
  @IsIn(rankings)
  readonly ranking?: (typeof rankings)[number];
}

/** How far around a user. */
export class AroundQuery extends LookupQuery {
  @ApiPropertyOptional({ minimum: 0, maximum: 50, default: 5 })
  @WholeFrom(0, 50)
  readonly radius?: number;
}

/** Whose entries to look up. */
export class LookupBody {
  @ApiProperty({ type: [String], minItems: 1, maxItems: 200, example: ['42', '7'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @IsUserId({ each: true })
  readonly userIds: readonly string[];
}
