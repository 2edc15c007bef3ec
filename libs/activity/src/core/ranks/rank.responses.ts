import type { PeriodKind } from '@laurel/leaderboard';

/** A user's title. */
export class RankTitle {
  /** For translations. @example most-praised */
  readonly id: string;
  /** @example Most praised */
  readonly name: string;
}

/** A user as ranks show them. */
export class RankUser {
  /** @example Ada */
  readonly name: string;
  /** @example https://example.org/ada.png */
  readonly avatarUrl: string | null;
  /** A line by the user about themselves, if the app's profiles have it. @example Writes about sorted sets. */
  readonly text?: string | null;
  /** Further fields of the app's profiles: those that its option `profileFields` names. @example {"country":"GB"} */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A period of a leaderboard. */
export class RankPeriod {
  /** @example 2026-11-20 */
  readonly key: string;
  /** @format date-time @example 2026-11-20T00:00:00.000Z */
  readonly start: string;
  /** @format date-time @example 2026-11-21T00:00:00.000Z */
  readonly end: string | null;
  /** `notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final. */
  readonly state: 'notStarted' | 'open' | 'closing' | 'settled';
}

/** A user's line on a leaderboard, but for the rank. */
export class UnrankedEntry {
  /** @example 42 */
  readonly userId: string;
  /** @example 37 */
  readonly score: number;
  /** When the score was reached. @format date-time */
  readonly reachedAt: string | null;
  /** Places won (positive) or lost since the period before, by the same ranking; null: it had no entry. @example 2 */
  readonly change: number | null;
  /** Null where no profile is known. */
  readonly user: RankUser | null;
  /** The user's title; null without one. In the answer of one user, and wherever titles are asked for. */
  readonly title?: RankTitle | null;
}

/** A user's line on a leaderboard. */
export class RankEntry extends UnrankedEntry {
  /** @minimum 1 @example 1 */
  readonly rank: number;
}

/** As {@link RankEntry}; `rank` is null for a user who is not on the leaderboard. */
export class OptionalRankEntry extends UnrankedEntry {
  /** @minimum 1 @example 1 */
  readonly rank: number | null;
}

/** The fields that every answer about one leaderboard begins with. */
export class LeaderboardAnswer {
  /** @example day */
  readonly leaderboard: string;
  /** Of a partitioned leaderboard: which partition. @example java */
  readonly partition?: string;
}

/** The fields that every answer about one period begins with. */
export class RankAnswer extends LeaderboardAnswer {
  readonly period: RankPeriod;
  /** How many users are on it. @example 1234 */
  readonly total: number;
}

/** A page of standings. */
export class RankPage extends RankAnswer {
  readonly entries: readonly RankEntry[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  /** With `me=true`: the line of the user who asks, wherever they stand; null where nobody is signed in. */
  readonly me?: OptionalRankEntry | null;
}

/** The entry of a user asked for. */
export class RankAmong extends OptionalRankEntry {
  /**
   * With `among=true`: the rank among the users asked for; null for who is not on the leaderboard.
   * @minimum 1 @example 1
   */
  readonly among?: number | null;
}

/** The entries of the users asked for, in the order asked; with `among=true` in rank order. */
export class RankLookup extends RankAnswer {
  readonly entries: readonly RankAmong[];
}

/** The user with the next better rank. */
export class RankAhead {
  /** @example 7 */
  readonly userId: string;
  /** @example 41 */
  readonly score: number;
  /** Points that are missing to draw level. @example 4 */
  readonly gap: number;
}

/** A user's distance to the first ten. */
export class RankTopTen {
  /** The tenth's points. @example 60 */
  readonly score: number;
  /** Points that are missing to draw level with the tenth. @example 23 */
  readonly gap: number;
}

/** A user's own standing, without others. */
export class OwnStanding extends RankAnswer {
  readonly entry: OptionalRankEntry;
  /**
   * True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is
   * theirs.
   */
  readonly excluded?: true;
  /** True beside `excluded` if the user has opted out; others may exclude them too. */
  readonly optedOut?: true;
  /** Whether others have the same rank; by ordinal rank nobody has. */
  readonly tied: boolean;
  /** 100: nobody is ahead. @minimum 0 @maximum 100 */
  readonly percentile: number | null;
}

/** One user's standing. */
export class RankStanding extends OwnStanding {
  /**
   * Who has the next better rank: by ordinal rank who stands directly ahead, with a gap of 0 where both have the same
   * points; by the others the nearest with other points. Null for who has the best.
   */
  readonly ahead: RankAhead | null;
  /** Null for the first ten themselves, ties with the tenth included, and where fewer than ten are on it. */
  readonly top10: RankTopTen | null;
}

/** Where a user stands in the current period of each leaderboard, but for those that have partitions. */
export class UserStandings {
  /** @example 42 */
  readonly userId: string;
  /** In the order of `GET /ranks`; without an entry, `rank` is null. */
  readonly standings: readonly RankStanding[];
}

/** One partition of a leaderboard. */
export class RankPartition {
  /** @example java */
  readonly name: string;
  /** How many users are on it. @example 12 */
  readonly total: number;
}

/** The partitions of a leaderboard that have entries in one period, by name. */
export class RankPartitions {
  /** @example category */
  readonly leaderboard: string;
  /** The kind of its partitions. @example category */
  readonly key: string;
  readonly period: RankPeriod;
  readonly partitions: readonly RankPartition[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** A leaderboard, as the list of them shows it. */
export class RankLeaderboard {
  /** @example day */
  readonly name: string;
  readonly kind: PeriodKind;
  /** The zone in which its periods are cut. @example Europe/London */
  readonly timezone: string;
  /** The kind of its partitions: `?partition=` names one of them. @example category */
  readonly partition?: string;
  /** The actions that count. @example ["view","praise"] */
  readonly actions: readonly string[];
  /** The period that runs. */
  readonly current: RankPeriod;
}

/** All leaderboards. */
export class RankLeaderboards {
  readonly leaderboards: readonly RankLeaderboard[];
}
