/** What a module stores about users, for their request for all stored data. */
export interface UserRecords {
  /** Its name in the answer: `exclusions`, `settled`. */
  readonly kind: string;
  /**
   * All of it, piece by piece.
   * @param isOwn whether the user asks: which operator did something, and why, is for operators alone.
   * @throws ActivityError `unavailable`
   */
  of(userId: string, isOwn: boolean): AsyncIterable<object>;
}
