import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Equals, IsOptional } from 'class-validator';
import { StandingsQuery } from '../ranks/rank.dto';

/** Which first page a stream tells of. */
export class StreamQuery extends OmitType(StandingsQuery, ['period', 'offset', 'cursor'] as const) {
  @ApiPropertyOptional({ enum: ['current'], default: 'current', description: 'A stream follows the current period.' })
  @IsOptional()
  @Equals('current', { message: 'must be current: a stream follows it; other periods are read by GET /ranks' })
  readonly period?: 'current';
}
