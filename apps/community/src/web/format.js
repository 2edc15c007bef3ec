const locale = 'en-GB';
const number = new Intl.NumberFormat(locale);
const timeOfDay = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `1,234` */
export function formatNumber(value) {
  return number.format(value);
}

/** `1 point`, `2 points` */
export function unitOf(score) {
  return score === 1 ? 'point' : 'points';
}

/** A moment as the reader's own clock shows it: the time today, else with its day. */
export function formatMoment(iso, now) {
  const moment = new Date(iso);
  return now.toDateString() === moment.toDateString() ? timeOfDay.format(moment) : dayAndTime.format(moment);
}

/** The time of day, to the second. */
export function formatTime(moment) {
  return timeOfDay.format(moment);
}

/** A period's name. Its key already is in the community's own time zone, so nothing is converted. */
export function periodName(key) {
  if (/^\d{4}-\d{2}-\d{2}$/.test(key)) return longDay.format(new Date(`${key}T00:00:00Z`));
  const week = /^(\d{4})-W(\d{2})$/.exec(key);
  if (week) return `Week ${Number(week[2])} of ${week[1]}`;
  if (/^\d{4}-\d{2}$/.test(key)) return month.format(new Date(`${key}-01T00:00:00Z`));
  return key === 'all' ? 'All time' : key;
}

/** How long until a period ends: `ends in 3 h 12 min`; nothing for one without an end. */
export function remaining(end, now) {
  if (end === null) return '';
  const minutes = Math.ceil((new Date(end).getTime() - now.getTime()) / 60_000);
  if (minutes <= 0) return 'has ended';
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `ends in ${days} d ${hours} h`;
  return hours > 0 ? `ends in ${hours} h ${minutes % 60} min` : `ends in ${minutes} min`;
}

/** What a period's state means to a reader. */
export function stateName(state) {
  return { open: 'Open', closing: 'Closing', settled: 'Final' }[state] ?? state;
}
