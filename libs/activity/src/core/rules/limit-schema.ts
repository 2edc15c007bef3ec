import type { PeriodSpec } from '@laurel/leaderboard';
import { weekSpec } from '@laurel/leaderboard/internals';
import {
  anything,
  day,
  list,
  made,
  object,
  optional,
  isObject,
  type Place,
  type Refused,
  refused,
  type Schema,
  text,
  value,
  whole,
  withMethod,
  word,
} from '../schema/schema';
import { pointsWithin } from '../points/decimals';
import type { LimitConfig, ResolvedLimit, ResolvedSlidingLimit } from './limit';
import type { DefinedLimit } from './limit-type';

/** The types that every app has. */
const builtIn = ['sliding', 'daily', 'weekly', 'monthly', 'contest'] as const;

const limitName = text(/^[a-z0-9_-]{1,32}$/, '1 to 32 of a-z, 0-9, "-" and "_"');
const limitType = made(withMethod<DefinedLimit>('resolve', 'the result of defineLimit()'), (type, place) =>
  limitName(type.type, place.property('type')) === refused ? refused : type,
);

/** Types of limits that are the app's own. */
export const limitTypesSchema = list(limitType, {
  unique: [{ property: 'type', taken: builtIn, advice: `choose another name; ${builtIn.join(', ')} are built in` }],
});

const windowsPer = word(['action', 'subject', 'pair']);
/** Of limits of the app's own. */
const longestWindow = whole(1, 2_678_400_000);

/** The options that limits are checked against. */
export interface LimitContext {
  readonly actions: readonly string[];
  readonly types: readonly DefinedLimit[];
  /** Of points. Default 0. */
  readonly decimals: number;
  /** Of weekly limits. Default: Monday. */
  readonly weekStart: 'monday' | 'sunday';
}

/** Limits, from whichever source, with their names filled in. */
export function limitsSchema(context: LimitContext, max = Infinity): Schema<readonly ResolvedLimit[]> {
  return list(limitSchema(context), {
    max,
    advice: `use up to ${max}`,
    unique: [{ property: 'name', advice: 'give one of the two a name of its own' }],
  });
}

function limitSchema({ actions, types, decimals, weekStart }: LimitContext): Schema<ResolvedLimit> {
  const kind = word([...builtIn, ...types.map(({ type }) => type)]);
  const action = word(actions);
  // Of all actions together, where none is named.
  const common = { type: kind, action: optional(action), name: optional(limitName) };
  const max = optional(whole(1, 10_000));
  const slidingFields = { ...common, max: whole(1, 10_000), windowMs: whole(1_000, 2_678_400_000), per: windowsPer };
  const pair = named(object(slidingFields), slidingOf);
  const sliding = named(object({ ...slidingFields, action }), slidingOf);
  const dailyFields = { ...common, max, points: optional(pointsWithin(decimals, { min: 1, max: 1_000_000_000 })) };
  const calendar: Readonly<Record<string, PeriodSpec>> = { weekly: weekSpec(weekStart), monthly: 'month' };
  const daily = named(object(dailyFields), (limit, place) => dailyOf(limit, place, calendar[limit.type] ?? null));
  const contest = named(object({ ...dailyFields, from: day, to: day }), contestOf);
  const own = new Map(
    types.map((type) => {
      const fields = Object.fromEntries(type.fields.map((field) => [field, optional(anything)]));
      return [type.type, named(object({ ...fields, ...common }), ownOf(type))] as const;
    }),
  );
  return made(value(isObject, '{ "type": …, … }'), (given, place) => {
    const type = kind(given['type'], place.property('type'));
    if (type === refused) return refused;
    const slidingOne = given['per'] === 'pair' ? pair : sliding;
    const builtInOf = type === 'contest' ? contest : type === 'sliding' ? slidingOne : daily;
    return (own.get(type) ?? builtInOf)(given, place);
  });
}

/** The properties of every limit. */
interface Common {
  readonly type: string;
  readonly action?: string;
  readonly name?: string;
}

/** The properties of one type of limit. */
type Rest<Limit = ResolvedLimit> = Limit extends ResolvedLimit ? Omit<Limit, 'name' | 'action' | 'config'> : never;

function named<Limit extends Common>(
  fields: Schema<Limit>,
  restOf: (limit: Limit, place: Place) => Rest | Refused,
): Schema<ResolvedLimit> {
  return made(fields, (limit, place) => {
    const { type, action = null } = limit;
    const name = limitName(limit.name ?? `${action ?? 'all'}-${type}`, place.property('name'));
    const rest = restOf(limit, place);
    if (name === refused || rest === refused) return refused;
    return Object.freeze({ name, action, config: Object.freeze({ ...limit, name }) as LimitConfig, ...rest });
  });
}

function slidingOf({ max, windowMs, per }: Common & Omit<Rest<ResolvedSlidingLimit>, 'type'>): Rest {
  return { type: 'sliding', max, windowMs, per };
}

type Counted = Common & { readonly max?: number; readonly points?: number };

function dailyOf(limit: Counted, place: Place, period: PeriodSpec | null) {
  const { max, points } = limit;
  const over = { type: 'daily' as const, ...(period !== null && { period }) };
  if (max !== undefined && points === undefined) return { ...over, max, of: 'grants' as const };
  if (max === undefined && points !== undefined) return { ...over, max: points, of: 'points' as const };
  return place.refuse(Object.keys(limit), 'give one of max and points');
}

/** So many ledgers are read where one of them comes out of order. */
const longestContestDays = 31;

function contestOf(limit: Counted & { readonly from: string; readonly to: string }, place: Place): Rest | Refused {
  const { from, to } = limit;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days < 1 || days > longestContestDays) {
    return place.property('to').refuse(to, `use a day from ${from} on, up to ${longestContestDays} days in all`);
  }
  return dailyOf(limit, place, { kind: 'contest', from, to });
}

function ownOf({ type, resolve }: DefinedLimit) {
  return (limit: Common & Readonly<Record<string, unknown>>, place: Place): Rest | Refused => {
    const refusal = new Error('refused');
    try {
      const configured = resolve(limit, (field, allowed) => {
        place.property(field).refuse(limit[field], allowed);
        throw refusal;
      });
      const windowMs = longestWindow(configured.windowMs, place.property('windowMs'));
      const per = windowsPer(configured.per, place.property('per'));
      if (windowMs === refused || per === refused) return refused;
      return { type: 'own', kind: type, ...configured };
    } catch (error) {
      if (error === refusal) return refused;
      throw error;
    }
  };
}
