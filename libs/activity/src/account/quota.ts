import { ApiProperty } from '../core/peers/decorators';
import { pointsField } from '../core/points/points-field';

/** What is left of one limit, now. */
export class LimitQuota {
  @ApiProperty({ description: "The limit's name.", example: 'praise-daily' })
  readonly limit: string;

  @ApiProperty({ example: 'daily' })
  readonly type: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: all actions together.', example: 'praise' })
  readonly action: string | null;

  @ApiProperty({ enum: ['grants', 'points'], description: 'What is counted.' })
  readonly of: 'grants' | 'points';

  @ApiProperty({
    ...pointsField,
    nullable: true,
    description: "Null where a limit of the app's own type does not return it; so are `used` and `left`.",
    example: 50,
  })
  readonly max: number | null;

  @ApiProperty({ ...pointsField, nullable: true, example: 50 })
  readonly used: number | null;

  @ApiProperty({ ...pointsField, nullable: true, example: 0 })
  readonly left: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null while something is left.' })
  readonly allowedAgainAt: Date | null;
}

/** What is left to a user today, and in each window. */
export class QuotaAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ format: 'date', description: "Today, in the module's time zone.", example: '2026-11-20' })
  readonly date: string;

  @ApiProperty({ type: [LimitQuota] })
  readonly limits: readonly LimitQuota[];
}
