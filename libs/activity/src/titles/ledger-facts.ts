import { isAdjustmentField, type LedgerDay, type LedgerField } from '@laurel/leaderboard';
import { ownerFieldPrefix } from '../owners/owner-field';
import type { TitleCounts } from './title-facts';

type Counts = Record<string, number>;

/** How often each action stands in the ledgers. @param actionOf the action of a field, by its rule's code. */
export function countsOf(days: readonly LedgerDay[], actionOf: (field: string) => string): TitleCounts {
  const standing = days.flatMap(({ fields }) => fields).filter(({ version }) => version !== null);
  const given = standing.filter(({ field }) => isOwnDoing(field));
  return { given: counted(given, ({ field }) => actionOf(field)), received: receivedCounts(standing, actionOf) };
}

/** How often each action was done to what is the user's, of the fields that stand in his ledgers. */
export function receivedCounts(standing: readonly LedgerField[], actionOf: (field: string) => string): Counts {
  const received = standing.filter(({ field }) => field.startsWith(ownerFieldPrefix));
  return counted(received, ({ field }) => actionOf(field.slice(ownerFieldPrefix.length)));
}

/** How many of the fields that stand, of what the user did himself, were granted in each hour of the day. */
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

/** Whether a field is of what the user did himself: no grant to an owner, and no adjustment. */
function isOwnDoing(field: string): boolean {
  return !field.startsWith(ownerFieldPrefix) && !isAdjustmentField(field);
}

function counted(fields: readonly LedgerField[], actionOf: (field: LedgerField) => string): Counts {
  // Codes of rules that have gone stand for themselves: none may meet what objects inherit.
  const counts = Object.create(null) as Counts;
  for (const field of fields) {
    const action = actionOf(field);
    counts[action] = (counts[action] ?? 0) + 1;
  }
  return counts;
}
