import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClickOutcome } from '../outcomes/outcome.responses';
import { UserSummary } from '../users/user-summary';

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

/** A comment that was made, and what became of its points where that was asked for. */
export class MadeComment extends CommentView {
  @ApiPropertyOptional({ type: ClickOutcome, nullable: true })
  readonly outcome?: ClickOutcome | null;
}
