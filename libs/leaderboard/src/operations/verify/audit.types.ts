/** The fault of an entry. */
export type AuditFault =
  /** Other points than the facts add up to; `found` is null where there is no entry. */
  | 'points'
  /** Points, but no fact of any day of the period. */
  | 'unfounded'
  /** An entry on the board and another beside it. */
  | 'twice'
  /** An excluded member's entry on the board, or a shown member's entry beside it. */
  | 'misplaced'
  /** Reached at another time than the facts tell, where all ledgers are there: `expected` and `found` are ms. */
  | 'time'
  /**
   * The first day is missing, or later than the first ledger: `board` is `firstDays`, `period` that ledger's day;
   * `expected` and `found` are days as the ms of their midnight in UTC. A first day before all ledgers is no fault:
   * ledgers expire.
   */
  | 'firstDay'
  /** The facts cannot be read, or changed at each read: nothing of the member was compared. `board` is `days`. */
  | 'unread';

/** A stored value that differs from its member's facts. */
export interface AuditDifference {
  readonly fault: AuditFault;
  readonly board: string;
  readonly period: string;
  readonly member: string;
  /** The name of a board's partition. */
  readonly of?: string;
  /** The value that the member's facts give: points, or a time. */
  readonly expected: number;
  /** The points of the member's entry, or the other stored value; null if there is none. */
  readonly found: number | null;
  /** Whether it was repaired. */
  readonly isHealed: boolean;
}

/** A period that cannot be checked completely. */
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

/** The result of an audit. */
export interface AuditSummary {
  readonly ledgers: number;
  /** Compared entries, missing ones included. */
  readonly entries: number;
  readonly differences: number;
  readonly healed: number;
  /** The compared periods, each with the first of its days whose ledgers may be there. */
  readonly periods: readonly { readonly board: string; readonly period: string; readonly from: string }[];
  readonly gaps: readonly AuditGap[];
}

/** The extent of an audit, and whether it heals. */
export interface AuditOptions {
  /** Repairs each difference. Default: changes nothing. */
  readonly heals?: boolean;
  /** Which boards, by name; and which periods of them, by key. Default: all. */
  readonly includes?: (board: string, period: string) => boolean;
  /** Called with each difference as it is found. */
  readonly onDifference?: (difference: AuditDifference) => void;
  /** Called with how many keys and entries of about how many were read. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the audit; repairs made by then stay. */
  readonly signal?: AbortSignal | undefined;
}
