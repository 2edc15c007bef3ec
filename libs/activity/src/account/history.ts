import { ApiProperty, ApiPropertyOptional } from '../core/peers/decorators';
import { pointsField } from '../core/points/points-field';

/** An adjustment by an operator. */
export class HistoryAdjustment {
  @ApiProperty({ example: 'ticket-4711' })
  readonly id: string;

  @ApiProperty({ example: -50 })
  readonly points: number;

  @ApiProperty({ example: 'Points for spam' })
  readonly reason: string;

  @ApiProperty({ type: String, format: 'date-time' })
  readonly at: Date;
}

/** One day of a history. */
export class HistoryDay {
  @ApiProperty({ format: 'date', example: '2026-11-20' })
  readonly date: string;

  @ApiProperty({ example: 5 })
  readonly points: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many standing activities of each action.',
    example: { view: 3, praise: 1 },
  })
  readonly actions: Readonly<Record<string, number>>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: pointsField,
    description: 'With `versions=true`: the points by the version of the rules that they were granted by.',
    example: { 1: 3, 2: 2 },
  })
  readonly versions?: Readonly<Record<string, number>>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many standing activities of each action others did to subjects of this user.',
    example: { praise: 2, follow: 1 },
  })
  readonly received?: Readonly<Record<string, number>>;

  @ApiPropertyOptional({ type: [HistoryAdjustment] })
  readonly adjustments?: readonly HistoryAdjustment[];
}

/** How often a user did each action in a period, and others did it to what is the user's, as far as it stands. */
export class PeriodCounts {
  @ApiProperty({ description: 'The key of the period.', example: '2026-W47' })
  readonly period: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { view: 30, praise: 4 } })
  readonly actions: Readonly<Record<string, number>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Of the actions whose rules grant owners something.',
    example: { praise: 2 },
  })
  readonly received: Readonly<Record<string, number>>;
}

/** Counts of the current week, of the current month and of all time. */
export class HistoryCounts {
  @ApiProperty({ type: PeriodCounts, nullable: true, description: 'Null: not all of its ledgers are kept.' })
  readonly week: PeriodCounts | null;

  @ApiProperty({ type: PeriodCounts, nullable: true, description: 'Null: not all of its ledgers are kept.' })
  readonly month: PeriodCounts | null;

  @ApiProperty({
    type: PeriodCounts,
    nullable: true,
    description: 'What the `tallies` of all-time leaderboards count. Null: there are none.',
  })
  readonly all: PeriodCounts | null;
}

/** What a user was granted, day by day. */
export class HistoryAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiPropertyOptional({ type: HistoryCounts, description: 'With `counts=true`.' })
  readonly counts?: HistoryCounts;

  @ApiProperty({ type: [HistoryDay] })
  readonly days: readonly HistoryDay[];
}
