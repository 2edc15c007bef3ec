import type { Period } from '@laurel/leaderboard';
import type { PeriodQuery } from '../core/extensions/standings';
import type { Tally } from '../core/rules/rule-book';

/** Facts that a rule may need beside points and rank; only those that some rule needs are read. */
export type TitleNeed = 'counts' | 'streak' | 'hours' | 'firstDay' | `first:${Tally}`;

/** How often a user did each action, and how often others did it to their subjects. Counts of 0 are left out. */
export interface TitleCounts {
  readonly given: Readonly<Record<string, number>>;
  readonly received: Readonly<Record<string, number>>;
}

/**
 * The facts of one user on one leaderboard in one period. Reading a fact that a rule does not name among its `needs`
 * throws, so that no rule depends on the needs of another.
 */
export interface TitleFacts {
  readonly userId: string;
  readonly leaderboard: string;
  /** The partition of the leaderboard, for `points`, `rank` and `isFirst`; all other facts are of all partitions. */
  readonly partition: string | null;
  readonly period: Period;
  /** The last day of the period, `2026-11-20`; today while it runs. */
  readonly lastDay: string;
  /** The user's points on the leaderboard. */
  readonly points: number;
  /** The user's rank, from 1, by the ranking that was asked for. */
  readonly rank: number;
  /**
   * Need `counts`. Standing activities in the user's ledgers of the period: known for periods of at most 31 days with
   * ledgers.
   */
  readonly counts: TitleCounts;
  /**
   * Need `streak`. Days in a row with points up to {@link lastDay}, at most 31, whether or not the period had begun;
   * while that day runs without points, up to the day before.
   */
  readonly streak: number;
  /**
   * Need `hours`. How many standing activities of the period's last days, seven at most, were done in each hour, 0 to
   * 23, of the leaderboard's zone.
   */
  readonly hours: readonly number[];
  /** Need `firstDay`. The day on which the user was first seen; null if not known. */
  readonly firstDay: string | null;
  /**
   * Needs `first:` and the tally: whether the user's is the highest on this leaderboard. Of equals, the earliest wins.
   */
  isFirst(tally: Tally): boolean;
}

/** The facts that are read for one page. */
export interface FactsQuery {
  readonly query: PeriodQuery;
  readonly needs: ReadonlySet<TitleNeed>;
  /** The last moment of the period, or now. */
  readonly lastMs: number;
}

/** The facts of one user; null: unknown for this leaderboard and period. */
export interface KnownFacts extends Omit<TitleFacts, PlainNeed | 'isFirst'> {
  readonly counts: TitleCounts | null;
  readonly streak: number | null;
  readonly hours: readonly number[] | null;
  readonly firstDay: { readonly date: string | null } | null;
  /** The user with the highest of each tally; null: nobody. */
  readonly leaders: ReadonlyMap<Tally, string | null>;
}

/** Whether all of `needs` are known. */
export function knows(facts: KnownFacts, needs: Iterable<TitleNeed>): boolean {
  for (const need of needs) {
    const tally = tallyOfNeed(need);
    if (tally ? !facts.leaders.has(tally) : facts[need as PlainNeed] === null) return false;
  }
  return true;
}

/** The tally of a need such as `first:given:comment`. */
export function tallyOfNeed(need: TitleNeed): Tally | null {
  return need.startsWith('first:') ? (need.slice('first:'.length) as Tally) : null;
}

type PlainNeed = Exclude<TitleNeed, `first:${Tally}`>;

/** The facts as one rule sees them: what it named, and nothing else. */
export function factsFor(needs: ReadonlySet<TitleNeed>, known: KnownFacts): TitleFacts {
  const check = (need: TitleNeed): void => {
    if (!needs.has(need)) throw new Error(`The rule looks at "${need}": add it to its needs.`);
  };
  const needed = <Need extends PlainNeed>(need: Need): NonNullable<KnownFacts[Need]> => {
    check(need);
    return known[need] as NonNullable<KnownFacts[Need]>;
  };
  const { userId, leaderboard, partition, period, lastDay, points, rank, leaders } = known;
  return {
    ...{ userId, leaderboard, partition, period, lastDay, points, rank },
    get counts() {
      return needed('counts');
    },
    get streak() {
      return needed('streak');
    },
    get hours() {
      return needed('hours');
    },
    get firstDay() {
      return needed('firstDay').date;
    },
    isFirst: (tally) => {
      check(`first:${tally}`);
      return leaders.get(tally) === userId;
    },
  };
}
