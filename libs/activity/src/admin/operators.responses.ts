import { ApiProperty } from '@nestjs/swagger';
import { outcomeNames, type OutcomeName } from '../activity/activity';
import type { TracedAdjustment } from '../moderation/adjustments/adjustment-trace';
import { RankPeriod } from '../ranks/rank.responses';
import type { OutcomeMinute } from './outcome-minutes';

/** A period that has ended and is not settled yet. */
export class WaitingPeriod extends RankPeriod {
  @ApiProperty({ format: 'date-time', description: 'From when on it takes nothing more.' })
  readonly closesAt: string;

  @ApiProperty({ description: 'Whether it has closed: it is settled at the next look.' })
  readonly isDue: boolean;
}

/** A period that was settled. */
export class LastSettled extends RankPeriod {
  @ApiProperty({ format: 'date-time' })
  readonly settledAt: string;

  @ApiProperty({ description: 'How many users were archived.', example: 1234 })
  readonly total: number;

  @ApiProperty({ description: 'SHA-256 of all lines, as settled.' })
  readonly checksum: string;
}

/** How the settling of one leaderboard stands. */
export class LeaderboardSettlement {
  @ApiProperty({ example: 'day' })
  readonly leaderboard: string;

  @ApiProperty({ type: RankPeriod })
  readonly current: RankPeriod;

  @ApiProperty({ type: [WaitingPeriod], description: 'The earliest first.' })
  readonly waiting: readonly WaitingPeriod[];

  @ApiProperty({ type: LastSettled, nullable: true, description: 'Null: none yet, or the leaderboard is partitioned.' })
  readonly lastSettled: LastSettled | null;
}

/** How settling stands. */
export class SettlementAnswer {
  @ApiProperty({ description: 'Whether the instance that answers settles.' })
  readonly isOn: boolean;

  @ApiProperty({ type: [LeaderboardSettlement], description: 'All but rolling windows, which are never settled.' })
  readonly leaderboards: readonly LeaderboardSettlement[];
}

/** How many activities ended how in one minute. */
export class OutcomesOfMinute implements OutcomeMinute {
  @ApiProperty({ format: 'date-time', description: 'When it began.' })
  readonly at: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `By ${outcomeNames.join(', ')}; what did not happen is left out.`,
    example: { granted: 12, duplicate: 3 },
  })
  readonly outcomes: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** What the instance that answers recorded lately. */
export class OutcomesAnswer {
  @ApiProperty({ format: 'date-time', description: 'Since when the instance counts.' })
  readonly since: string;

  @ApiProperty({ type: [OutcomesOfMinute], description: 'The present minute last.' })
  readonly minutes: readonly OutcomesOfMinute[];
}

/** An adjustment that operators made. */
export class ListedAdjustment implements TracedAdjustment {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ example: 'ticket-4711' })
  readonly id: string;

  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ description: 'What was asked for.', example: -50 })
  readonly asked: number;

  @ApiProperty({ description: "The change of the user's points: the largest on any leaderboard.", example: -50 })
  readonly points: number;

  @ApiProperty({ example: 'Points for spam' })
  readonly reason: string;

  @ApiProperty({ enum: outcomeNames })
  readonly outcome: OutcomeName;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'By how much it changed each leaderboard.',
    example: { day: -5, month: -50 },
  })
  readonly changes: Readonly<Record<string, number>>;
}

/** The latest adjustments, the latest first. */
export class AdjustmentsAnswer {
  @ApiProperty({ type: [ListedAdjustment] })
  readonly adjustments: readonly ListedAdjustment[];
}
