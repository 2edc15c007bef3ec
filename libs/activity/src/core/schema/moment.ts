import { value } from './schema';

const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A moment as {@link momentIn} reads it. */
export const momentWords = 'a moment such as 2026-11-20T08:12:01.123Z, with "Z" or an offset';

/** The moment in a text with an offset; NaN of a 30th of February, which `Date` would take for the 2nd of March. */
export function momentIn(text: string): number {
  if (!pattern.test(text)) return NaN;
  const day = Number(text.slice(8, 10));
  // Every month has 28 days: nearly all moments are not made twice.
  return day <= 28 || dayOf(text, day) === day ? Date.parse(text) : NaN;
}

/** The day of the month that `Date` makes of one in the month of a text. */
function dayOf(text: string, day: number): number {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate();
}

/** A moment as text, with an offset. */
export const moment = value(
  (given): given is string => typeof given === 'string' && !Number.isNaN(momentIn(given)),
  momentWords,
);
