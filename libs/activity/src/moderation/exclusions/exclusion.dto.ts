import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { exclusionReasons, type ExclusionReason } from '../../extensions/moderation';

/** Why a user is kept off the leaderboards. */
export class ExclusionBody {
  @ApiPropertyOptional({ enum: exclusionReasons, default: 'banned' })
  @IsOptional()
  @IsIn(exclusionReasons, { message: `must be one of ${exclusionReasons.join(', ')}` })
  readonly reason?: ExclusionReason;

  @ApiPropertyOptional({ description: 'Which operator says so; up to 128 bytes.', example: 'ada' })
  @IsOptional()
  @IsString()
  readonly by?: string;

  @ApiPropertyOptional({ description: 'For other operators; up to 512 bytes.', example: 'three accounts, one phone' })
  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** A page of a list that is in no order. */
export class ScanQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 1_000, default: 100, description: 'About so many.' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  )
  @IsInt({ message: 'must be a whole number from 1 to 1000' })
  @Min(1, { message: 'must be a whole number from 1 to 1000' })
  @Max(1_000, { message: 'must be a whole number from 1 to 1000' })
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  readonly cursor?: string;
}
