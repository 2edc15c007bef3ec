import type { TransitionLimit } from '../model/ledger.types';

/** The law of one field: how often it counts, what limits it, and where. */
export interface FieldLaw {
  /** It counts once in so many days; Infinity: once for ever. */
  readonly once: number;
  readonly limits: readonly TransitionLimit[];
  /** The names of the boards on which it counts; undefined: all that are no tallies. */
  readonly boards: readonly string[] | undefined;
}

/** The rules of the game, as far as standing needs them. */
export interface Laws {
  /** The law of a field that was granted by a version of the rules. */
  of(name: string, version: number): FieldLaw;
}
