/** Users of whom each gives to the next, and the last to the first. */
export class Ring {
  /** @example ["42","43","44"] */
  readonly users: readonly string[];
  /** How often each gives to the next. @example [9,7,8] */
  readonly counts: readonly number[];
  /** The smallest of the counts: how tight the ring is. @example 7 */
  readonly least: number;
}
