import { ActivityError, type Fault } from '../errors/errors';
import type { LimitConfig, ResolvedDailyLimit, ResolvedLimit, ResolvedOwnLimit, ResolvedSlidingLimit } from './limit';
import type { DefinedLimit } from './limit-type';
import { checkedKeys, checkedText, checkedUnique, checkedWhole, checkedWord, optionError } from '../errors/check';

/** The types that every app has. */
const builtIn = ['sliding', 'daily'] as const;

const namePattern = /^[a-z0-9_-]{1,32}$/;
const nameAllowed = 'use 1 to 32 of a-z, 0-9, "-" and "_"';

type Fields = Readonly<Record<string, unknown>>;

/** What limits are checked against. */
export interface LimitContext {
  readonly actions: readonly string[];
  readonly types: readonly DefinedLimit[];
}

/**
 * Checks the types of limits that are the app's own.
 * @throws ActivityError `invalidOption`, also where two share a name.
 */
export function resolveLimitTypes(types: readonly DefinedLimit[]): readonly DefinedLimit[] {
  types.forEach(({ type, script, resolve }, index) => {
    const option = `limitTypes[${index}]`;
    checkedText(`${option}.type`, type, namePattern, nameAllowed);
    if (typeof resolve !== 'function') throw optionError(option, type, 'use the result of defineLimit()');
    for (const part of ['check', 'take', 'undo', 'quota'] as const) {
      if (script[part] === undefined && part !== 'check') continue;
      checkedText(`${option}.lua.${part}`, script[part], /\S/, 'use the body of a Lua function');
    }
  });
  checkedUnique(
    'limitTypes[].type',
    [...builtIn, ...types.map(({ type }) => type)],
    `choose another name; ${builtIn.join(' and ')} are built in`,
  );
  return Object.freeze([...types]);
}

/**
 * Checks limits, from whichever source, and fills in their names.
 * @throws ActivityError `invalidOption` with a fault for each value that is not allowed.
 */
export function resolveLimits(limits: readonly LimitConfig[], context: LimitContext): readonly ResolvedLimit[] {
  const faults: Fault[] = [];
  const attempt: Attempt = (check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ActivityError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const resolved = limits.flatMap((limit: unknown, index) => {
    return attempt(() => resolveOne(limit, `limits[${index}]`, context, attempt)) ?? [];
  });
  attempt(() =>
    checkedUnique(
      'limits[].name',
      resolved.map(({ name }) => name),
      'give one of the two a name of its own',
    ),
  );
  if (faults.length === 0) return Object.freeze(resolved);
  throw new ActivityError('invalidOption', faults.map(({ path, message }) => `${path} ${message}`).join(' '), {
    faults,
  });
}

/** Runs a check; where it refuses, its message is kept and the next one goes on. */
type Attempt = <T>(check: () => T) => T | undefined;

function resolveOne(given: unknown, option: string, context: LimitContext, attempt: Attempt): ResolvedLimit | null {
  const { actions, types } = context;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw optionError(option, given, 'use { "type": …, … }');
  }
  const limit = given as Fields;
  const type = checkedWord(`${option}.type`, limit['type'], [...builtIn, ...types.map((own) => own.type)]);
  const own = types.find((candidate) => candidate.type === type);
  const fields = own?.fields ?? (type === 'sliding' ? ['max', 'windowMs', 'per'] : ['max', 'points']);
  attempt(() => checkedKeys(option, limit, ['type', 'action', 'name', ...fields]));
  const action = attempt(() => checkedAction(option, limit, actions));
  const name = attempt(() => {
    return checkedText(`${option}.name`, limit['name'] ?? `${action ?? 'all'}-${type}`, namePattern, nameAllowed);
  });
  const config = Object.freeze({ ...limit, type, name }) as LimitConfig;
  const base = action === undefined || name === undefined ? null : { name, action, config };
  const resolve = own ? resolveOwn(own) : type === 'sliding' ? resolveSliding : resolveDaily;
  const rest = resolve(limit, option, attempt);
  return base && rest ? Object.freeze({ ...base, ...rest }) : null;
}

/** null: all actions together, where that makes sense. */
function checkedAction(option: string, limit: Fields, actions: readonly string[]): string | null {
  const { type, per, action } = limit;
  const canBeLeftOut = type !== 'sliding' || per === 'pair';
  if (action === undefined && canBeLeftOut) return null;
  return checkedWord(`${option}.action`, action, actions);
}

/** What a type of limit has beside its name and its action. */
type Rest<Limit extends ResolvedLimit> = Omit<Limit, 'name' | 'action' | 'config'> | null;

function resolveSliding(limit: Fields, option: string, attempt: Attempt): Rest<ResolvedSlidingLimit> {
  const max = attempt(() => checkedWhole(`${option}.max`, limit['max'], [1, 10_000]));
  const windowMs = attempt(() => checkedWhole(`${option}.windowMs`, limit['windowMs'], [1_000, 2_678_400_000]));
  const per = attempt(() => checkedWord(`${option}.per`, limit['per'], ['action', 'subject', 'pair'] as const));
  return max === undefined || windowMs === undefined || per === undefined
    ? null
    : { type: 'sliding', max, windowMs, per };
}

function resolveDaily(limit: Fields, option: string, attempt: Attempt): Rest<ResolvedDailyLimit> {
  const { max, points } = limit;
  if ((max === undefined) === (points === undefined)) {
    attempt(() => {
      throw optionError(option, Object.keys(limit), 'give one of max and points');
    });
    return null;
  }
  const most = attempt(() =>
    max === undefined
      ? checkedWhole(`${option}.points`, points, [1, 1_000_000_000])
      : checkedWhole(`${option}.max`, max, [1, 10_000]),
  );
  return most === undefined ? null : { type: 'daily', max: most, of: max === undefined ? 'points' : 'grants' };
}

function resolveOwn(own: DefinedLimit) {
  return (limit: Fields, option: string, attempt: Attempt): Rest<ResolvedOwnLimit> => {
    const prepare = attempt(() =>
      own.resolve(limit, (field, allowed) => {
        throw optionError(`${option}.${field}`, limit[field], allowed);
      }),
    );
    return prepare === undefined ? null : { type: 'own', kind: own.type, prepare };
  };
}
