import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsCursor } from '../http/page-cursor';
import { VisibleText } from '../http/visible-text';
import { categories, type Category, defaultCategory } from './categories';

/** What an article says. */
export class ArticleDraft {
  @ApiProperty({ minLength: 1, maxLength: 200, example: 'On sorted sets' })
  @VisibleText({ max: 200 })
  readonly title: string;

  @ApiProperty({ minLength: 1, maxLength: 50_000, example: 'A sorted set is …' })
  @VisibleText({ max: 50_000, isMultiline: true })
  readonly body: string;

  @ApiPropertyOptional({ enum: categories, default: defaultCategory, description: 'What it is about, for good.' })
  @IsIn(categories)
  readonly category: Category = defaultCategory;
}

/** Which articles a list has: those that are online, or one's own drafts. */
export const listStates = ['published', 'draft'] as const;

/** A page of a list. */
export class ArticleQuery {
  @ApiPropertyOptional({ enum: listStates, description: '`draft`: your own. Default: `published`.' })
  @IsOptional()
  @IsIn(listStates)
  readonly state?: (typeof listStates)[number];

  @ApiPropertyOptional({ enum: categories, description: 'Those of one category alone.' })
  @IsOptional()
  @IsIn(categories)
  readonly category?: Category;

  @ApiPropertyOptional({ minimum: 1, maximum: 50, default: 10 })
  @IsOptional()
  @Max(50)
  @Min(1)
  @IsInt()
  @Type(() => Number)
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}
