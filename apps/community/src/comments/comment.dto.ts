import { VisibleText } from '../input/visible-text';

/** The content of a comment. */
export class CommentDraft {
  @VisibleText({ max: 2_000, isMultiline: true, example: 'Well said.' })
  readonly body: string;
}
