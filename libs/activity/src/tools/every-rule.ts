import type { Histories } from '../recording/histories';
import type { ResolvedRule } from '../rules/rule';
import type { RulesInForce } from '../rules/rules-in-force';

/**
 * Every rule that points were granted by, in the order of their first use, then those in force. One round trip.
 * @throws ActivityError `unavailable`
 */
export async function everyRule(histories: Histories, inForce: RulesInForce): Promise<readonly ResolvedRule[]> {
  const versions = await histories.ruleVersions();
  return [...versions.flatMap(({ rules }) => rules), ...inForce.book.rules];
}
