import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '../core/peers/decorators';

/** The boards on which the points of a line count. */
export class BoardEffect {
  @ApiProperty({ description: 'The key of the period.', example: '2026-11' })
  readonly period: string;

  @ApiProperty({ example: 2 })
  readonly points: number;
}

/** One line of a user's ledger: what was granted, what for, and where it counts. */
@ApiExtraModels(BoardEffect)
export class LedgerPageLine {
  @ApiProperty({ description: "The ledger's code of the action where no rule has it.", example: 'praise' })
  readonly action: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null where it is long.', example: 'article:7' })
  readonly subject: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of a long subject: base64url of the first 132 bits of its SHA-256, or of the first 72.',
    example: null,
  })
  readonly digest: string | null;

  @ApiPropertyOptional({
    description:
      "Of what another user did to this user's subject: that user, or # and a digest of a long id, or # and 16 characters of an erased user.",
  })
  readonly from?: string;

  @ApiPropertyOptional({ description: 'Of an adjustment, action `adjust` with its id as subject: why.' })
  readonly reason?: string;

  @ApiProperty({ description: 'What stands; 0 where it was taken back or never given.', example: 2 })
  readonly points: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of the rules that granted them; null where nothing stands.',
    example: 1,
  })
  readonly version: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly grantedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly revokedAt: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(BoardEffect) },
    description:
      'Where they count, by leaderboard, without partitioned ones. A leaderboard whose period was closed when the ' +
      'activity arrived does not have them.',
    example: { day: { period: '2026-11-20', points: 2 }, month: { period: '2026-11', points: 2 } },
  })
  readonly boards: Readonly<Record<string, BoardEffect>>;
}

/** A page of one day of a user's ledger, the earliest line first. */
export class LedgerPage {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ format: 'date', example: '2026-11-20' })
  readonly date: string;

  @ApiProperty({ description: 'Points that stand, of the whole day.', example: 37 })
  readonly points: number;

  @ApiProperty({ description: 'How many lines the day has.', example: 21 })
  readonly total: number;

  @ApiProperty({ type: [LedgerPageLine] })
  readonly lines: readonly LedgerPageLine[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null: this is the last.' })
  readonly next: string | null;
}
