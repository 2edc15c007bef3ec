import { ApiProperty, ApiPropertyOptional } from '../../core/peers/decorators';
import { LeaderboardAnswer, RankPeriod, RankUser } from '../../core/ranks/rank.responses';

/** A period that there is something of. */
export class ListedPeriod extends RankPeriod {
  @ApiProperty({ type: Number, nullable: true, description: 'How many users are on it, where known.', example: 1234 })
  readonly total: number | null;

  @ApiPropertyOptional({
    description: 'Of a settled period: SHA-256, in hex, of its final standings as they were archived.',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  readonly checksum?: string;

  @ApiPropertyOptional({ description: 'Of a settled period: how equal scores were put in order, in words.' })
  readonly tieRule?: string;
}

/** The periods of a leaderboard that can be read, the latest first. */
export class RankPeriods extends LeaderboardAnswer {
  @ApiProperty({ type: [ListedPeriod] })
  readonly periods: readonly ListedPeriod[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;
}

/** Where a user stood in one period. */
export class RankHistoryEntry {
  @ApiProperty({ type: RankPeriod })
  readonly period: RankPeriod;

  @ApiProperty({ description: 'How many users were on it.', example: 1234 })
  readonly total: number;

  @ApiProperty({ minimum: 1, example: 3 })
  readonly rank: number;

  @ApiProperty({ example: 37 })
  readonly score: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the score was reached.' })
  readonly reachedAt: string | null;
}

/** Where a user stood in periods that have ended, the latest first; periods without their entry are left out. */
export class RankHistory extends LeaderboardAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: RankUser, nullable: true })
  readonly user: RankUser | null;

  @ApiProperty({ type: [RankHistoryEntry] })
  readonly entries: readonly RankHistoryEntry[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of what follows; null at the end.' })
  readonly next: string | null;
}

/** What a user had in one period. */
export class PeriodPoints {
  @ApiProperty({ description: 'The key of the period.', example: '2026-11-20' })
  readonly period: string;

  @ApiProperty({ format: 'date-time', description: 'When it begins.' })
  readonly start: string;

  @ApiProperty({ example: 37 })
  readonly points: number;

  @ApiProperty({
    ...{ type: Number, minimum: 1, nullable: true, example: 3 },
    description: 'The ordinal rank that the user had; null to users who are kept off the leaderboards, of themselves.',
  })
  readonly rank: number | null;
}

/** What a user had in each period of a time, the earliest first; periods without points are left out. */
export class RankPoints extends LeaderboardAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ format: 'date', example: '2025-11-21' })
  readonly from: string;

  @ApiProperty({ format: 'date', example: '2026-11-20' })
  readonly to: string;

  @ApiProperty({ type: [PeriodPoints] })
  readonly periods: readonly PeriodPoints[];
}
