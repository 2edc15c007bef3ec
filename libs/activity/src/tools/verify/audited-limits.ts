import type { AuditedCount, AuditedLimit } from '@laurel/leaderboard/internals';
import { ledgerFieldPrefix } from '../../rules/ledger-field';
import type { RuleBook } from '../../rules/rule-book';
import { countOf } from '../../rules/transition-limit';
import type { CodedAction } from '../../rules/board-counts';

/** The counts of the daily limits in force. */
export function auditedCounts({ limits }: Pick<RuleBook, 'limits'>): AuditedCount[] {
  return limits.flatMap(({ onTransition: one }) => {
    const count = countOf(one);
    return count ? { limit: one.name, count } : [];
  });
}

/**
 * The sliding limits in force, with the fields that are in their windows.
 * @param actions of every rule, earlier ones too.
 */
export function auditedLimits({ limits }: Pick<RuleBook, 'limits'>, actions: readonly CodedAction[]): AuditedLimit[] {
  return limits.flatMap(({ limit, onTransition: one }) => {
    if (one.type !== 'sliding') return [];
    const { name, per, windowMs } = one;
    const counted = actions.filter(({ action }) => limit.action === null || action === limit.action);
    return { name, per, windowMs, fieldPrefixes: counted.map(({ code }) => ledgerFieldPrefix(code)) };
  });
}
