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
  Max,
  Min,
} from 'class-validator';
import { IsUserId } from './is-user-id';
import { rankings } from './rank.responses';

/** What is allowed of each number in a query, both ends included. */
export const allowed = {
  limit: [1, 100],
  offset: [0, 1_000_000_000],
  radius: [0, 50],
  /** How many users one lookup may name. */
  userIds: [1, 200],
} as const;

/** An optional whole number in a query, in plain digits. */
function WholeFrom([min, max]: readonly [number, number]): PropertyDecorator {
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

/** The `next` of the page before. */
function Cursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: '`next` of the page before.' }),
    IsOptional(),
    IsString(),
    Length(1, 1_024),
  );
}

/** The partition of a leaderboard. */
export function Partition(): PropertyDecorator {
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

/** How equal scores are ranked. */
export function EqualsRanked(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ enum: rankings, default: 'ordinal', description: '1234, 1224 or 1223.' }),
    IsOptional(),
    IsIn(rankings),
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

  @EqualsRanked()
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
  @WholeFrom(allowed.limit)
  readonly limit?: number;

  @ApiPropertyOptional({ minimum: 0, default: 0, description: 'Entries to pass over. Not together with `cursor`.' })
  @WholeFrom(allowed.offset)
  readonly offset?: number;

  @Cursor()
  readonly cursor?: string;
}

/** Which page of a list. */
export class ListQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 20 })
  @WholeFrom(allowed.limit)
  readonly limit?: number;

  @Cursor()
  readonly cursor?: string;
}

/** Which partitions of a leaderboard. */
export class PartitionsQuery extends ListQuery {
  @ApiPropertyOptional({ default: 'current', description: 'As for standings, as long as its boards live in Redis.' })
  @IsOptional()
  @IsString()
  @Length(1, 24)
  readonly period?: string;
}

/** How far around a user. */
export class AroundQuery extends LookupQuery {
  @ApiPropertyOptional({ minimum: 0, maximum: 50, default: 5 })
  @WholeFrom(allowed.radius)
  readonly radius?: number;
}

/** Whose entries to look up. */
export class LookupBody {
  @ApiProperty({ type: [String], minItems: allowed.userIds[0], maxItems: allowed.userIds[1], example: ['42', '7'] })
  @IsArray()
  @ArrayMinSize(allowed.userIds[0])
  @ArrayMaxSize(allowed.userIds[1])
  @IsUserId({ each: true })
  readonly userIds: readonly string[];
}
