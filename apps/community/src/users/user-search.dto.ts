import { rankings } from '@laurel/leaderboard';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { VisibleText } from '../http/visible-text';

/** Whom to look for, and where his place is wanted. */
export class UserSearch {
  @ApiProperty({ minLength: 1, maxLength: 40, description: 'How the name begins, in capitals or not.', example: 'ad' })
  @VisibleText({ max: 40 })
  readonly name: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 50, default: 10 })
  @IsOptional()
  @Max(50)
  @Min(1)
  @IsInt()
  @Type(() => Number)
  readonly limit?: number;

  @ApiPropertyOptional({ description: 'The leaderboard on which their places are wanted.', example: 'day' })
  @IsOptional()
  @IsString()
  @Length(1, 32)
  readonly leaderboard?: string;

  @ApiPropertyOptional({ default: 'current', description: 'Its period, as for standings.' })
  @IsOptional()
  @IsString()
  @Length(1, 24)
  readonly period?: string;

  @ApiPropertyOptional({ enum: rankings, default: 'ordinal', description: 'How equal scores are ranked.' })
  @IsOptional()
  @IsIn(rankings)
  readonly ranking?: (typeof rankings)[number];

  @ApiPropertyOptional({
    description: 'Which part of a partitioned leaderboard; required there.',
    example: 'technology',
  })
  @IsOptional()
  @IsString()
  @Length(1, 64)
  readonly partition?: string;
}
