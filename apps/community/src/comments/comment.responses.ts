import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClickOutcome } from '../outcomes/outcome.responses';
import { UserSummary } from '../profiles/user-summary';

/** A comment on an article. */
export class CommentView {
  @ApiProperty({ example: '31' })
  readonly id: string;

  @ApiProperty({ type: UserSummary })
  readonly author: UserSummary;

  @ApiProperty({ example: 'Well said.' })
  readonly body: string;

  @ApiProperty({ format: 'date-time' })
  readonly createdAt: string;
}

/** A page of an article's comments, the newest first. */
export class CommentList {
  @ApiProperty({ type: [CommentView] })
  readonly comments: readonly CommentView[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;
}

/** A comment that was made, and what became of its points where that was asked for. */
export class MadeComment extends CommentView {
  @ApiPropertyOptional({ type: ClickOutcome, nullable: true })
  readonly outcome?: ClickOutcome | null;
}
