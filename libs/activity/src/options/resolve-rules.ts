import type { ResolvedRule, Rule } from '../rules/rule';
import { allowedPoints } from './allowed';
import { checkedText, checkedUnique, checkedWhole, checkedWord, optionError } from './check';

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

function resolveOne(rule: Rule, option: string): ResolvedRule {
  const action = checkedText(
    `${option}.action`,
    rule.action,
    /^[a-z][a-z0-9_-]{0,23}$/,
    'use 1 to 24 of a-z, 0-9, "-" and "_", a letter first',
  );
  if (typeof rule.revocable !== 'boolean')
    throw optionError(`${option}.revocable`, rule.revocable, 'use true or false');
  return Object.freeze({
    action,
    points: checkedWhole(`${option}.points`, rule.points, allowedPoints),
    revocable: rule.revocable,
    days: checkedWhole(`${option}.days`, rule.days ?? 1, [1, 31]),
    ownSubject: checkedWord(`${option}.ownSubject`, rule.ownSubject ?? 'count', ['ignore', 'count']),
    code: checkedText(
      `${option}.code`,
      rule.code ?? action.replace(/[^a-z0-9]/g, '').slice(0, 8),
      /^[a-z0-9]{1,8}$/,
      'use 1 to 8 of a-z and 0-9',
    ),
  });
}
