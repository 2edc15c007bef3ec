/** What is wrong with an entry. */
export type AuditFault =
  /** Other points than the facts add up to; `found` is null where there is no entry. */
  | 'points'
  /** Points, but no fact of any day of the period. */
  | 'unfounded'
  /** An entry on the board and another beside it. */
  | 'twice'
  /** An excluded member's entry on the board, or a shown member's entry beside it. */
  | 'misplaced'
  /** Reached at another time than the facts tell: `expected` and `found` are ms. */
  | 'time'
  /**
   * The first day is missing, or later than the first ledger: `board` is `firstDays`, `period` that ledger's day;
   * `expected` and `found` are days as the ms of their midnight in UTC. A first day before all ledgers is no fault:
   * ledgers expire.
   */
  | 'firstDay'
  /** The facts cannot be read, or changed at each read: nothing of the member was compared. `board` is `days`. */
  | 'unread';

/** One thing that is not what its member's facts say. */
export interface AuditDifference {
  readonly fault: AuditFault;
  readonly board: string;
  readonly period: string;
  readonly member: string;
  /** Of a part of a board its name; else which of what there may be several of: see the faults. */
  readonly of?: string;
  /** What the member's facts come to: points, or a time. */
  readonly expected: number;
  /** The points of the member's entry, or the other stored value; null if there is none. */
  readonly found: number | null;
  /** Whether it was put right. */
  readonly isHealed: boolean;
}

/** A period of which not everything can be proved. */
export interface AuditGap {
  readonly board: string;
  readonly period: string;
  /**
   * `ledgersGone`: entries are compared to be at least what is left of their ledgers. `closed`: the period closed
   * meanwhile; entries that were not compared by then were left out. `new`: the board is fed `since` then; entries were
   * compared to be at most what their ledgers add up to, until a repair has filled it.
   */
  readonly reason: 'ledgersGone' | 'closed' | 'new';
  readonly since?: string;
}

/** What an audit looked at. */
export interface AuditSummary {
  readonly ledgers: number;
  /** Entries, and places where one was missing, that were compared. */
  readonly entries: number;
  readonly differences: number;
  readonly healed: number;
  readonly periods: readonly { readonly board: string; readonly period: string }[];
  readonly gaps: readonly AuditGap[];
}

/** What an audit compares, and whether it heals. */
export interface AuditOptions {
  /** Puts right what is found wrong. Default: changes nothing. */
  readonly heals?: boolean;
  /** Which boards, by name; and which periods of them, by key. Default: all. */
  readonly includes?: (board: string, period: string) => boolean;
  /** Told of each difference as it is found. */
  readonly onDifference?: (difference: AuditDifference) => void;
  /** Told how many keys and entries of about how many were looked at. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Breaks it off; what was healed by then is healed. */
  readonly signal?: AbortSignal | undefined;
}
