import type { BoardPage, BoardReader, Entry, Period, Ranking, RankingOption } from '@laurel/leaderboard';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';

/** The titles with which the users of a page of a period's standings are settled; called for each page, in order. */
export type SettleTitles = (entries: readonly Entry[]) => Promise<ReadonlyMap<string, Title>>;

/** A user's title. */
export interface Title {
  /** For translations: 1 to 100 characters. */
  readonly id: string;
  /** The text that is shown without a translation: 1 to 100 characters. */
  readonly name: string;
}

/** The users of a page, while it is being read. */
export interface TitledPage {
  /** Users whose titles may be wanted: users without an entry have none. */
  readonly userIds: readonly string[];
  readonly entries: Promise<readonly Entry[]>;
}

/** Finds the titles of users on a leaderboard. */
export interface TitleSource {
  /** How long a title is cached. */
  readonly cacheMs: number;
  /** Whether this process has title rules. */
  readonly hasRules: boolean;
  /**
   * The titles of those who have one. A title that cannot be found is not shown.
   * @throws what the page's entries could not be read for.
   */
  find(asked: PeriodQuery, page: TitledPage): Promise<ReadonlyMap<string, Title>>;
  /**
   * Finds titles for good, as the period's standings are settled page by page; null: there are no rules.
   * @throws ActivityError `unavailable`, from the function returned: the period must be settled later.
   */
  settle(asked: Pick<PeriodQuery, 'leaderboard' | 'period'>): SettleTitles | null;
}

/** A period of a leaderboard, and how equal scores are ranked. */
export interface PeriodQuery {
  readonly leaderboard: LeaderboardBoards;
  readonly period: Period;
  readonly ranking: Ranking;
}

/** Reads that a live board and archived standings both answer. */
type Reads =
  'size' | 'head' | 'after' | 'countBetween' | 'at' | 'entry' | 'entries' | 'ranks' | 'aroundWithSize' | 'standings';

/** The standings of one period of a leaderboard, read as the engine reads a board. */
export interface Standings extends Pick<BoardReader, Reads> {
  /** A page that passes over the first `offset` entries. */
  page(from: { readonly offset: number }, count: number, options?: RankingOption): Promise<BoardPage>;
}

/** Standings of periods that have ended, which need not be in Redis any more. */
export interface PastStandings {
  /** Whether this process settles periods: a period that has ended is then `closing` until it is frozen. */
  readonly settles: boolean;
  /** The settled standings of a period; null if it is not settled. @throws ActivityError `unavailable` */
  find(leaderboard: LeaderboardBoards, period: Period): Promise<SettledStandings | null>;
  /** The users' ranks in the period before, null for users who were not on it: for the ranks won or lost since. */
  previousRanks(asked: PeriodQuery, userIds: readonly string[]): Promise<readonly (number | null)[]>;
  /**
   * The titles with which a period was settled, of those of the users who have one; null: it is not settled, or was
   * settled without titles. @throws ActivityError `unavailable`
   */
  titles(asked: PeriodQuery, userIds: readonly string[]): Promise<ReadonlyMap<string, Title> | null>;
  /** The caches that may keep a user's past. @throws HttpException if the reader may not see it. */
  scopeOf(what: 'points' | 'history', userId: string, request: unknown): Promise<'public' | 'private'>;
  /** Hides a user in all settled periods, or shows them again. */
  hide(userId: string, isHidden: boolean): Promise<void>;
  /** Erases a user from settled periods for good, and returns from how many. Safe to repeat. */
  erase(userId: string, where: { readonly leaderboard: string; readonly period: string }): Promise<number>;
}

/** Settled standings, and how they are read. */
export interface SettledStandings {
  readonly standings: Standings;
  /** The entry of an excluded user, without a rank; null where the user is not excluded or has no points. */
  readonly hiddenEntry: (userId: string) => Promise<Omit<Entry, 'rank'> | null>;
  readonly period: { readonly key: string; readonly startMs: number; readonly endMs: number };
  /** Runs reads of the standings. @throws ActivityError `unavailable` where the store does not answer. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
}
