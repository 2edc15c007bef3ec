const dayMs = 86_400_000;
/** A day, a month or a year. */
const dateKey = /^\d{4}(-\d{2}){0,2}$/;
const weekKey = /^(\d{4})-W(\d{2})$/;
const quarterKey = /^(\d{4})-Q([1-4])$/;

// Not Date.UTC, for which the years before 100 are those of the last century.
const midnight = (day: string) => new Date(`${day}T00:00:00Z`);
const shifted = (date: Date, days: number) => new Date(date.getTime() + days * dayMs);

/** The period so many before or after, by key alone; null of a kind that has no neighbours that its key tells. */
export function steppedKey(key: string, by: number): string | null {
  const first = firstDayOf(key);
  if (!first) return null;
  if (weekKey.test(key)) return isoWeekOf(shifted(first, 7 * by));
  const isQuarter = quarterKey.test(key);
  if (key.length === 10) return keyOf(shifted(first, by));
  const date = new Date(first);
  date.setUTCMonth(date.getUTCMonth() + (isQuarter ? 3 : key.length === 4 ? 12 : 1) * by);
  const day = keyOf(date);
  return day && keyOfDay(key, day);
}

/** The key of the period of a day, of the same kind as another key; null where it has none. */
export function keyOfDay(like: string, day: string): string | null {
  if (quarterKey.test(like)) return `${day.slice(0, 5)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
  return weekKey.test(like) ? isoWeekOf(midnight(day)) : day.slice(0, like.length);
}

/** The first or last day of a period, for a calendar; empty where its key tells of none. */
export function dayIn(key: string, which: 'first' | 'last'): string {
  const first = firstDayOf(key);
  const start = (first && keyOf(first)) ?? '';
  if (which === 'first') return start;
  const next = firstDayOf(steppedKey(key, 1) ?? '');
  return next ? (keyOf(shifted(next, -1)) ?? start) : start;
}

/** A date as the key of its day; null of none, and of years that four digits do not hold. */
function keyOf(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const [day = ''] = date.toISOString().split('T');
  return dateKey.test(day) ? day : null;
}

function firstDayOf(key: string): Date | null {
  const [, ofYear, quarter] = quarterKey.exec(key) ?? [];
  if (ofYear !== undefined) return midnight(`${ofYear}-${String(3 * Number(quarter) - 2).padStart(2, '0')}-01`);
  const [, year, week] = weekKey.exec(key) ?? [];
  if (year === undefined && !dateKey.test(key)) return null;
  const first = year === undefined ? midnight(`${key}-01-01`.slice(0, 10)) : mondayOf(year, Number(week));
  return Number.isNaN(first.getTime()) ? null : first;
}

/** The Monday of an ISO week: week 1 is that of January 4. */
function mondayOf(year: string, week: number): Date {
  const fourth = midnight(`${year}-01-04`);
  return shifted(fourth, 7 * (week - 1) - ((fourth.getUTCDay() + 6) % 7));
}

/** The ISO week of a date: it belongs to the year of its Thursday. */
function isoWeekOf(date: Date): string | null {
  const thursday = shifted(date, 3 - ((date.getUTCDay() + 6) % 7));
  const year = keyOf(thursday)?.slice(0, 4);
  if (year === undefined) return null;
  const week = Math.floor((thursday.getTime() - midnight(`${year}-01-01`).getTime()) / (7 * dayMs)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
