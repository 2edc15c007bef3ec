import { ApiPropertyOptional, IsOptional, IsString } from '../../peers/decorators';
import { exclusionReasons, type ExclusionReason } from '../../extensions/moderation';
import { OneOf, WholeNumber } from '../../http/query-fields';

/** Why an operator excludes a user. */
export class ExclusionOptions {
  @OneOf(exclusionReasons, { default: 'banned' })
  readonly reason?: ExclusionReason;

  @ApiPropertyOptional({ description: 'Which operator; up to 128 bytes.', example: 'ada' })
  @IsOptional()
  @IsString()
  readonly by?: string;

  @ApiPropertyOptional({ description: 'For other operators; up to 512 bytes.', example: 'three accounts, one phone' })
  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** A page of a list that has no order. */
export class ScanQuery {
  @WholeNumber({ min: 1, max: 1_000, default: 100, description: 'About so many.' })
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  readonly cursor?: string;
}
