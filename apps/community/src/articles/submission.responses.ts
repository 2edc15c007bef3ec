import { ApiProperty } from '@nestjs/swagger';
import { categories, type Category } from '../categories/categories';
import { type Decision, decisions } from '../database/schema';
import { UserSummary } from '../profiles/user-summary';

/** What is reviewed. */
export class SubmittedArticle {
  @ApiProperty({ example: '7' })
  readonly id: string;

  @ApiProperty({ example: 'On sorted sets' })
  readonly title: string;

  @ApiProperty({ enum: categories, example: 'technology' })
  readonly category: Category;

  @ApiProperty({ example: 'A sorted set is …' })
  readonly body: string;

  @ApiProperty({ type: UserSummary })
  readonly author: UserSummary;
}

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
