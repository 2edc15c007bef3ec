import { dayMs } from '@laurel/leaderboard/internals';
import type { ActivitySettings } from '../core/options/settings';
import { isTally, type Tally } from '../core/rules/rule-book';
import {
  type EntriesOf,
  list,
  made,
  object,
  optional,
  type Place,
  read,
  refused,
  type Refused,
  text,
  value,
  whole,
} from '../core/schema/schema';
import { streakBoard } from '../titles/facts-reader';

/** A badge, and what it takes to win it. */
export interface BadgeRule {
  /** 1 to 64 of `a-z`, `0-9` and `-`: what is won is known by it. */
  readonly id: string;
  /** The text that is shown without a translation of the id, 1 to 100 characters. */
  readonly name: string;
  /** `points`; `streak`, days in a row with points; or a tally, such as `given:comment` or `received:praise`. */
  readonly of: 'points' | 'streak' | Tally;
  /**
   * Of all time, with the points or the tally: one with `actions` has the points of these. Of a streak, the leaderboard
   * of days on which all counts. @defaultValue the first that fits
   */
  readonly leaderboard?: string;
  /** How many it takes; of a streak, no more days than its leaderboard is kept. */
  readonly atLeast: number;
}

/** Options of `RewardsModule.forRoot`, and of a factory of `forRootAsync`. */
export interface RewardsModuleOptions {
  /**
   * The `points` that reach each level, up to 100 in ascending order; if the first is 0, everybody begins on level 1.
   * They count on the first all-time leaderboard, if none is named. @defaultValue none
   */
  readonly levels?: { readonly points: readonly number[]; readonly leaderboard?: string } | undefined;
  /** Up to 200. Users keep a badge that you take off the list. @defaultValue none */
  readonly badges?: readonly BadgeRule[] | undefined;
}

/** A badge, or a level. */
export interface Goal extends Required<Pick<BadgeRule, 'of' | 'leaderboard' | 'atLeast'>> {
  readonly prize: Pick<BadgeRule, 'id' | 'name'> | { readonly level: number };
}

/** {@link RewardsModuleOptions} as they are judged by. */
export interface RewardSettings {
  readonly levels: readonly Goal[];
  readonly badges: readonly Goal[];
  /** Tells streaks; null: there is none. */
  readonly streakBoard: string | null;
}

/** Injects the {@link RewardSettings}. */
export const REWARD_SETTINGS = Symbol('REWARD_SETTINGS');

const points = whole(0, 10 ** 12);
const leaderboardName = optional(text(/^/, 'the name of a leaderboard'));

/** @throws ActivityError `invalidOption` */
export function resolveRewards(
  options: RewardsModuleOptions,
  { leaderboards, rules }: Pick<ActivitySettings, 'leaderboards' | 'rules'>,
): RewardSettings {
  const days = streakBoard(leaderboards);
  const actions = rules.map(({ action }) => action);
  const isFact = (given: unknown): given is BadgeRule['of'] =>
    given === 'points' || given === 'streak' || isTally(given, actions);

  /** The leaderboard of this name, or the first, that has the number. */
  const leaderboardOf = (of: BadgeRule['of'], wanted: string | undefined, place: Place): string | Refused => {
    const names = leaderboards.flatMap((one) => {
      const has =
        one.period === 'all' && one.partition === null && (of === 'points' || one.tallies.includes(of as Tally));
      return (of === 'streak' ? one === days : has) ? [one.name] : [];
    });
    const found = wanted ?? names[0] ?? '';
    if (names.includes(found)) return found;
    const kind = of === 'streak' ? 'day' : 'all';
    const tallies = of === 'streak' || of === 'points' ? '' : `, tallies: ["${of}"]`;
    const missing = `add { name: "${kind}", period: "${kind}"${tallies} } to the leaderboards`;
    return place
      .property('leaderboard')
      .refuse(wanted, names.length > 0 ? `use one of "${names.join('", "')}"` : missing);
  };
  const levels = made(
    object({ points: list(points, { min: 1, max: 100 }), leaderboard: leaderboardName }),
    (given, place) => {
      const wrong = given.points.findIndex((one, i) => one <= (given.points[i - 1] ?? -1));
      const at = place.property('points').item(wrong);
      if (wrong >= 0) return at.refuse(given.points[wrong], 'use more points for each level than for the one before');
      const leaderboard = leaderboardOf('points', given.leaderboard, place);
      if (leaderboard === refused) return refused;
      return given.points.map((atLeast, i): Goal => ({ of: 'points', leaderboard, atLeast, prize: { level: i + 1 } }));
    },
  );
  const badge = object({
    id: text(/^[a-z0-9-]{1,64}$/, '1 to 64 of a-z, 0-9 and -'),
    name: text(/^[^]{1,100}$/, '1 to 100 characters'),
    of: value(isFact, '"points", "streak" or, of an action of a rule, "given:<action>" or "received:<action>"'),
    leaderboard: leaderboardName,
    atLeast: whole(1, 10 ** 12),
  } satisfies EntriesOf<BadgeRule>);
  const unique = [{ property: 'id', advice: 'give each badge its own id' }];
  const badges = made(list(badge, { max: 200, unique }), (given, place) => {
    const goals = given.map(({ id, name, of, leaderboard: wanted, atLeast }, i) => {
      const at = place.item(i);
      const leaderboard = leaderboardOf(of, wanted, at);
      const kept = of === 'streak' ? Math.floor((days?.retentionMs ?? Infinity) / dayMs) : Infinity;
      if (atLeast > kept) return at.property('atLeast').refuse(atLeast, `use at most ${kept}: so long days are kept`);
      return leaderboard === refused ? refused : { of, leaderboard, atLeast, prize: { id, name } };
    });
    return goals.includes(refused) ? refused : (goals as readonly Goal[]);
  });
  const schema = object({ levels: optional(levels), badges: optional(badges, []) });
  return { levels: [], ...read(schema, options, 'RewardsModule'), streakBoard: days?.name ?? null };
}
