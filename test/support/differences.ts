import {
  LedgerAudit,
  type AuditDifference,
  type AuditOptions,
  type Ledger,
  type RedisClient,
} from '@laurel/leaderboard';

/** What an audit finds: differences, and gaps that it could not look at. */
export async function auditOf(redis: RedisClient, ledger: Ledger, options: Partial<AuditOptions> = {}) {
  const differences: AuditDifference[] = [];
  const onDifference = (one: AuditDifference) => differences.push(one);
  const { gaps } = await new LedgerAudit(redis, ledger, { ...options, onDifference }).run();
  return { differences, gaps };
}

/** The differences alone. */
export async function differencesOf(...asked: Parameters<typeof auditOf>): Promise<AuditDifference[]> {
  return (await auditOf(...asked)).differences;
}

/** Takes a ledger's boards away and makes them anew from what is recorded. */
export async function rebuildBoards(redis: RedisClient, ledger: Ledger): Promise<void> {
  for (const key of await redis.keys(`{${ledger.settings.prefix}:*}:board:*`)) await redis.del(key);
  await differencesOf(redis, ledger, { heals: true });
}
