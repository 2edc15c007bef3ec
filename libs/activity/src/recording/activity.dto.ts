import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, Matches } from 'class-validator';

const day = /^\d{4}-\d{2}-\d{2}$/;
const message = 'must be a day such as 2026-11-20';

/** The days of a history, both included. */
export class HistoryQuery {
  @ApiPropertyOptional({ format: 'date', description: 'At most 31 days up to `to`. Default: all 31.' })
  @IsOptional()
  @Matches(day, { message })
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date', description: 'Default: today.' })
  @IsOptional()
  @Matches(day, { message })
  readonly to?: string;

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Whether to tell which rules gave the points.' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'must be true or false' })
  readonly versions?: boolean;
}
