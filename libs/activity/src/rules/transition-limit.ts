import type { TransitionLimit } from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';
import { unitsOf } from '../points/decimals';
import { ledgerFieldPrefix } from './ledger-field';
import type { ResolvedRule } from './rule';
import type { ResolvedLimit } from './limit';

const windowsPer = { action: 'member', subject: 'field', pair: 'pair' } as const;

/** The engine's form of a limit. What all actions share is what has one of the rules' codes. */
export function transitionLimit(limit: ResolvedLimit, rules: readonly ResolvedRule[], decimals = 0): TransitionLimit {
  const { type, name } = limit;
  if (type === 'own') return { type, name, kind: limit.kind };
  if (type === 'sliding') {
    return { type, name, max: limit.max, windowMs: limit.windowMs, per: windowsPer[limit.per] };
  }
  const counted = rules.filter(({ action }) => limit.action === null || action === limit.action);
  const fieldPrefixes = counted.map(({ code }) => ledgerFieldPrefix(code));
  // An action worth nothing is counted where it stands: nothing of it has points.
  const isOfNothing = limit.of === 'grants' && limit.action !== null && counted.every(({ points }) => points === 0);
  const { period } = limit;
  return {
    type,
    name,
    max: limit.of === 'points' ? unitsOf(limit.max, decimals) : limit.max,
    ...(period && { period }),
    count: { of: isOfNothing ? 'standing' : limit.of, fieldPrefixes },
  };
}

/** What ledgers count for a limit, with the cap of a day that it is; null: nothing. */
export function countOf(limit: TransitionLimit): LedgerCount | null {
  if (limit.type !== 'daily') return null;
  return limit.period ? limit.count : { ...limit.count, max: limit.max };
}

/** What ledgers count for these limits; undefined: nothing. */
export function countsOf(limits: readonly TransitionLimit[]): readonly LedgerCount[] | undefined {
  const counts = limits.flatMap((limit) => countOf(limit) ?? []);
  return counts.length > 0 ? counts : undefined;
}
