import { cached, type FieldLaw, isAdjustmentField, type Laws } from '@laurel/leaderboard/internals';
import { beginningOfName, ownerFieldPrefix } from './ledger-field';
import type { CountingLedger, RuleBook } from './rule-book';

/**
 * The rules by which activities are judged from now on. A call reads {@link book} once, so a call under way ends by the
 * rules with which it began.
 */
export class RulesInForce {
  private readonly listeners: (() => void)[] = [];

  /** @param laws of the ledgers' fields, in their order. */
  constructor(
    private current: RuleBook,
    readonly laws: readonly LedgerLaws[],
  ) {}

  /** The rules by which what comes now is judged. */
  get book(): RuleBook {
    return this.current;
  }

  /** Puts others in force, between two turns of the event loop. */
  replace(book: RuleBook): void {
    this.current = book;
    for (const listener of this.listeners) listener();
  }

  /** Judges by the same rules on other leaderboards, between two turns of the event loop. */
  recount(ledgers: readonly CountingLedger[]): void {
    this.current = this.book.on(ledgers);
    for (const laws of this.laws) laws.recount(ledgers, this.current);
  }

  /** Tells of each {@link replace}. */
  onReplaced(listener: () => void): void {
    this.listeners.push(listener);
  }
}

const adjustments: FieldLaw = Object.freeze({ once: Infinity, limits: [], boards: undefined });

/**
 * The laws of a ledger's fields, by the versions of the rules that granted them and the beginnings of their names: what
 * an earlier version granted is judged by it, and counts on the leaderboards that the rules in force say.
 */
export class LedgerLaws implements Laws {
  /** By version; null: it cannot be read, and is judged as those in force. */
  private readonly books = new Map<number, RuleBook | null>();
  private readonly found = new Map<number, Map<string, FieldLaw>>();
  /** By beginnings of names, whether any version spreads such a field over days. */
  private readonly spreading = new Map<string, boolean>();

  /** @param ledger its number. */
  constructor(
    private readonly ledger: number,
    private latest: RuleBook,
    /** Reads the rules of a version; null: they cannot be read. */
    private readonly bookIn: (text: string) => RuleBook | null,
  ) {}

  /** Adds the rules of a version; those that are in force judge what is of no version that is known. */
  add(version: number, book: RuleBook, isInForce: boolean): void {
    this.take(isInForce ? book : this.latest, [[version, book]]);
  }

  /** Judges by the same rules on other leaderboards. @param latest the rules in force there. */
  recount(ledgers: readonly CountingLedger[], latest: RuleBook): void {
    const books = [...this.books].map(([version, book]) => [version, book && book.on(ledgers)] as const);
    this.take(latest, books);
  }

  knows(version: number): boolean {
    return this.books.has(version);
  }

  learn(version: number, text: string | null): void {
    this.take(this.latest, [[version, text === null ? null : this.bookIn(text)]]);
  }

  private take(latest: RuleBook, books: readonly (readonly [version: number, book: RuleBook | null])[]): void {
    this.latest = latest;
    for (const [version, book] of books) this.books.set(version, book);
    this.found.clear();
    this.spreading.clear();
  }

  spreads(name: string): boolean {
    return cached(this.spreading, beginningOfName(name), () => {
      // No ledger has a version 0: the rules in force, by which versions that cannot be read are judged too.
      const onces = [0, ...this.books.keys()].map((version) => this.of(name, version).once);
      return onces.some((once) => once > 1 && once < Infinity);
    });
  }

  of(name: string, version: number): FieldLaw {
    if (isAdjustmentField(name)) return adjustments;
    const known = cached(this.found, version, () => new Map<string, FieldLaw>());
    const beginning = beginningOfName(name);
    return cached(known, beginning, () => {
      const side = beginning.startsWith(ownerFieldPrefix) ? 'received' : 'given';
      const code = side === 'given' ? beginning : beginning.slice(ownerFieldPrefix.length);
      const books = [this.books.get(version) ?? this.latest, this.latest, ...this.books.values()];
      const found = books.map((book) => book?.lawOf(this.ledger, code, side)).find((one) => one !== undefined);
      // What no rule of any version knows counts once a day.
      const law = found ?? { once: 1, limits: [], boards: this.latest.boardsOfAll(this.ledger) };
      return { ...law, boards: (this.latest.lawOf(this.ledger, code, side) ?? law).boards };
    });
  }
}
