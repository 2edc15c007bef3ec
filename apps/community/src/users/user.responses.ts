import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArticleSummary } from '../articles/article.responses';
import { ClickOutcome } from '../outcomes/outcome.responses';
import { UserSummary } from '../profiles/user-summary';

/** What a reader did already. */
export class UserViewer {
  @ApiProperty({ description: 'Whether he follows the user.' })
  readonly follows: boolean;
}

/** A user's page. */
export class UserPage extends UserSummary {
  @ApiProperty({ format: 'date-time' })
  readonly joinedAt: string;

  @ApiProperty({ description: 'How many follow him.', example: 7 })
  readonly followers: number;

  @ApiProperty({ description: 'How many he follows.', example: 3 })
  readonly following: number;

  @ApiProperty({ type: [ArticleSummary], description: 'His newest articles, ten at most.' })
  readonly articles: readonly ArticleSummary[];

  @ApiProperty({ type: UserViewer, nullable: true, description: 'Of who is signed in; null: nobody is.' })
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
