/** Erases what a module stores of users. */
export interface UserEraser {
  /** What the erasure's receipt counts it under: `archived`, `refusals`. */
  readonly kind: string;
  /** Removes what there is of a user, and returns how much there was. Safe to repeat. */
  erase(userId: string): Promise<number>;
}
