import { boardOutcomes, type BoardOutcome } from '@laurel/leaderboard';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { outcomeNames, type OutcomeName } from './activity';

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

/** What became of one event. */
export class ActivityResult {
  @ApiProperty({ enum: outcomeNames })
  readonly outcome: OutcomeName;

  @ApiProperty({ description: "The change of the user's points.", example: 2 })
  readonly points: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
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

  @ApiPropertyOptional({ type: ActivityRefusal, description: 'Of `limited`: which limit refused it, and until when.' })
  readonly refusal?: ActivityRefusal;
}

/** One result for each event, in order. */
export class ActivityResults {
  @ApiProperty({ type: [ActivityResult] })
  readonly results: readonly ActivityResult[];
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
    additionalProperties: { type: 'integer' },
    description: 'With `versions=true`: the points by the version of the rules that they were granted by.',
    example: { 1: 3, 2: 2 },
  })
  readonly versions?: Readonly<Record<string, number>>;
}

/** What a user was granted, day by day. */
export class HistoryAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: [HistoryDay] })
  readonly days: readonly HistoryDay[];
}
