import { WholeNumber } from '@laurel/activity/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsCursor, type PageRange, readCursor } from './page-cursor';

/** How much of a list. */
export class PageSize {
  @WholeNumber({ min: 1, max: 50, default: 10, description: 'How many at most.' })
  readonly limit?: number;
}

/** How much of a list, and behind which page. */
export class PageQuery extends PageSize {
  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}

/** The page that a request asks for, by default the first ten. */
export function rangeOf({ limit = 10, cursor }: PageQuery): PageRange {
  return { limit, after: cursor === undefined ? null : readCursor(cursor) };
}
