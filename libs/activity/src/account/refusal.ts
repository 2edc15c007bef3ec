import { ApiProperty, ApiPropertyOptional } from '../core/peers/decorators';

/** The most refusals that are listed, of all instances together. */
export const maxTraced = 1_000;

/** An activity that was refused, on some leaderboards at least. */
export class TracedRefusal {
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
    description: 'The leaderboards, or their partitions, that refused it, where others accepted it.',
    example: ['writers'],
  })
  readonly leaderboards?: readonly string[];

  @ApiPropertyOptional({ description: "Of a limit of the app's own type that failed: the error of Redis." })
  readonly fault?: string;
}

/** The latest refusals, the latest first. */
export class RefusalsAnswer {
  @ApiProperty({ type: [TracedRefusal] })
  readonly refusals: readonly TracedRefusal[];
}
