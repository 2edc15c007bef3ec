import type { LedgerDay } from '@laurel/leaderboard';
import { isAdjustmentField } from '@laurel/leaderboard/internals';
import { ownerFieldPrefix } from '../core/rules/ledger-field';
import { receivedIn } from '../core/recording/received-counts';
import type { RuleBook } from '../core/rules/rule-book';
import type { TitleCounts } from './title-facts';

/** How often each action stands in the ledgers. */
export function countsOf(
  days: readonly LedgerDay[],
  rules: Pick<RuleBook, 'actionOfCode' | 'actionOfField'>,
): TitleCounts {
  // Codes of rules that have gone stand for themselves: none may meet what objects inherit.
  const given = Object.create(null) as Record<string, number>;
  for (const { fields } of days) {
    for (const { field, version } of fields) {
      if (version === null || !isOwnDoing(field)) continue;
      const action = rules.actionOfField(field);
      given[action] = (given[action] ?? 0) + 1;
    }
  }
  return { given, received: receivedIn(days, rules) };
}

/** How many of the user's own standing actions were granted in each hour of the day. */
export function hoursOf(days: readonly LedgerDay[], hourAt: (ms: number) => number): number[] {
  const hours = new Array<number>(24).fill(0);
  for (const { fields } of days) {
    for (const { field, version, grantedAtMs } of fields) {
      if (version === null || grantedAtMs === null || !isOwnDoing(field)) continue;
      const hour = hourAt(grantedAtMs);
      hours[hour] = (hours[hour] ?? 0) + 1;
    }
  }
  return hours;
}

/** Whether a field is the user's own action: no grant to an owner, and no adjustment. */
function isOwnDoing(field: string): boolean {
  return !field.startsWith(ownerFieldPrefix) && !isAdjustmentField(field);
}
