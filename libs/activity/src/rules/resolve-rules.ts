import { isAdjustmentField } from '@laurel/leaderboard/internals';
import type { Fault } from '../errors/errors';
import { announcedAction, eventNameOf } from '../activity/event-names';
import { ownerFieldPrefix } from './ledger-field';
import type { ResolvedRule, Rule, RuleGrant } from './rule';
import {
  checkedKeys,
  checkedList,
  checkedText,
  checkedUnique,
  checkedWhole,
  checkedWord,
  faultsIn,
  optionError,
  optionFault,
} from '../errors/check';

/** What an action may be worth. */
export const allowedPoints = [1, 1_000_000] as const;

/** What an action may give the owner of its subject; 0: it is counted. */
const allowedGrantPoints = [0, 1_000_000] as const;

/** How each part of a rule is filled in and checked. */
const parts: { readonly [Part in keyof ResolvedRule]: (rule: Partial<Rule>, option: string) => ResolvedRule[Part] } = {
  action: ({ action }, option) => {
    const pattern = /^[a-z][a-z0-9_-]{0,23}$/;
    const name = checkedText(option, action, pattern, 'use 1 to 24 of a-z, 0-9, "-" and "_", a letter first');
    // The module would record its own announcements.
    if (name === announcedAction) {
      const taken = `the module itself emits "${eventNameOf(name)}"`;
      throw optionError(option, name, `${taken}; choose another`);
    }
    return name;
  },
  points: ({ points }, option) => checkedWhole(option, points, allowedPoints),
  revocable: ({ revocable }, option) => {
    if (typeof revocable === 'boolean') return revocable;
    throw optionError(option, revocable, 'use true or false');
  },
  days: ({ days = 1 }, option) => checkedWhole(option, days, [1, 31]),
  ownSubject: ({ ownSubject = 'count' }, option) => checkedWord(option, ownSubject, ['ignore', 'count']),
  grants: ({ grants = [] }, option) => {
    if (checkedList(option, grants).length > 1) throw optionError(option, grants, 'give an owner one grant');
    return Object.freeze(grants.map((grant, index) => checkedGrant(grant, `${option}[${index}]`)));
  },
  code: (
    {
      action,
      code = String(action)
        .replace(/[^a-z0-9]/g, '')
        .slice(0, 8),
    },
    option,
  ) => {
    // In ledgers these are no rules' codes.
    if (isAdjustmentField(`${code}:`) || ownerFieldPrefix === `${code}:`) {
      throw optionError(option, code, 'it is reserved for ledgers; choose another');
    }
    return checkedText(option, code, /^[a-z0-9]{1,8}$/, 'use 1 to 8 of a-z and 0-9');
  },
};

function checkedGrant(grant: RuleGrant, option: string): RuleGrant {
  checkedKeys(option, grant, ['to', 'points']);
  return Object.freeze({
    to: checkedWord(`${option}.to`, grant.to, ['owner']),
    points: checkedWhole(`${option}.points`, grant.points, allowedGrantPoints),
  });
}
const partNames = Object.keys(parts) as (keyof ResolvedRule)[];

/** @throws ActivityError `invalidOption` */
export function resolveRules(rules: readonly Rule[]): readonly ResolvedRule[] {
  if (rules.length === 0 || rules.length > 100)
    throw optionFault('rules', `has ${rules.length} items`, 'configure 1 to 100');
  const resolved = rules.map((rule, index) => resolveOne(rule, `rules[${index}]`));
  checkedUnique(
    'rules[].action',
    resolved.map(({ action }) => action),
    'give an action one rule',
  );
  checkedUnique(
    'rules[].code',
    resolved.map(({ code }) => code),
    'give one of the two a code of its own',
  );
  return Object.freeze(resolved);
}

/** Every fault of rules that come from JSON: of each rule by itself, and, where there are none, of all together. */
export function ruleFaults(value: unknown): readonly Fault[] {
  if (!Array.isArray(value)) return faultsIn(() => checkedList('rules', value as never));
  const faults = value.flatMap((rule: unknown, index) => faultsOf(rule, `rules[${index}]`));
  return faults.length > 0 ? faults : faultsIn(() => resolveRules(value as readonly Rule[]));
}

function faultsOf(rule: unknown, option: string): readonly Fault[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    return optionError(option, rule, 'use { "action": …, "points": …, "revocable": … }').faults;
  }
  const unknown = Object.keys(rule).filter((name) => !partNames.includes(name as keyof ResolvedRule));
  return [
    ...unknown.flatMap(
      (name) => optionFault(`${option}.${name}`, 'is unknown', `a rule has ${partNames.join(', ')}`).faults,
    ),
    ...partNames.flatMap((name) => faultsIn(() => parts[name](rule, `${option}.${name}`))),
  ];
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
    grants: part('grants'),
    code: part('code'),
  });
}
