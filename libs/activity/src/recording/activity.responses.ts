import { boardOutcomes, type BoardOutcome } from '@laurel/leaderboard/internals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { outcomeNames, type OutcomeName } from '../activity/activity';

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

/** What became of the points of a subject's owner. */
export class OwnerResult {
  @ApiProperty({ example: '9' })
  readonly userId: string;

  @ApiProperty({ enum: outcomeNames })
  readonly outcome: OutcomeName;

  @ApiProperty({ description: 'The change of points.', example: 1 })
  readonly points: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { day: 8, month: 60 } })
  readonly scores: Readonly<Record<string, number>>;
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

/** What an operator added or took. */
export class HistoryAdjustment {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ticket-4711',
    description: 'Null: points are given back that an adjustment had taken and a revoke took again.',
  })
  readonly id: string | null;

  @ApiProperty({ description: 'What was asked for.', example: -50 })
  readonly points: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'By how much it changed each leaderboard.',
    example: { day: -5, month: -50 },
  })
  readonly changes: Readonly<Record<string, number>>;

  @ApiProperty({ example: 'Points for spam' })
  readonly reason: string;

  @ApiProperty({ type: String, format: 'date-time' })
  readonly at: Date;
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

/** What a user was granted, day by day. */
export class HistoryAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: [HistoryDay] })
  readonly days: readonly HistoryDay[];
}
