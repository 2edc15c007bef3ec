import { ActivityError } from '../errors';
import type { ResolvedRule, Rule } from '../rules/rule';
import { allowedPoints } from './allowed';
import { checkedText, checkedUnique, checkedWhole, checkedWord, optionError } from './check';

/** How each part of a rule is filled in and checked. */
const parts: { readonly [Part in keyof ResolvedRule]: (rule: Partial<Rule>, option: string) => ResolvedRule[Part] } = {
  action: ({ action }, option) =>
    checkedText(option, action, /^[a-z][a-z0-9_-]{0,23}$/, 'use 1 to 24 of a-z, 0-9, "-" and "_", a letter first'),
  points: ({ points }, option) => checkedWhole(option, points, allowedPoints),
  revocable: ({ revocable }, option) => {
    if (typeof revocable === 'boolean') return revocable;
    throw optionError(option, revocable, 'use true or false');
  },
  days: ({ days = 1 }, option) => checkedWhole(option, days, [1, 31]),
  ownSubject: ({ ownSubject = 'count' }, option) => checkedWord(option, ownSubject, ['ignore', 'count']),
  code: (
    {
      action,
      code = String(action)
        .replace(/[^a-z0-9]/g, '')
        .slice(0, 8),
    },
    option,
  ) => checkedText(option, code, /^[a-z0-9]{1,8}$/, 'use 1 to 8 of a-z and 0-9'),
};
const partNames = Object.keys(parts) as (keyof ResolvedRule)[];

/** @throws ActivityError `invalidOption` */
export function resolveRules(rules: readonly Rule[]): readonly ResolvedRule[] {
  if (rules.length === 0 || rules.length > 100)
    throw optionError('rules', `${rules.length} of them`, 'configure 1 to 100');
  const resolved = rules.map((rule, index) => resolveOne(rule, `rules[${index}]`));
  checkedUnique(
    'rules[].action',
    resolved.map(({ action }) => action),
    'an action has one rule',
  );
  checkedUnique(
    'rules[].code',
    resolved.map(({ code }) => code),
    'give one of the two a code of its own',
  );
  return Object.freeze(resolved);
}

/**
 * Rules that come from a file: as {@link resolveRules}, with every fault told.
 * @throws ActivityError `invalidOption` with a fault for each value that is not allowed.
 */
export function rulesFrom(value: unknown): readonly ResolvedRule[] {
  if (!Array.isArray(value)) throw optionError('rules', value, 'use a list');
  const messages = value.flatMap((rule: unknown, index) => faultsOf(rule, `rules[${index}]`));
  if (messages.length === 0) return resolveRules(value as readonly Rule[]);
  throw new ActivityError('invalidOption', messages.join(' '), {
    faults: messages.map((message) => ({ path: message.slice(0, message.indexOf(' ')), message })),
  });
}

function faultsOf(rule: unknown, option: string): string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    return [optionError(option, rule, 'use { "action": …, "points": …, "revocable": … }').message];
  }
  const unknown = Object.keys(rule).filter((name) => !partNames.includes(name as keyof ResolvedRule));
  return [
    ...unknown.map((name) => optionError(`${option}.${name}`, 'unknown', `a rule has ${partNames.join(', ')}`).message),
    ...partNames.flatMap((name) => faultOf(() => parts[name](rule, `${option}.${name}`))),
  ];
}

function faultOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ActivityError) return [error.message];
    throw error;
  }
}

function resolveOne(rule: Rule, option: string): ResolvedRule {
  const part = <Part extends keyof ResolvedRule>(name: Part): ResolvedRule[Part] =>
    parts[name](rule, `${option}.${name}`);
  return Object.freeze({
    action: part('action'),
    points: part('points'),
    revocable: part('revocable'),
    days: part('days'),
    ownSubject: part('ownSubject'),
    code: part('code'),
  });
}
