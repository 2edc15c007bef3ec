import { computed } from '@preact/signals';
import { now } from '../browser/clock';
import { locale, messages } from './language';
import { wholePercent } from './whole-percent';

const dayKey = /^\d{4}-\d{2}-\d{2}$/;

const formats = computed(() => {
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale.value, options);
  return {
    number: new Intl.NumberFormat(locale.value),
    signed: new Intl.NumberFormat(locale.value, { signDisplay: 'exceptZero' }),
    percent: new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 0 }),
    time: of({ hour: '2-digit', minute: '2-digit' }),
    exactTime: of({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    dayAndTime: of({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    date: of({ day: 'numeric', month: 'long', year: 'numeric' }),
    longDay: of({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    mediumDay: of({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
    shortDay: of({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    span: of({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    month: of({ month: 'long', year: 'numeric', timeZone: 'UTC' }),
    shortMonth: of({ month: 'short', timeZone: 'UTC' }),
    weekday: of({ weekday: 'short', timeZone: 'UTC' }),
  };
});

/** `1,234` */
export const formatNumber = (value: number) => formats.value.number.format(value);

/** `+2`, `−2`, `0` */
export const formatSigned = (value: number) => formats.value.signed.format(value).replace('-', '−');

/** `87%`, of a percentile between 0 and 100: no more than is true, and neither none nor all. */
export const formatPercentile = (percentile: number) => formats.value.percent.format(wholePercent(percentile) / 100);

/** `14:05`, by the reader's own clock. */
export const formatTime = (moment: Date) => formats.value.time.format(moment);

/** `21 November 2026` */
export const formatDate = (iso: string) => formats.value.date.format(new Date(iso));

/** A moment by the reader's own clock: the time to the second today, else with its day. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  const isToday = now().toDateString() === moment.toDateString();
  return (isToday ? formats.value.exactTime : formats.value.dayAndTime).format(moment);
}

/** `21 Nov` of a day's key: it is in the community's own zone already, so nothing is converted. */
export const formatDayShort = (key: string) => formats.value.shortDay.format(dayOf(key));

/** `Saturday, 21 November 2026` of a day's key. */
export const formatDayLong = (key: string) => formats.value.longDay.format(dayOf(key));

/** `Nov` of a day's key. */
export const formatMonthShort = (key: string) => formats.value.shortMonth.format(dayOf(key));

/** `Mon`: the name of a weekday, 0 being Monday. */
export const formatWeekday = (index: number) => formats.value.weekday.format(new Date(Date.UTC(2024, 0, 1 + index)));

/** A period's name, from its key; a day's in short: `Sat, 21 Nov 2026`. */
export const formatPeriodShort = (key: string) =>
  dayKey.test(key) ? formats.value.mediumDay.format(dayOf(key)) : formatPeriod(key);

/** A period's name, from its key. */
export function formatPeriod(key: string): string {
  if (dayKey.test(key)) return formatDayLong(key);
  const [day = '', hour] = key.split('T');
  if (hour !== undefined) return `${formatPeriodShort(day)}, ${hour}:00`;
  if (/^\d{4}-\d{2}$/.test(key)) return formats.value.month.format(dayOf(`${key}-01`));
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})(?:--|\.\.)(\d{4}-\d{2}-\d{2})$/.exec(key) ?? [];
  if (from !== undefined && to !== undefined) return formats.value.span.formatRange(dayOf(from), dayOf(to));
  const week = /^(\d{4})-[WS](\d{2})$/.exec(key);
  if (week) return messages.value.period.week(Number(week[2]), week[1] ?? '');
  const quarter = /^(\d{4})-Q([1-4])$/.exec(key);
  if (quarter) return messages.value.period.quarter(Number(quarter[2]), quarter[1] ?? '');
  return key === 'all' ? messages.value.period.all : key;
}

/** How long until a period ends: `ends in 3 h 12 min`; empty for one without an end. */
export function formatRemaining(end: string | null): string {
  if (end === null) return '';
  const minutes = Math.ceil((new Date(end).getTime() - now().getTime()) / 60_000);
  const { hasEnded, endsIn } = messages.value.period;
  return minutes <= 0
    ? hasEnded
    : endsIn({ days: Math.floor(minutes / 1_440), hours: Math.floor((minutes % 1_440) / 60), minutes: minutes % 60 });
}

/** `Sat 14:05`: what time it is now in a zone, or by the reader's clock. */
export function formatTimeIn(timeZone: string | undefined): string {
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone } as const;
  return new Intl.DateTimeFormat(locale.value, parts).format(now());
}

/** `Los Angeles` of `America/Los_Angeles`. */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

function dayOf(key: string): Date {
  return new Date(`${key}T00:00:00Z`);
}
