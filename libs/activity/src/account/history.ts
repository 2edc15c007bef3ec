import { ActivityHistory } from '../core/activity/history';

/** How often a user did each action in a period, and others did it to what is the user's, as far as it stands. */
export class PeriodCounts {
  /** The key of the period. @example 2026-W47 */
  readonly period: string;
  /** @asType integer @example {"view":30,"praise":4} */
  readonly actions: Readonly<Record<string, number>>;
  /** Of the actions whose rules grant owners something. @asType integer @example {"praise":2} */
  readonly received: Readonly<Record<string, number>>;
}

/** Counts of the current week, of the current month and of all time. */
export class HistoryCounts {
  /** Null: not all of its ledgers are kept. */
  readonly week: PeriodCounts | null;
  /** Null: not all of its ledgers are kept. */
  readonly month: PeriodCounts | null;
  /** The counts of all-time leaderboards' `tallies`. Null: there are none. */
  readonly all: PeriodCounts | null;
}

/** A user's grants, day by day. */
export class HistoryAnswer extends ActivityHistory {
  /** With `counts=true`. */
  readonly counts?: HistoryCounts;
}
