import type { Ledgers } from '../core/ledgers/ledgers';
import type { RedisConnection } from '../core/redis/redis-connection';
import type { LimitConfig } from '../core/rules/limit';
import type { ResolvedRule, Rule } from '../core/rules/rule';

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

/** Rules as texts have them: those without grants or spans say nothing of them. */
type StoredRules = readonly (Omit<ResolvedRule, 'grants' | 'during'> & Pick<Rule, 'grants' | 'during'>)[];

/** The rules and limits in a text of `feedTerms`. */
export function rulesIn(text: string): Pick<RuleVersion, 'rules' | 'limits'> {
  const value = JSON.parse(text) as StoredRules | (Pick<RuleVersion, 'limits'> & { readonly rules: StoredRules });
  const { rules, limits } = 'rules' in value ? value : { rules: value, limits: [] };
  return { rules: rules.map((rule) => ({ ...rule, grants: rule.grants ?? [], during: rule.during ?? [] })), limits };
}

/**
 * The rules that points were ever granted by, the first first, with the day of their first use. One round trip.
 * @throws ActivityError `unavailable`
 */
export async function ruleVersions(connection: RedisConnection, ledgers: Ledgers): Promise<RuleVersion[]> {
  const terms = await connection.read(() => ledgers.main.terms.all());
  return terms.map(({ version, since, text }) => ({ version, since, ...rulesIn(text) }));
}
