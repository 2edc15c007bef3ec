import type { LimitConfig } from './limit';
import type { ResolvedRule, Rule } from './rule';
import type { ResolvedRules } from './rules-document';

/**
 * The rules and limits as ledgers keep them beside their version: the same ones give the same text, however they were
 * listed. Without limits it is the list of rules alone.
 */
export function rulesText({ rules, limits }: ResolvedRules): string {
  const inOrder = [...rules].sort((a, b) => (a.action < b.action ? -1 : 1));
  const list = inOrder.map(({ action, points, revocable, days, ownSubject, grants, code }) => ({
    action,
    points,
    revocable,
    days,
    ownSubject,
    // Rules that know of none keep their version.
    ...(grants.length > 0 && { grants }),
    code,
  }));
  if (limits.length === 0) return JSON.stringify(list);
  const byName = [...limits].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ config }) => inKeyOrder(config));
  return JSON.stringify({ rules: list, limits: byName });
}

/** Rules and limits, and the version that ledgers remember what was granted by them with. */
export interface RuleVersion {
  /** From 1. The same rules have the same version, wherever and however often they are configured. */
  readonly version: number;
  /** When they were first used. */
  readonly since: Date;
  readonly rules: readonly ResolvedRule[];
  /** As they were configured, with their names. */
  readonly limits: readonly LimitConfig[];
}

/** Rules as texts have them: those without grants say nothing of them. */
type KeptRules = readonly (Omit<ResolvedRule, 'grants'> & Pick<Rule, 'grants'>)[];

/** The rules and limits in a text of {@link rulesText}. */
export function rulesIn(text: string): Pick<RuleVersion, 'rules' | 'limits'> {
  const value = JSON.parse(text) as KeptRules | (Pick<RuleVersion, 'limits'> & { readonly rules: KeptRules });
  const { rules, limits } = 'rules' in value ? value : { rules: value, limits: [] };
  return { rules: rules.map((rule) => ({ ...rule, grants: rule.grants ?? [] })), limits };
}

function inKeyOrder(limit: LimitConfig): object {
  return Object.fromEntries(Object.entries(limit).sort(([a], [b]) => (a < b ? -1 : 1)));
}
