const dayMs = 86_400_000;

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);
const keyOf = (date: Date) => date.toISOString().slice(0, 10);
const shifted = (date: Date, days: number) => new Date(date.getTime() + days * dayMs);

/** The period so many before or after, by key alone; null of a kind that has no neighbours that its key tells. */
export function steppedKey(key: string, by: number): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(key)) return keyOf(shifted(midnight(key), by));
  if (/^\d{4}-W\d{2}$/.test(key)) return isoWeekOf(shifted(firstDayOfWeek(key), 7 * by));
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(key) ?? [];
  if (year !== undefined) return keyOf(new Date(Date.UTC(Number(year), Number(month) - 1 + by, 1))).slice(0, 7);
  return /^\d{4}$/.test(key) ? String(Number(key) + by) : null;
}

/** The key of the period of a day, of the same kind as another key. */
export function keyOfDay(like: string, day: string): string {
  if (/^\d{4}-W\d{2}$/.test(like)) return isoWeekOf(midnight(day));
  return day.slice(0, like.length);
}

/** The first or last day of a period, for a calendar. */
export function dayIn(key: string, which: 'first' | 'last'): string {
  const start = /^\d{4}-W\d{2}$/.test(key) ? keyOf(firstDayOfWeek(key)) : `${key}-01-01`.slice(0, 10);
  if (which === 'first') return start;
  const next = steppedKey(key, 1);
  return next === null ? start : keyOf(shifted(midnight(dayIn(next, 'first')), -1));
}

/** The Monday of an ISO week: week 1 is that of January 4. */
function firstDayOfWeek(key: string): Date {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(key) ?? [];
  const fourth = new Date(Date.UTC(Number(year), 0, 4));
  return shifted(fourth, 7 * (Number(week) - 1) - ((fourth.getUTCDay() + 6) % 7));
}

/** The ISO week of a date: it belongs to the year of its Thursday. */
function isoWeekOf(date: Date): string {
  const thursday = shifted(date, 3 - ((date.getUTCDay() + 6) % 7));
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - newYear) / (7 * dayMs)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
