import { ApiProperty } from '@nestjs/swagger';
import { VisibleText } from '../input/visible-text';

/** What a comment says. */
export class CommentDraft {
  @ApiProperty({ minLength: 1, maxLength: 2_000, example: 'Well said.' })
  @VisibleText({ max: 2_000, isMultiline: true })
  readonly body: string;
}
