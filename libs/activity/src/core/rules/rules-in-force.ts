import type { LedgerLaws } from './ledger-laws';
import type { RuleBook } from './rule-book';

/** Where rules come from: the app's options or environment, or `POST /activity/rules`. */
export type RulesSource = 'options' | 'posted';

/** A rule book, and how it came to be in force. */
export interface RulesState {
  readonly book: RuleBook;
  readonly source: RulesSource;
  /** Counts the sets of rules that were put in force for all instances; 0 before the first. */
  readonly revision: number;
  readonly since: Date;
  /** The version that the module's ledger stores with grants; null until Redis has returned it. */
  readonly version: number | null;
}

/**
 * The rules by which activities are judged from now on. A call reads {@link book} once, so a call under way ends by the
 * rules with which it began.
 */
export class RulesInForce {
  private readonly listeners: (() => void)[] = [];

  /** @param laws of the ledgers' fields, in their order. */
  constructor(
    private state: RulesState,
    readonly laws: readonly LedgerLaws[],
  ) {}

  /** The rules by which what comes now is judged, and where they come from. */
  get current(): RulesState {
    return this.state;
  }

  /** The rules by which what comes now is judged. */
  get book(): RuleBook {
    return this.state.book;
  }

  /** Puts others in force, between two turns of the event loop. */
  replace(state: RulesState): void {
    this.state = Object.freeze(state);
    for (const listener of this.listeners) listener();
  }

  /** Tells of each {@link replace}. */
  onReplaced(listener: () => void): void {
    this.listeners.push(listener);
  }
}
