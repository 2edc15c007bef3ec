import type { Entry } from '@laurel/leaderboard';
import type { PeriodQuery } from './period-query';

/** The titles with which the users of a page of a period's standings are settled. */
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
  /** Whose titles may be wanted: those without an entry have none. */
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
