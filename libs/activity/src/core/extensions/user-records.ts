/** What a module stores of users, for a user who asks for all that is kept about them. */
export interface UserRecords {
  /** What the answer has it under: `exclusions`, `settled`. */
  readonly kind: string;
  /**
   * All of it, piece by piece.
   * @param isOwn whether the user asks: which operator did something, and why, is for operators alone.
   * @throws ActivityError `unavailable`
   */
  of(userId: string, isOwn: boolean): AsyncIterable<object>;
}
