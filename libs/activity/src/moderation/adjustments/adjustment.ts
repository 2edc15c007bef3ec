import type { BoardOutcome } from '@laurel/leaderboard/internals';
import type { OutcomeName } from '../../activity/activity';

/** Points that an operator adds to a user, or takes from him. */
export interface Adjustment {
  /** 1 to 128 bytes in UTF-8. */
  readonly userId: string;
  /** Whole points, from -1,000,000 to 1,000,000, not 0. A minus takes as much as is there on each leaderboard. */
  readonly points: number;
  /** Why: 1 to 512 bytes in UTF-8, kept in the ledger and told in the history. */
  readonly reason: string;
  /** The operator's own naming, 1 to 56 bytes in UTF-8: each is applied once to a user, whatever is sent with it later. */
  readonly id: string;
  /** The day whose ledger has it and whose leaderboards are adjusted, as far as they are open: `2026-11-20`. Default: today. */
  readonly date?: string | null;
  /** The one leaderboard to adjust. Default: all that are not partitioned. */
  readonly leaderboard?: string | null;
}

/**
 * What became of an adjustment. `granted`: points were added. `revoked`: some were taken. `notGranted`: there were none to
 * take. `duplicate`: it was applied before. `closed`: its day takes no more. `rejected`: more than a board holds.
 */
export interface Adjusted {
  readonly id: string;
  readonly userId: string;
  readonly outcome: OutcomeName;
  /** The change of the user's points: the largest on any leaderboard of the module's timezone. */
  readonly points: number;
  /**
   * By how much it changed each leaderboard: less than asked where less was there to take. Of a `duplicate`: by how much
   * it did when it was applied.
   */
  readonly changes: Readonly<Record<string, number>>;
  /** The user's score after it on each leaderboard. */
  readonly scores: Readonly<Record<string, number>>;
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  readonly reason?: string;
}
