import { Temporal } from 'temporal-polyfill';
import { Period } from '../../time/period';
import type { CountedWeeks } from '../../time/period-spec';

/** Weeks counted from a day, on a board whose weeks were counted otherwise before: those are still understood. */
export function movedWeeks(countedFrom: string, before: CountedWeeks): CountedWeeks {
  const days = new Set([before.countedFrom, ...(before.earlier ?? [])]);
  days.delete(countedFrom);
  return {
    kind: 'week',
    countedFrom,
    ...(before.short !== undefined && { short: before.short }),
    ...(days.size > 0 && { earlier: [...days] }),
  };
}

/**
 * The weeks that an earlier version wrote, whose keys say no day, by the latest of them.
 * @param latest the key and start of the latest known week; none if the board has none.
 */
export function unnamedWeeks(
  { countedFrom }: CountedWeeks,
  [key = '', startMs = '']: readonly string[],
  timezone: string,
): CountedWeeks {
  const [, number] = /^W(\d{4})$/.exec(key) ?? [];
  if (number === undefined) return { kind: 'week', countedFrom, short: countedFrom };
  const first = Temporal.PlainDate.from(Period.of('day', new Date(Number(startMs)), timezone).key);
  const day = first.subtract({ weeks: Number(number) - 1 }).toString();
  return { kind: 'week', countedFrom: day, short: day };
}
