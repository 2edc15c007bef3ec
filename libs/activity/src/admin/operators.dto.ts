import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { maxTracedAdjustments } from '../moderation/adjustments/adjustment-trace';
import { maxMinutes } from './outcome-minutes';

/** How many minutes. */
export class OutcomesQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxMinutes, default: maxMinutes })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxMinutes)
  readonly minutes?: number;
}

/** How many adjustments. */
export class AdjustmentsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxTracedAdjustments, default: 100 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxTracedAdjustments)
  readonly limit?: number;
}
