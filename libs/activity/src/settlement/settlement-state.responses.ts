import { RankPeriod } from '../core/ranks/rank.responses';

/** A period that has ended and is not settled yet. */
export class WaitingPeriod extends RankPeriod {
  /** When it closes: later activities do not count on it. @format date-time */
  readonly closesAt: string;
  /** Whether it has closed: it is settled at the next check. */
  readonly isDue: boolean;
}

/** A period that was settled. */
export class LastSettled extends RankPeriod {
  /** @format date-time */
  readonly settledAt: string;
  /** How many users were archived. @example 1234 */
  readonly total: number;
  /** SHA-256 of all lines, as settled. */
  readonly checksum: string;
}

/** How the settling of one leaderboard stands. */
export class LeaderboardSettlement {
  /** @example day */
  readonly leaderboard: string;
  readonly current: RankPeriod;
  /** The earliest first. */
  readonly waiting: readonly WaitingPeriod[];
  /** Null: none yet, or the leaderboard is partitioned. */
  readonly lastSettled: LastSettled | null;
}

/** How settling stands. */
export class SettlementAnswer {
  /** Whether the instance that answers settles. */
  readonly isOn: boolean;
  /** All but rolling windows, which are never settled. */
  readonly leaderboards: readonly LeaderboardSettlement[];
}
