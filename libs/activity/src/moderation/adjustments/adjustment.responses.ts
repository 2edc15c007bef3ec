import { boardOutcomes, type BoardOutcome } from '@laurel/leaderboard/internals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { OutcomeName } from '../../activity/activity';
import type { Adjusted, Adjustment } from './adjustment';
import { maxAdjustmentPoints } from './adjustment-faults';

/** What to adjust. */
export class AdjustmentBody implements Adjustment {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({
    minimum: -maxAdjustmentPoints,
    maximum: maxAdjustmentPoints,
    example: -50,
    description: 'Not 0. A minus takes as much as is there on each leaderboard.',
  })
  readonly points: number;

  @ApiProperty({ example: 'Points for spam', description: '1 to 512 bytes; told in the history.' })
  readonly reason: string;

  @ApiProperty({ example: 'ticket-4711', description: '1 to 56 bytes. Each is applied once to a user.' })
  readonly id: string;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true, description: 'Of which day. Default: today.' })
  readonly date?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'On this leaderboard alone. Default: on all.' })
  readonly leaderboard?: string | null;
}

/** What became of an adjustment. */
export class AdjustedAnswer implements Adjusted {
  @ApiProperty({ example: 'ticket-4711' })
  readonly id: string;

  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({
    enum: ['granted', 'revoked', 'notGranted', 'duplicate', 'closed', 'rejected'],
    description:
      'Points were added, or taken; there were none to take; it was applied before; its day takes no more; more than a board holds.',
  })
  readonly outcome: OutcomeName;

  @ApiProperty({ description: "The change of the user's points.", example: -50 })
  readonly points: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'By how much it changed each leaderboard; of a duplicate, by how much it did when it was applied.',
    example: { day: -5, month: -50 },
  })
  readonly changes: Readonly<Record<string, number>>;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { day: 0, month: 17 } })
  readonly scores: Readonly<Record<string, number>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...boardOutcomes] },
    example: { day: 'counted', month: 'counted' },
  })
  readonly boards: Readonly<Record<string, BoardOutcome>>;

  @ApiPropertyOptional({ description: 'Why, where the outcome alone does not say.', example: 'scoreOutOfRange' })
  readonly reason?: string;
}
