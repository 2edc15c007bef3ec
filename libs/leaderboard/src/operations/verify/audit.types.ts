import type { LedgerCount } from '../../ledger';

/** What is wrong with an entry. */
export type AuditFault =
  /** Other points than the ledgers add up to; `found` is null where there is no entry. */
  | 'points'
  /** Points, but no ledger of any day of the period. */
  | 'unfounded'
  /** An entry on the board and another beside it. */
  | 'twice'
  /** An excluded member's entry on the board, or a shown member's entry beside it. */
  | 'misplaced'
  /** A ledger of a day that the member's list of days does not name: `board` and `period` are that day's. */
  | 'unlisted'
  /**
   * Reached at a time that the ledgers do not allow: `found` and the bound that it passes, `expected`, are ms. A
   * repeated grant moves its moment forward, so ledgers only bound an entry's time: from above by their latest moment,
   * from below by the beginning of the last day on which something stands, by the revokes before it, and by
   * adjustments.
   */
  | 'time'
  /**
   * A ledger's count for a daily limit differs from what stands in it: `board` is `counts`, `period` the ledger's day,
   * `of` the limits. `found` is null if the stored count is no number.
   */
  | 'count'
  /**
   * A sliding window holds moments of no grant: `board` is `windows`, `of` the limit, `period` the day of the first
   * such moment, `found` the number of moments, and `expected` how many of them have a grant. `found` is null if the
   * key holds no window.
   */
  | 'place'
  /**
   * The first day is missing, or later than the first ledger: `board` is `firstDays`, `period` that ledger's day;
   * `expected` and `found` are days as the ms of their midnight in UTC. A first day before all ledgers is no fault:
   * ledgers expire.
   */
  | 'firstDay'
  /**
   * A total of a page of a ledger differs from what lies in it and below it: `board` is `pages`, `period` the ledger's
   * day, `of` the page.
   */
  | 'page'
  /** The member's list of days changed at each read: nothing of the member was compared. `board` is `days`. */
  | 'unread';

/** One thing that is not what its member's ledgers say. */
export interface AuditDifference {
  readonly fault: AuditFault;
  readonly board: string;
  readonly period: string;
  readonly member: string;
  /** Which of what there may be several of: see the faults. */
  readonly of?: string;
  /** What the member's ledgers add up to; for a time, the bound that it passes. */
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
   * `ledgersGone`: entries are compared to be at least what is left of their ledgers. `parts`: to be at most, all parts
   * together. `closed`: the period closed meanwhile; entries that were not compared by then were left out. `new`: the
   * board is fed `since` then; entries were compared to be at most what their ledgers add up to, until a repair has
   * filled it.
   */
  readonly reason: 'ledgersGone' | 'parts' | 'closed' | 'new';
  readonly since?: string;
}

/** What an audit looked at. */
export interface AuditSummary {
  readonly ledgers: number;
  /** Windows of sliding limits. */
  readonly windows: number;
  /** Entries, and places where one was missing, that were compared. */
  readonly entries: number;
  readonly differences: number;
  readonly healed: number;
  readonly periods: readonly { readonly board: string; readonly period: string }[];
  readonly gaps: readonly AuditGap[];
}

/** A count that ledgers keep, and who asks for it. */
export interface AuditedCount {
  readonly limit: string;
  readonly count: LedgerCount;
}

/** A sliding limit. */
export interface AuditedLimit {
  readonly name: string;
  readonly per: 'member' | 'field' | 'pair';
  readonly windowMs: number;
  /** What the fields begin with that take places in its windows. */
  readonly fieldPrefixes: readonly string[];
}

/** What an audit compares, and whether it heals. */
export interface AuditOptions {
  /** What the fields begin with that count on the board of that name; null: every field does. */
  readonly countsOn: (board: string) => readonly string[] | null;
  /**
   * All that ledgers count for daily limits: no reader trusts other counts, and they are not compared. Default:
   * nothing.
   */
  readonly counts?: readonly AuditedCount[];
  /** Sliding limits: windows of others are left alone. Default: none. */
  readonly limits?: readonly AuditedLimit[];
  /**
   * Prefixes of the fields that count once in several days: their grants have any number of moments in windows.
   * Default: none.
   */
  readonly spread?: readonly string[];
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
