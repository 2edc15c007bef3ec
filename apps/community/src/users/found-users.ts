import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UserSummary } from './user-summary';

/** A user who was found. */
export class FoundUser extends UserSummary {
  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 1,
    description: 'Where a leaderboard is named: his rank on it; null where he is not on it.',
    example: 4,
  })
  readonly rank?: number | null;

  @ApiPropertyOptional({ description: 'Where a leaderboard is named: his points on it.', example: 17 })
  readonly score?: number;
}

/** Users whose names begin so, by name. */
export class FoundUsers {
  @ApiProperty({ type: [FoundUser] })
  readonly users: readonly FoundUser[];
}
