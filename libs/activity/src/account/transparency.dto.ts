import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type { QuotaAbout } from './limit-quotas';
import { maxLines } from './ledger-page';
import { maxTraced } from './refusal-trace';

/** Which limits a quota tells. A limit that needs to know more than is given is left out. */
export class QuotaQuery implements QuotaAbout {
  @ApiPropertyOptional({ description: 'Only the limits that this action is under. Default: all.', example: 'praise' })
  @IsOptional()
  @IsString()
  readonly action?: string;

  @ApiPropertyOptional({ description: 'With `action`, for limits of each subject apart.', example: 'article:7' })
  @IsOptional()
  @IsString()
  readonly subject?: string;

  @ApiPropertyOptional({ description: 'For limits of each pair of users apart: the other one.', example: '9' })
  @IsOptional()
  @IsString()
  readonly ownerId?: string;
}

/** Which page of a user's ledger. */
export class LedgerQuery {
  @ApiPropertyOptional({ format: 'date', description: 'Default: today.' })
  @IsOptional()
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'must be a day such as 2026-11-20' })
  readonly date?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxLines, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxLines)
  readonly limit?: number;

  @ApiPropertyOptional({ description: 'The `next` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  readonly cursor?: string;
}

/** How many refusals. */
export class RefusalsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxTraced, default: 100 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxTraced)
  readonly limit?: number;
}
