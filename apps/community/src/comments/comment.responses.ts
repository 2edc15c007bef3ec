import { ApiProperty } from '@nestjs/swagger';
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
