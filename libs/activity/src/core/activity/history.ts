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
  /**
   * What stands of the day: as on the leaderboard of days that takes all actions, where there is one, with the
   * adjustments of other leaderboards alone. @example 5
   */
  readonly points: number;
  /** How many standing activities of each action. @asType integer @example {"view":3,"praise":1} */
  readonly actions: Readonly<Record<string, number>>;
  /**
   * With `versions=true`: the points by the version of the rules that they were granted by.
   * @multipleOf 0.01 @example {"1":3,"2":2}
   */
  readonly versions?: Readonly<Record<string, number>>;
  /**
   * How many standing activities of each action others did to subjects of this user; left out if there are none.
   * @asType integer @example {"praise":2,"follow":1}
   */
  readonly received?: Readonly<Record<string, number>>;
  /** Left out if there are none. */
  readonly adjustments?: readonly HistoryAdjustment[];
}

/** A user's grants, day by day. */
export class ActivityHistory {
  /** @example 42 */
  readonly userId: string;
  /** In order; days without activities are left out. */
  readonly days: readonly HistoryDay[];
}
