/** Kinds that need nothing but a time zone. */
export type CalendarKind = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'all';

/** What a period can be: of the calendar, between days that the app names, or the days up to one of them. */
export type PeriodKind = CalendarKind | 'contest' | 'season' | 'rolling';

/** The kinds of the calendar, shortest first. */
export const periodKinds: readonly CalendarKind[] = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'all'];

/**
 * How a time line is cut into periods: a kind of the calendar, whose weeks are ISO 8601 weeks, or
 * - weeks that begin on Sundays, numbered by their Wednesday as the CDC's epidemiological (MMWR) weeks are: `2026-S47`;
 * - weeks counted from a day, which is the first of week 1: `2026-09-07-W0117`. No week lies before that day. `earlier`
 *   are days from which the same board's weeks were counted before: their keys are still understood;
 * - one contest, first and last day included: `2026-11-01--2026-11-30`;
 * - seasons: each from one of the days `starts` to the day before the next, `2026-09-07--2027-01-17`. The last day ends
 *   the last season and begins none. Days may be added behind it later;
 * - a rolling window: the `days` days up to each day, named by that day's key. Windows overlap; all other periods tile
 *   the time line.
 *
 * Days are local dates, `2026-11-20`.
 */
export type PeriodSpec =
  | CalendarKind
  | { readonly kind: 'week'; readonly startsOn: 'sunday' }
  | CountedWeeks
  | { readonly kind: 'contest'; readonly from: string; readonly to: string }
  | Seasons
  | { readonly kind: 'rolling'; readonly days: number };

/** Weeks counted from a day. */
export interface CountedWeeks {
  readonly kind: 'week';
  readonly countedFrom: string;
  readonly earlier?: readonly string[];
}

/** Periods that begin on named days. */
export interface Seasons {
  readonly kind: 'season';
  readonly starts: readonly string[];
}

/** Weeks that begin on a day of the week. */
export function weekSpec(startsOn: 'monday' | 'sunday'): PeriodSpec {
  return startsOn === 'monday' ? 'week' : Object.freeze({ kind: 'week', startsOn });
}

/** Whether a cut of time is one of counted weeks. */
export function isCounted(spec: PeriodSpec): spec is CountedWeeks {
  return typeof spec === 'object' && 'countedFrom' in spec;
}

/** Whether a cut of time is one of seasons. */
export function isSeasons(spec: PeriodSpec): spec is Seasons {
  return typeof spec === 'object' && spec.kind === 'season';
}

/** The kind of the periods that `spec` cuts. */
export function kindOf(spec: PeriodSpec): PeriodKind {
  return typeof spec === 'string' ? spec : spec.kind;
}
