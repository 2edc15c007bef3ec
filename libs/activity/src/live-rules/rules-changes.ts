import type { Fault } from '../core/errors/errors';
import type { LeaderboardSettings } from '../core/options/settings';
import { grantFaults, type ResolvedRules } from '../core/rules/rules-document';
import type { RuleChange } from './rules.responses';

/** The differences between two sets, rules first. */
export function changesBetween(before: ResolvedRules, after: ResolvedRules): readonly RuleChange[] {
  const rulesOf = ({ rules }: ResolvedRules): Named => new Map(rules.map((rule) => [rule.action, rule]));
  const limitsOf = ({ limits }: ResolvedRules): Named => new Map(limits.map(({ name, config }) => [name, config]));
  return [
    ...differences('rule', rulesOf(before), rulesOf(after)),
    ...differences('limit', limitsOf(before), limitsOf(after)),
  ];
}

/** The faults of rules that leave out an action of a leaderboard, or name one that there is not. */
export function leaderboardFaults(
  { rules }: ResolvedRules,
  leaderboards: readonly Pick<LeaderboardSettings, 'name' | 'actions' | 'points' | 'begun'>[],
): readonly Fault[] {
  const actions = new Set(rules.map(({ action }) => action));
  const missed = leaderboards.flatMap(({ name, actions: counted = [], points, begun }) => {
    if (begun?.endedAtMs) return [];
    const missing = [...new Set([...counted, ...Object.keys(points ?? {})])].filter((action) => !actions.has(action));
    return missing.map((action) => ({
      path: 'rules',
      message: `leave out "${action}": the leaderboard "${name}" counts it; keep a rule for it.`,
    }));
  });
  return [...missed, ...grantFaults(rules, leaderboards)];
}

/**
 * The faults of rules by which fields of ledgers that are kept would not be found: they change the code of an action,
 * or use another's, or count by ids what counted by subjects, or the reverse. What is in force already is accepted.
 * @param earlier rules that ledgers which are still kept were written by.
 */
export function fieldFaults(
  { rules: inForce }: Pick<ResolvedRules, 'rules'>,
  after: Pick<ResolvedRules, 'rules'>,
  earlier: readonly ResolvedRules['rules'][] = [],
): readonly Fault[] {
  const known = [inForce, ...earlier].flat();
  return after.rules.flatMap(({ action, code, once }, index) => {
    const isKnown = (rules: ResolvedRules['rules'], byId: boolean) =>
      rules.some((rule) => rule.action === action && (rule.once === 'each') === byId);
    const isById = once === 'each';
    if (!isKnown(inForce, isById) && isKnown(known, !isById)) {
      const [is, by] = isById ? ['"each"', 'subject'] : ['not "each"', 'id'];
      const message = `is ${is}: ledgers have "${action}" by its ${by}; keep that, or count a new action so.`;
      return [{ path: `rules[${index}].once`, message }];
    }
    if (inForce.some((rule) => rule.action === action && rule.code === code)) return [];
    const path = `rules[${index}].code`;
    const called = known.find((rule) => rule.action === action && rule.code !== code);
    if (called) return [{ path, message: `is "${code}": ledgers call "${action}" by "${called.code}"; keep it.` }];
    const owner = known.find((rule) => rule.code === code && rule.action !== action);
    return owner ? [{ path, message: `is "${code}": ledgers call "${owner.action}" so; use another.` }] : [];
  });
}

type Named = ReadonlyMap<string, object>;

function differences(kind: RuleChange['kind'], before: Named, after: Named): readonly RuleChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ kind, name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((change) => canonical(change.before) !== canonical(change.after));
}

function canonical(item: object | null): string {
  return JSON.stringify(Object.entries(item ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
