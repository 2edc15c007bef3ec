import { Period, type LedgerDay } from '@laurel/leaderboard';
import { adjustmentId } from '@laurel/leaderboard/internals';
import type { HistoryRange } from '../activity/activity';
import { dayIn } from '../activity/checks';
import type { HistoryAdjustment, HistoryDay } from '../activity/history';
import { invalidQuery } from '../errors/errors';
import type { ActivitySettings } from '../options/settings';
import { readOwnerField, receivedIn } from '../rules/ledger-field';
import { pointsIn, pointsOf } from '../points/decimals';
import type { RuleBook } from '../rules/rule-book';

/** The longest history one call gives, in days. */
const maxHistoryDays = 31;

/** The first and the last day of a history. @throws ActivityError `invalidQuery` */
export function historySpan(
  range: HistoryRange,
  { timezone, clock }: Pick<ActivitySettings, 'timezone' | 'clock'>,
): readonly [Period, Period] {
  const to =
    range.to === undefined ? Period.of('day', new Date(clock.now()), timezone) : dayIn('to', range.to, timezone);
  const first = range.from === undefined ? undefined : dayIn('from', range.from, timezone);
  let from = to;
  for (let days = 1; days < maxHistoryDays && from.key !== first?.key; days += 1) from = from.previous() ?? from;
  if (first && from.key !== first.key) {
    throw invalidQuery('from', `must be one of the ${maxHistoryDays} days up to ${to.key}`);
  }
  return [from, to];
}

/** What stands of a user's day; null: nothing. */
export function historyDay(day: LedgerDay, book: RuleBook, withVersions: boolean): HistoryDay | null {
  const { decimals } = book;
  const actions: Record<string, number> = {};
  const versions: Record<number, number> = {};
  const adjustments: HistoryAdjustment[] = [];
  let total = 0;
  for (const { field, points, version, adjustment } of day.fields) {
    if (adjustment) {
      const { note: reason, atMs } = adjustment;
      adjustments.push({ id: adjustmentId(field), points: pointsOf(points, decimals), reason, at: new Date(atMs) });
      total += points;
      continue;
    }
    if (version === null) continue;
    versions[version] = (versions[version] ?? 0) + points;
    total += points;
    if (readOwnerField(field)) continue;
    const action = book.actionOfField(field);
    actions[action] = (actions[action] ?? 0) + 1;
  }
  for (const { version, points } of day.totals ?? []) {
    versions[version] = (versions[version] ?? 0) + points;
    total += points;
  }
  const received = receivedIn([day], book);
  const isReceived = Object.keys(received).length > 0;
  if (Object.keys(actions).length === 0 && !isReceived && adjustments.length === 0) return null;
  adjustments.sort((a, b) => a.at.getTime() - b.at.getTime());
  return {
    date: day.date,
    points: pointsOf(total, decimals),
    actions,
    ...(withVersions && { versions: pointsIn(versions, decimals) }),
    ...(isReceived && { received }),
    ...(adjustments.length > 0 && { adjustments }),
  };
}
