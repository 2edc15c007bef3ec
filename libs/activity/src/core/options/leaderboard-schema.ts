import type { PeriodKind, PeriodSpec } from '@laurel/leaderboard';
import { dayMs, kindOf, periodKinds, weekSpec } from '@laurel/leaderboard/internals';
import { pointsWithin } from '../points/decimals';
import { actionPoints, partitionKey, places } from '../rules/rule-schema';
import { isTally, type Tally } from '../rules/rule-book';
import {
  day,
  duration,
  type EntriesOf,
  isObject,
  list,
  longestMs,
  made,
  nullable,
  object,
  optional,
  type Place,
  type Refused,
  refused,
  type Schema,
  text,
  value,
  whole,
  word,
} from '../schema/schema';
import { type LeaderboardConfig, type RetentionKind, type WeekStart, weekStarts } from './activity.options';
import { timezone, visibility } from './values';

/** A leaderboard with every default filled in. */
export interface LeaderboardSettings extends Required<
  Pick<LeaderboardConfig, 'name' | 'timezone' | 'where' | 'tallies' | 'floor' | 'maxPoints' | 'visibility'> &
    Pick<LeaderboardConfig, 'latenessMs' | 'retentionMs'>
> {
  /** As it was given. */
  readonly config: LeaderboardConfig;
  /** The kind of its periods. */
  readonly period: PeriodKind;
  /** How the periods that are read are cut. */
  readonly spec: PeriodSpec;
  /** How the periods that are written are cut: a rolling window is made from days. */
  readonly fedSpec: PeriodSpec;
  /** The actions that count on it; undefined: all. */
  readonly actions: readonly string[] | undefined;
  /** Points of its own, by action; the rules' where null, and for actions that it does not name. */
  readonly points: Readonly<Record<string, number>> | null;
  /** The key of the activities' `partitions` by whose values it is split; null: it is one. */
  readonly partition: string | null;
  readonly rolling: RollingSettings | null;
  /** Of points, as the module's. */
  readonly decimals: number;
  /** Whether it cannot share the ledger of the module: it has another timezone, or points of its own. */
  readonly hasOwnLedger: boolean;
  /** Of one that began while the app runs: when it was ended, if it was. Undefined: it is of the options. */
  readonly begun?: { readonly endedAtMs: number | null };
}

/** The defaults of a leaderboard. */
export interface LeaderboardDefaults {
  readonly actions: readonly string[];
  /** For each kind of period, how long boards are kept after their end; null: for good. */
  readonly retentionMs: Readonly<Record<Exclude<RetentionKind, 'ledger'>, number | null>>;
  readonly latenessMs: number;
  readonly timezone: string;
  readonly weekStart: WeekStart;
  readonly decimals: number;
}

/** The days up to each day, and how old what is read of them may be. */
export type RollingSettings = Required<NonNullable<LeaderboardConfig['rolling']>>;

/** The leaderboards of an app that sets none: the day and the month. */
export const defaultLeaderboards: readonly LeaderboardConfig[] = Object.freeze([
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month' },
]);

/** The most leaderboards: each adds a write to every activity that it counts. */
export const maxLeaderboards = 32;

const rolling = object({ days: whole(1, 366), refreshMs: optional(whole(100, 3_600_000), 10_000) });

const contest = made(object({ from: day, to: day }), (days, place) =>
  days.to < days.from
    ? place.fault(`ends on ${days.to} before it begins on ${days.from}: use a "to" on or after "from".`)
    : days,
);

const seasons = made(list(day, { min: 2, max: 1_000 }), (days, place) =>
  days.every((one, n) => n === 0 || String(days[n - 1]) < one)
    ? days
    : place.refuse(days, 'name each day after the one before'),
);

/** Leaderboards with every default filled in. */
export function leaderboardsSchema(defaults: LeaderboardDefaults): Schema<readonly LeaderboardSettings[]> {
  const unique = [{ property: 'name', advice: 'give each its own name' }];
  return made(list(leaderboardSchema(defaults), { min: 1, max: maxLeaderboards, unique }), (leaderboards, place) =>
    leaderboards.some(({ hasOwnLedger }) => !hasOwnLedger)
      ? leaderboards
      : place.refuse(
          leaderboards.map(({ name }) => name),
          `each has a "timezone" other than ${JSON.stringify(defaults.timezone)} or "points" of its own; ` +
            'let at least one have the "timezone" of the module and the points of the rules',
        ),
  );
}

/** One leaderboard with every default filled in. */
export function leaderboardSchema(defaults: LeaderboardDefaults): Schema<LeaderboardSettings> {
  return (given, place) => {
    const read = fieldsOf(countedIn(given) ?? defaults.actions, defaults)(given, place);
    if (read === refused) return refused;
    const cut = cutOf(read, place, defaults.weekStart);
    if (cut === refused) return refused;
    const { name, timezone: zone, actions, points = null, partition = null, tallies } = read;
    // How long a day may show in windows, and takes what changes it. A day may have 25 hours, a zone even repeat one.
    const windowMs = cut.rolling ? (cut.rolling.days + 1) * dayMs : 0;
    const latenessMs = Math.max(read.latenessMs, windowMs);
    // A window is made from the boards of its days: they are kept until the windows of a month ago have what they need.
    const { period } = cut;
    const ofKind = defaults.retentionMs[period === 'rolling' ? 'day' : period === 'season' ? 'contest' : period];
    const kept = optional(nullable(whole(windowMs, longestMs)), ofKind && ofKind + windowMs);
    const retentionMs = kept(read.retentionMs, place.property('retentionMs'));
    if (tallies.length > 0 && cut.rolling)
      return place.property('tallies').refuse(tallies, 'leave it out: rolling windows have none');
    if (retentionMs === refused) return refused;
    const hasOwnLedger = zone !== defaults.timezone || points !== null;
    const { decimals } = defaults;
    const config = given as LeaderboardConfig;
    const own = { config, name, ...cut, timezone: zone, actions, points, partition, tallies, hasOwnLedger, decimals };
    const { where, floor, maxPoints, visibility: seenBy } = read;
    return Object.freeze({ ...own, where, floor, maxPoints, visibility: seenBy, latenessMs, retentionMs });
  };
}

/** @param counted the actions that count on it. */
function fieldsOf(counted: readonly string[], { actions, timezone: zone, latenessMs, decimals }: LeaderboardDefaults) {
  const pointsOf = object(Object.fromEntries(counted.map((action) => [action, optional(actionPoints(decimals))])));
  const points = made(pointsOf, (read, place) =>
    Object.keys(read).length > 0
      ? (read as Readonly<Record<string, number>>)
      : place.refuse(read, 'name at least one action, or leave it out'),
  );
  const tally: Schema<Tally> = (given, place) =>
    isTally(given, counted)
      ? given
      : place.expect(given, `"given:" or "received:" and an action that counts on it, one of ${counted.join(', ')}`);
  return object({
    name: text(/^(?!users$)[a-z0-9_-]{1,32}$/, '1 to 32 of a-z, 0-9, "-" and "_", not "users"'),
    period: optional(word(periodKinds)),
    contest: optional(contest),
    seasons: optional(seasons),
    rolling: optional(rolling),
    timezone: optional(timezone, zone),
    weekStart: optional(word(weekStarts)),
    weeksFrom: optional(day),
    partition: optional(partitionKey),
    visibility: optional(visibility(), 'all'),
    actions: optional(list(word(actions))),
    where: places,
    points: optional(points),
    floor: optional(nullable(value((given): given is 0 => given === 0, '0')), 0),
    maxPoints: optional(nullable(pointsWithin(decimals, { min: 1, max: 1e12 })), null),
    tallies: optional(list(tally, { unique: [{ advice: 'name each once' }] }), []),
    latenessMs: optional(duration, latenessMs),
    retentionMs: optional(nullable(duration)),
  } satisfies EntriesOf<LeaderboardConfig>);
}

type Fields = Exclude<ReturnType<ReturnType<typeof fieldsOf>>, Refused>;

/** The actions that a leaderboard names, whatever else is wrong with it. */
function countedIn(given: unknown): readonly string[] | undefined {
  const actions: unknown = isObject(given) ? given['actions'] : undefined;
  return Array.isArray(actions) ? actions.filter((action) => typeof action === 'string') : undefined;
}

/** How a leaderboard's time is cut. */
type Cut = Pick<LeaderboardSettings, 'period' | 'spec' | 'fedSpec' | 'rolling'>;

function cutOf(read: Fields, place: Place, weekStart: WeekStart): Cut | Refused {
  const given = (['period', 'contest', 'seasons', 'rolling'] as const).filter((name) => read[name] !== undefined);
  if (given.length !== 1) return place.refuse(given, 'give one of "period", "contest", "seasons" and "rolling"');
  const spec = specOf(read, place, weekStart);
  if (spec === refused) return refused;
  const period: PeriodKind = kindOf(spec);
  const misplaced = (['weekStart', 'weeksFrom'] as const).find((name) => read[name] !== undefined && period !== 'week');
  if (misplaced) return place.property(misplaced).refuse(read[misplaced], 'use it only where "period" is "week"');
  return { period, spec, fedSpec: read.rolling ? 'day' : spec, rolling: read.rolling ?? null };
}

function specOf(read: Fields, place: Place, weekStart: WeekStart): PeriodSpec | Refused {
  if (read.rolling) return Object.freeze({ kind: 'rolling', days: read.rolling.days });
  if (read.contest) return Object.freeze({ kind: 'contest', ...read.contest });
  if (read.seasons) return Object.freeze({ kind: 'season', starts: read.seasons });
  const { period = 'day', weekStart: start = weekStart, weeksFrom } = read;
  if (period !== 'week') return period;
  if (weeksFrom === undefined) return weekSpec(start);
  if (new Date(`${weeksFrom}T00:00:00Z`).getUTCDay() !== (start === 'monday' ? 1 : 0)) {
    const advice = `use a ${start}, the day on which its weeks start ("weekStart")`;
    return place.property('weeksFrom').refuse(weeksFrom, advice);
  }
  return Object.freeze({ kind: period, countedFrom: weeksFrom });
}
