import type { CountedWeeks } from '../../time/period-spec';

/** Weeks counted from a day, on a board whose weeks were counted otherwise before: those are still understood. */
export function movedWeeks(countedFrom: string, before: CountedWeeks): CountedWeeks {
  const days = new Set([before.countedFrom, ...(before.earlier ?? [])]);
  days.delete(countedFrom);
  return { kind: 'week', countedFrom, ...(days.size > 0 && { earlier: [...days] }) };
}
