import { VisibleText } from '../input/visible-text';

/** What a comment says. */
export class CommentDraft {
  @VisibleText({ max: 2_000, isMultiline: true, example: 'Well said.' })
  readonly body: string;
}
