import { Temporal } from 'temporal-polyfill';
import type { Cut } from './cut';

type PlainDate = Temporal.PlainDate;

/** ISO 8601 weeks: Monday to Sunday, of the year that their Thursday lies in. `2026-W47` */
export const isoWeeks = weeksOfYear('W', 1);

/** Sunday to Saturday, of the year that their Wednesday lies in, as the CDC numbers its MMWR weeks. `2026-S47` */
export const sundayWeeks = weeksOfYear('S', 7);

/** Weeks belong to the year of their fourth day, which holds most of their days. So 4 January lies in week 1. */
function weeksOfYear(mark: string, startsOn: number): Cut {
  const firstOf = (day: PlainDate) => day.subtract({ days: (day.dayOfWeek - startsOn + 7) % 7 });
  const pattern = new RegExp(`^(\\d{4})-${mark}(\\d{2})$`);
  return {
    kind: 'week',
    id: `week ${mark}`,
    example: `2026-${mark}47`,
    spanOf: (day) => {
      const first = firstOf(day);
      const middle = first.add({ days: 3 });
      const number = Math.ceil(middle.dayOfYear / 7);
      const key = `${middle.toString().slice(0, 4)}-${mark}${String(number).padStart(2, '0')}`;
      return { key, first, next: first.add({ days: 7 }) };
    },
    dayOf: (key) => {
      const [, year, number] = pattern.exec(key) ?? [];
      if (year === undefined) return null;
      return Temporal.PlainDate.from(`${year}-01-04`).add({ weeks: Number(number) - 1 });
    },
  };
}

/** Week numbers of four digits sort for 191 years. */
const lastCounted = 9_999;

/** Weeks counted from `base`, the first day of week 1, on. `2026-09-07-W0117` */
export function countedWeeks(base: PlainDate): Cut {
  const stem = `${base.toString()}-W`;
  const spanOf = (day: PlainDate) => {
    const number = Math.floor(base.until(day).days / 7) + 1;
    const first = base.add({ weeks: number - 1 });
    return { key: `${stem}${String(number).padStart(4, '0')}`, first, next: first.add({ days: 7 }) };
  };
  return {
    kind: 'week',
    id: `week ${stem}`,
    example: `${stem}0117`,
    firstDay: base,
    lastDay: base.add({ weeks: lastCounted }).subtract({ days: 1 }),
    spanOf,
    dayOf: (key) => {
      const [, number] = (key.startsWith(stem) && /^(\d{4})$/.exec(key.slice(stem.length))) || [];
      return number === undefined || Number(number) === 0 ? null : base.add({ weeks: Number(number) - 1 });
    },
  };
}
