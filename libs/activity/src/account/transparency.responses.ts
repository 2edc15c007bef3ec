import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { LimitQuotaNow } from './limit-quotas';
import type { AccountLine, AccountPage, BoardEffect } from './ledger-page';
import type { TracedRefusal } from './refusal-trace';

/** How much of a limit is used up. */
export class LimitQuotaAnswer implements Omit<LimitQuotaNow, 'allowedAgainAt'> {
  @ApiProperty({ description: "The limit's name.", example: 'praise-daily' })
  readonly limit: string;

  @ApiProperty({ example: 'daily' })
  readonly type: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: all actions together.', example: 'praise' })
  readonly action: string | null;

  @ApiProperty({ enum: ['grants', 'points'], description: 'What is counted.' })
  readonly of: 'grants' | 'points';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: "Null where a limit of the app's own does not say, here and in `used` and `left`.",
    example: 50,
  })
  readonly max: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 50 })
  readonly used: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  readonly left: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null while something is left.' })
  readonly allowedAgainAt: string | null;
}

/** What is left to a user today, and in each window. */
export class QuotaAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ format: 'date', description: 'The day of now, in the zone of the module.', example: '2026-11-20' })
  readonly date: string;

  @ApiProperty({ type: [LimitQuotaAnswer] })
  readonly limits: readonly LimitQuotaAnswer[];
}

/** Where the points of a line count. */
export class BoardEffectAnswer implements BoardEffect {
  @ApiProperty({ example: '2026-11' })
  readonly period: string;

  @ApiProperty({ example: 2 })
  readonly points: number;
}

/** One line of a user's ledger. */
@ApiExtraModels(BoardEffectAnswer)
export class AccountLineAnswer implements AccountLine {
  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null where it is long.', example: 'article:7' })
  readonly subject: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of a long subject: base64url of the first 132 bits of its SHA-256.',
    example: null,
  })
  readonly digest: string | null;

  @ApiPropertyOptional({
    description:
      'If another user did it to a subject of this user: their id, # and a digest of a long id, or # and 16 characters after an erasure.',
  })
  readonly from?: string;

  @ApiPropertyOptional({ description: 'Of an adjustment, action `adjust` with its id as subject: why.' })
  readonly reason?: string;

  @ApiProperty({ description: 'What stands; 0 where it was taken back or never given.', example: 2 })
  readonly points: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of the rules by which they were given; null where nothing stands.',
    example: 1,
  })
  readonly version: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly grantedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly revokedAt: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(BoardEffectAnswer) },
    description:
      'Where they count, by leaderboard; without leaderboards of parts. One whose period had been closed when the ' +
      'activity arrived does not have them.',
    example: { day: { period: '2026-11-20', points: 2 }, month: { period: '2026-11', points: 2 } },
  })
  readonly boards: Readonly<Record<string, BoardEffectAnswer>>;
}

/** A page of one day of a user's ledger, the earliest first. */
export class AccountPageAnswer implements AccountPage {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ format: 'date', example: '2026-11-20' })
  readonly date: string;

  @ApiProperty({ description: 'Points that stand, of the whole day.', example: 37 })
  readonly points: number;

  @ApiProperty({ description: 'How many lines the day has.', example: 21 })
  readonly total: number;

  @ApiProperty({ type: [AccountLineAnswer] })
  readonly lines: readonly AccountLineAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null: this is the last.' })
  readonly next: string | null;
}

/** An activity that was refused. */
export class RefusalAnswer implements TracedRefusal {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ example: 'article:7' })
  readonly subject: string;

  @ApiProperty({ enum: ['limited', 'rejected'] })
  readonly outcome: 'limited' | 'rejected';

  @ApiProperty({ description: "The limit's name, `future` or `scoreOutOfRange`.", example: 'praise-daily' })
  readonly reason: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly allowedAgainAt: string | null;

  @ApiPropertyOptional({
    type: [String],
    description: 'Where others took it: the leaderboards that it was refused on.',
    example: ['writers'],
  })
  readonly leaderboards?: readonly string[];

  @ApiPropertyOptional({ description: "Of a limit of the app's own type that failed: what Redis said of it." })
  readonly fault?: string;
}

/** The latest refusals, the latest first. */
export class RefusalsAnswer {
  @ApiProperty({ type: [RefusalAnswer] })
  readonly refusals: readonly RefusalAnswer[];
}
