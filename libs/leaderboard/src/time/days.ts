import { cached } from '../lists/lists';

/** Milliseconds of a day in UTC; days of a time zone may be longer or shorter. */
export const dayMs = 86_400_000;

/** The number of a day's key, `yyyy-mm-dd`: days since 1970. */
export function dayNumber(key: string): number {
  return Date.parse(key) / dayMs;
}

/** The key of a day's number. */
export function dayKey(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}

/** Those that were made, by their numbers: each is asked for very often. */
const compact = new Map<number, string>();

/** A day's key as Redis keys contain it, `yyyymmdd`, by the day's number. */
export function compactDay(number: number): string {
  return cached(compact, number, () => dayKey(number).replaceAll('-', ''));
}
