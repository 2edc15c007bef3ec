/** An adjustment by an operator. */
export class HistoryAdjustment {
  /** @example ticket-4711 */
  readonly id: string;
  /** @example -50 */
  readonly points: number;
  /** @example Points for spam */
  readonly reason: string;
  readonly at: Date;
}

/** One day of a history. */
export class HistoryDay {
  /** @format date @example 2026-11-20 */
  readonly date: string;
  /** @example 5 */
  readonly points: number;
  /** How many standing activities of each action. @asType integer @example {"view":3,"praise":1} */
  readonly actions: Readonly<Record<string, number>>;
  /**
   * With `versions=true`: the points by the version of the rules that they were granted by.
   * @multipleOf 0.01 @example {"1":3,"2":2}
   */
  readonly versions?: Readonly<Record<string, number>>;
  /**
   * How many standing activities of each action others did to subjects of this user.
   * @asType integer @example {"praise":2,"follow":1}
   */
  readonly received?: Readonly<Record<string, number>>;
  readonly adjustments?: readonly HistoryAdjustment[];
}

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
  /** What the `tallies` of all-time leaderboards count. Null: there are none. */
  readonly all: PeriodCounts | null;
}

/** What a user was granted, day by day. */
export class HistoryAnswer {
  /** @example 42 */
  readonly userId: string;
  /** With `counts=true`. */
  readonly counts?: HistoryCounts;
  readonly days: readonly HistoryDay[];
}
