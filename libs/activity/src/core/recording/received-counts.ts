import type { LedgerDay } from '@laurel/leaderboard';
import type { RuleBook } from '../rules/rule-book';
import { codeOfOwner, readOwnerField } from '../rules/ledger-field';

/** How often each action was done to what is a user's, as far as it stands: praises received, followers gained. */
export type ReceivedCounts = Readonly<Record<string, number>>;

/** The number of grants to a user as an owner, by action, from days of `Ledger.history`. */
export function receivedIn(days: readonly LedgerDay[], rules: Pick<RuleBook, 'actionOfCode'>): ReceivedCounts {
  // Codes of rules that have gone stand for themselves: none may meet what objects inherit.
  const counts = Object.create(null) as Record<string, number>;
  const add = (code: string, grants: number) => {
    const action = rules.actionOfCode(code);
    counts[action] = (counts[action] ?? 0) + grants;
  };
  for (const { fields, totals = [] } of days) {
    for (const { field, version } of fields) {
      const owned = version === null ? null : readOwnerField(field);
      if (owned) add(owned.code, 1);
    }
    for (const { beginning, grants } of totals) add(codeOfOwner(beginning), grants);
  }
  return counts;
}
