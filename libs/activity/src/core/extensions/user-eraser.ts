/** Erases what a module stores of users. */
export interface UserEraser {
  /** Its name in the erasure's receipt: `archived`, `refusals`. */
  readonly kind: string;
  /** Removes what there is of a user, and returns how much there was. Safe to repeat. */
  erase(userId: string): Promise<number>;
}
