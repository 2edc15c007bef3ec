import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClickOutcome } from '../outcomes/outcome.responses';
import { CommentView } from '../comments/comment.responses';
import { UserSummary } from '../profiles/user-summary';
import { categories, type Category } from '../categories/categories';
import { type Decision, decisions } from '../database/schema';

/** How far the review of an article is, for its author. */
export class ArticleReview {
  @ApiProperty({ enum: ['waiting', ...decisions] })
  readonly state: 'waiting' | Decision;

  @ApiProperty({ type: String, nullable: true, description: 'Why it was refused.', example: 'Name your sources.' })
  readonly reason: string | null;
}

/** An article, as lists show it. */
export class ArticleSummary {
  @ApiProperty({ example: '7' })
  readonly id: string;

  @ApiProperty({ example: 'On sorted sets' })
  readonly title: string;

  @ApiProperty({ enum: categories, example: 'technology' })
  readonly category: Category;

  @ApiProperty({ type: UserSummary })
  readonly author: UserSummary;

  @ApiProperty({ format: 'date-time' })
  readonly createdAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: a draft.' })
  readonly publishedAt: string | null;

  @ApiProperty({
    type: ArticleReview,
    nullable: true,
    description: 'Of a draft that was handed in to be reviewed, the last time; null otherwise.',
  })
  readonly review: ArticleReview | null;

  @ApiProperty({ example: 12 })
  readonly praises: number;

  @ApiProperty({ example: 4 })
  readonly collects: number;

  @ApiProperty({ example: 9 })
  readonly comments: number;
}

/** A reader's own reactions. */
export class ArticleViewer {
  @ApiProperty()
  readonly praised: boolean;

  @ApiProperty()
  readonly collected: boolean;

  @ApiProperty()
  readonly followsAuthor: boolean;
}

/** An article's page. */
export class ArticlePage extends ArticleSummary {
  @ApiProperty({ example: 'A sorted set is …' })
  readonly body: string;

  @ApiProperty({ type: [CommentView], description: 'The newest first, fifty at most.' })
  readonly latestComments: readonly CommentView[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The cursor of the comments behind them; null: there are no others.',
  })
  readonly olderComments: string | null;

  @ApiProperty({
    type: ArticleViewer,
    nullable: true,
    description: 'Of the signed-in reader; null if nobody is signed in.',
  })
  readonly viewer: ArticleViewer | null;
}

/** A page of articles, the newest first. */
export class ArticleList {
  @ApiProperty({ type: [ArticleSummary] })
  readonly articles: readonly ArticleSummary[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;
}

/** An article that was read or put online, and what became of the points of that where it was asked for. */
export class ArticleWithOutcome extends ArticlePage {
  @ApiPropertyOptional({ type: ClickOutcome, nullable: true })
  readonly outcome?: ClickOutcome | null;
}
