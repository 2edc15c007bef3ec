import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** What to simulate. */
export class SimulationQuery {
  @ApiPropertyOptional({ description: 'Default: the first leaderboard that has the period.', example: 'month' })
  @IsOptional()
  @IsString()
  @Length(1, 32)
  readonly leaderboard?: string;

  @ApiPropertyOptional({ default: 'current', description: 'As for standings.', example: '2026-11' })
  @IsOptional()
  @IsString()
  @Length(1, 24)
  readonly period?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1_000, default: 20, description: 'How many places.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly top?: number;
}
