import { ApiProperty, PickType } from '@nestjs/swagger';
import { type Decision, decisions } from '../database/schema';
import { ArticlePage } from './article.responses';

/** The article of a submission. */
export class SubmittedArticle extends PickType(ArticlePage, ['id', 'title', 'category', 'author', 'body']) {}

/** An article that waits to be reviewed. */
export class Submission {
  @ApiProperty({ example: '3' })
  readonly id: string;

  @ApiProperty({ format: 'date-time' })
  readonly submittedAt: string;

  @ApiProperty({ type: SubmittedArticle })
  readonly article: SubmittedArticle;
}

/** Submissions that wait, the oldest first. */
export class SubmissionList {
  @ApiProperty({ type: [Submission] })
  readonly submissions: readonly Submission[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;
}

/** A submission that was decided now. */
export class DecidedSubmission {
  @ApiProperty({ example: '3' })
  readonly id: string;

  @ApiProperty({ example: '7' })
  readonly articleId: string;

  @ApiProperty({ enum: decisions })
  readonly decision: Decision;

  @ApiProperty({ format: 'date-time' })
  readonly decidedAt: string;
}
