import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArticleSummary } from '../articles/article.responses';
import { ClickOutcome } from '../outcomes/outcome.responses';
import { UserSummary } from '../profiles/user-summary';

/** A reader's own reactions. */
export class UserViewer {
  @ApiProperty({ description: 'Whether the signed-in user follows this user.' })
  readonly follows: boolean;
}

/** A user's page. */
export class UserPage extends UserSummary {
  @ApiProperty({ type: String, nullable: true, description: 'What the user says of themselves.' })
  readonly text: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly joinedAt: string;

  @ApiProperty({ description: 'How many users follow this user.', example: 7 })
  readonly followers: number;

  @ApiProperty({ description: 'How many users this user follows.', example: 3 })
  readonly following: number;

  @ApiProperty({ type: [ArticleSummary], description: 'The newest articles of this user, ten at most.' })
  readonly articles: readonly ArticleSummary[];

  @ApiProperty({
    type: UserViewer,
    nullable: true,
    description: 'Of the signed-in reader; null if nobody is signed in.',
  })
  readonly viewer: UserViewer | null;
}

/** A user's page, and what became of the view's points where that was asked for. */
export class UserPageWithOutcome extends UserPage {
  @ApiPropertyOptional({ type: ClickOutcome, nullable: true })
  readonly outcome?: ClickOutcome | null;
}

/** A user who was found. */
export class FoundUser extends UserSummary {
  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 1,
    description: 'If a leaderboard is named: the rank on it, or null without one.',
    example: 4,
  })
  readonly rank?: number | null;

  @ApiPropertyOptional({ description: 'If a leaderboard is named: the points on it.', example: 17 })
  readonly score?: number;
}

/** Users whose names begin so, by name. */
export class FoundUsers {
  @ApiProperty({ type: [FoundUser] })
  readonly users: readonly FoundUser[];
}
