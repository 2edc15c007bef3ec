/** What is wrong with an entry. */
export type AuditFault =
  /** Other points than the ledgers add up to; `found` is null where there is no entry. */
  | 'points'
  /** Points, but no ledger of any day of the period. */
  | 'unfounded'
  /** An entry on the board and another beside it. */
  | 'twice'
  /** On the board of one who is kept off it, or beside it of one who is not. */
  | 'misplaced'
  /** A ledger of a day that the member's list of days does not name: `board` and `period` are that day's. */
  | 'unlisted';

/** One entry that is not what its member's ledgers say. */
export interface AuditDifference {
  readonly fault: AuditFault;
  readonly board: string;
  readonly period: string;
  readonly member: string;
  /** What his ledgers add up to. */
  readonly expected: number;
  /** The points of his entry; null where there is none. */
  readonly found: number | null;
  /** Whether it was put right. */
  readonly isHealed: boolean;
}

/** A period of which not everything can be proved. */
export interface AuditGap {
  readonly board: string;
  readonly period: string;
  /** `ledgersGone`: entries are compared to be at least what is left of their ledgers. `parts`: to be at most, all parts together. */
  readonly reason: 'ledgersGone' | 'parts';
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

export interface AuditOptions {
  /** What the fields begin with that count on the board of that name; null: every field does. */
  readonly countsOn: (board: string) => readonly string[] | null;
  /** Puts right what is found wrong. Default: changes nothing. */
  readonly heals?: boolean;
  /** Which boards, by name; and which periods of them, by key. Default: all. */
  readonly includes?: (board: string, period: string) => boolean;
  readonly onDifference?: (difference: AuditDifference) => void;
  /** Told how many keys and entries of about how many were looked at. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Breaks it off; what was healed by then is healed. */
  readonly signal?: AbortSignal | undefined;
}
