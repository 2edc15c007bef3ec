import { rankings } from '@laurel/leaderboard/internals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';
import { PageSize } from '../input/page-query';
import { VisibleText } from '../input/visible-text';
import { shownName } from '../profiles/shown-name';

/** The beginning of a name, and the leaderboard to look the users up on. */
export class UserSearch extends PageSize {
  @ApiProperty({ minLength: 1, maxLength: 40, description: 'How the name begins, in capitals or not.', example: 'ad' })
  @VisibleText({ max: 40, tidy: shownName })
  readonly name: string;

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
    description: 'Which partition of the leaderboard; required if it has partitions.',
    example: 'technology',
  })
  @IsOptional()
  @IsString()
  @Length(1, 64)
  readonly partition?: string;
}
