import {
  type Ledgers,
  type RedisConnection,
  type ResolvedRule,
  type RulesInForce,
  ruleVersions,
} from '@laurel/activity/internals';

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
