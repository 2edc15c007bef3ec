import { boardOutcomes, type BoardOutcome } from '@laurel/leaderboard/internals';
import { ApiProperty, ApiPropertyOptional } from '../peers/decorators';
import { outcomeNames, type OutcomeName } from '../activity/activity';
import { pointsField } from '../points/points-field';

/** A limit's refusal. */
export class ActivityRefusal {
  @ApiProperty({ description: "The limit's name.", example: 'praise-sliding' })
  readonly limit: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the same is allowed again; null: at no moment that is known.',
  })
  readonly allowedAgainAt: string | null;
}

/** The result of granting points to a subject's owner. */
export class OwnerResult {
  @ApiProperty({ example: '9' })
  readonly userId: string;

  @ApiProperty({ enum: outcomeNames })
  readonly outcome: OutcomeName;

  @ApiProperty({ description: 'The change of points.', example: 1 })
  readonly points: number;

  @ApiProperty({ type: 'object', additionalProperties: pointsField, example: { day: 8, month: 60 } })
  readonly scores: Readonly<Record<string, number>>;
}

/** The result of one event. */
export class ActivityResult {
  @ApiProperty({ enum: outcomeNames })
  readonly outcome: OutcomeName;

  @ApiProperty({ description: "The change of the user's points.", example: 2 })
  readonly points: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: pointsField,
    description: "The user's score on each leaderboard it counts on.",
    example: { day: 5, month: 17 },
  })
  readonly scores: Readonly<Record<string, number>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...boardOutcomes] },
    description: 'What it did on each leaderboard that takes its action.',
    example: { day: 'closed', month: 'counted' },
  })
  readonly boards: Readonly<Record<string, BoardOutcome>>;

  @ApiPropertyOptional({
    type: [String],
    description: 'The leaderboards on which it counted although their period had ended.',
    example: ['day'],
  })
  readonly late?: readonly string[];

  @ApiPropertyOptional({ description: 'Why, where the outcome alone does not say.', example: 'ownSubject' })
  readonly reason?: string;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'True if the user is excluded: the points are theirs, and show on no leaderboard.',
  })
  readonly excluded?: true;

  @ApiPropertyOptional({
    type: ActivityRefusal,
    description: 'Which limit refused it, on all leaderboards or on those that `boards` calls refused, and until when.',
  })
  readonly refusal?: ActivityRefusal;

  @ApiPropertyOptional({
    type: OwnerResult,
    description: "What became of the owner's points, where the rule gives any.",
  })
  readonly owner?: OwnerResult;
}

/** One result for each event, in order. */
export class ActivityResults {
  @ApiProperty({ type: [ActivityResult] })
  readonly results: readonly ActivityResult[];
}
