import type { PeriodSpec, TransitionLimit } from '@laurel/leaderboard';
import { dayNumber, weekSpec } from '@laurel/leaderboard/internals';
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
import { pointsWithin, unitsOf } from '../points/decimals';
import type { LimitConfig, ResolvedLimit, SlidingLimit } from './limit';
import type { DefinedLimit } from './limit-type';
import { ownLimit, perOf } from './own-limit';

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

/** The options that rules and limits are checked against. */
export interface RulesContext {
  /** Types of limits of the app's own. Default: none. */
  readonly limitTypes?: readonly DefinedLimit[];
  /** Of points. Default 0. */
  readonly decimals?: number;
  /** Of weekly limits. Default: Monday. */
  readonly weekStart?: 'monday' | 'sunday';
}

/** Limits of these actions, from whichever source, with their names filled in. */
export function limitsSchema(
  actions: readonly string[],
  context: RulesContext,
  max = Infinity,
): Schema<readonly ResolvedLimit[]> {
  return list(limitSchema(actions, context), {
    max,
    advice: `use up to ${max}`,
    unique: [{ property: 'name', advice: 'give one of the two a name of its own' }],
  });
}

function limitSchema(actions: readonly string[], context: RulesContext): Schema<ResolvedLimit> {
  const { limitTypes = [], decimals = 0, weekStart = 'monday' } = context;
  const kind = word([...builtIn, ...limitTypes.map(({ type }) => type)]);
  const action = word(actions);
  // Of all actions together, where none is named.
  const common = { type: kind, action: optional(action), name: optional(limitName) };
  const max = optional(whole(1, 10_000));
  const slidingFields = { ...common, max: whole(1, 10_000), windowMs: whole(1_000, 2_678_400_000), per: windowsPer };
  const pair = resolved(object(slidingFields), slidingOf);
  const sliding = resolved(object({ ...slidingFields, action }), slidingOf);
  const dailyFields = { ...common, max, points: optional(pointsWithin(decimals, { min: 1, max: 1_000_000_000 })) };
  const calendar: Readonly<Record<string, PeriodSpec>> = { weekly: weekSpec(weekStart), monthly: 'month' };
  const daily = resolved(object(dailyFields), (limit, called) =>
    dailyOf(limit, called, { decimals, period: calendar[limit.type] }),
  );
  const contest = resolved(object({ ...dailyFields, from: day, to: day }), (limit, called) => {
    const period = contestOf(limit, called.place);
    return period === refused ? refused : dailyOf(limit, called, { decimals, period });
  });
  const own = new Map(
    limitTypes.map((type) => {
      const fields = Object.fromEntries(type.fields.map((field) => [field, optional(anything)]));
      return [type.type, resolved(object({ ...fields, ...common }), ownOf(type, decimals))] as const;
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

/** What a limit is called, and where it stands. */
interface Called {
  readonly name: string;
  readonly place: Place;
}

function resolved<Limit extends Common>(
  fields: Schema<Limit>,
  formOf: (limit: Limit, called: Called) => TransitionLimit | Refused,
): Schema<ResolvedLimit> {
  return made(fields, (limit, place) => {
    const { type, action = null, name = `${action ?? 'all'}-${type}` } = limit;
    const isNamed = limitName(name, place.property('name')) !== refused;
    const onTransition = formOf(limit, { name, place });
    if (!isNamed || onTransition === refused) return refused;
    return Object.freeze({ name, action, config: Object.freeze({ ...limit, name }) as LimitConfig, onTransition });
  });
}

type Sliding = Common & Pick<SlidingLimit, 'max' | 'windowMs' | 'per'>;

function slidingOf({ max, windowMs, per }: Sliding, { name }: Called): TransitionLimit {
  return { type: 'sliding', name, max, windowMs, per: perOf[per] };
}

function dailyOf(
  limit: Common & { readonly max?: number; readonly points?: number },
  { name, place }: Called,
  { decimals, period }: { readonly decimals: number; readonly period: PeriodSpec | undefined },
): TransitionLimit | Refused {
  const { max, points } = limit;
  const over = period && { period };
  if (max !== undefined && points === undefined) return { type: 'daily', name, max, of: 'grants', ...over };
  if (max === undefined && points !== undefined)
    return { type: 'daily', name, max: unitsOf(points, decimals), of: 'points', ...over };
  return place.refuse(Object.keys(limit), 'give one of max and points');
}

/** So many ledgers are read where one of them comes out of order. */
const longestContestDays = 31;

function contestOf({ from, to }: { readonly from: string; readonly to: string }, place: Place): PeriodSpec | Refused {
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days >= 1 && days <= longestContestDays) return { kind: 'contest', from, to };
  return place.property('to').refuse(to, `use a day from ${from} on, up to ${longestContestDays} days in all`);
}

function ownOf({ resolve }: DefinedLimit, decimals: number) {
  return (limit: Common & Readonly<Record<string, unknown>>, { name, place }: Called): TransitionLimit | Refused => {
    const refusal = new Error('refused');
    try {
      const configured = resolve(limit, (field, allowed) => {
        place.property(field).refuse(limit[field], allowed);
        throw refusal;
      });
      const windowMs = longestWindow(configured.windowMs, place.property('windowMs'));
      const per = windowsPer(configured.per, place.property('per'));
      return windowMs === refused || per === refused ? refused : ownLimit(name, configured, decimals);
    } catch (error) {
      if (error === refusal) return refused;
      throw error;
    }
  };
}
