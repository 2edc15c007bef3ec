import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsCursor } from './page-cursor';

/** How much of a list. */
export class PageSize {
  @ApiPropertyOptional({ minimum: 1, maximum: 50, default: 10 })
  @IsOptional()
  @Max(50)
  @Min(1)
  @IsInt()
  @Type(() => Number)
  readonly limit?: number;
}

/** How much of a list, and behind which page. */
export class PageQuery extends PageSize {
  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}
