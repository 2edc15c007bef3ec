import { ruleVersions } from '../beside/rule-versions';
import type { Ledgers } from '../ledgers/ledgers';
import type { RedisConnection } from '../redis/redis-connection';
import type { ResolvedRule } from '../rules/rule';
import type { RulesInForce } from '../rules/rules-in-force';

/**
 * Every rule that points were granted by, in the order of their first use, then those in force. One round trip.
 * @throws ActivityError `unavailable`
 */
export async function everyRule(
  connection: RedisConnection,
  ledgers: Ledgers,
  inForce: RulesInForce,
): Promise<readonly ResolvedRule[]> {
  const versions = await ruleVersions(connection, ledgers);
  return [...versions.flatMap(({ rules }) => rules), ...inForce.book.rules];
}
