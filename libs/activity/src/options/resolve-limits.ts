import type { LimitConfig, ResolvedLimit } from '../limits/limit';
import { checkedText, checkedUnique, checkedWhole, checkedWord } from './check';

/** @throws ActivityError `invalidOption` */
export function resolveLimits(limits: readonly LimitConfig[], actions: readonly string[]): readonly ResolvedLimit[] {
  const resolved = limits.map((limit, index) => resolveOne(limit, `limits[${index}]`, actions));
  checkedUnique(
    'limits[].name',
    resolved.map(({ name }) => name),
    'give one of the two a name of its own',
  );
  return Object.freeze(resolved);
}

function resolveOne(limit: LimitConfig, option: string, actions: readonly string[]): ResolvedLimit {
  const type = checkedWord(`${option}.type`, limit.type, ['sliding', 'daily']);
  const action = checkedWord(`${option}.action`, limit.action, actions);
  const max = checkedWhole(`${option}.max`, limit.max, [1, 10_000]);
  const name = checkedText(
    `${option}.name`,
    limit.name ?? `${action}-${type}`,
    /^[a-z0-9_-]{1,32}$/,
    'use 1 to 32 of a-z, 0-9, "-" and "_"',
  );
  if (limit.type === 'daily') return Object.freeze({ type: limit.type, action, max, name });
  return Object.freeze({
    type: limit.type,
    action,
    max,
    name,
    windowMs: checkedWhole(`${option}.windowMs`, limit.windowMs, [1_000, 2_678_400_000]),
    per: checkedWord(`${option}.per`, limit.per, ['subject', 'action']),
  });
}
