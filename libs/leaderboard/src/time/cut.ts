import { Temporal } from 'temporal-polyfill';
import type { PeriodKind } from './period-spec';

type PlainDate = Temporal.PlainDate;

/** A day, or a time of one. */
export type Local = PlainDate | Temporal.PlainDateTime;

/** A run of calendar days, or an hour. */
export interface Span<T extends Local = PlainDate> {
  readonly key: string;
  readonly first: T;
  /** What comes first after the span, which the next one holds; null if the span never ends. */
  readonly next: T | null;
}

/** One way to cut the calendar into spans, of days in all cuts but one. A cut knows no time zone. */
export interface Cut<T extends Local = PlainDate> {
  readonly kind: PeriodKind;
  /** Equal cuts have equal ids. */
  readonly id: string;
  /** A key, to show how keys are written. */
  readonly example: string;
  /** The first day that a span holds; null if no day is too early. */
  readonly firstDay: PlainDate | null;
  /** The last day that a span holds; null if no day is too late. */
  readonly lastDay: PlainDate | null;
  /** The span that holds `day`, a day from `firstDay` to `lastDay`. */
  spanOf(day: T): Span<T>;
  /** A day of the span that `key` names; any day or null if `key` names none. */
  dayOf(key: string): T | null;
  /** Earlier cuts whose keys are still understood. */
  readonly earlier?: readonly Cut<T>[];
  /** The day whose span comes before `span`. */
  dayBefore(span: Span<T>): T | null;
}

/** The common part of cuts that tile the calendar. */
export const tiling: Pick<Cut, 'firstDay' | 'lastDay' | 'dayBefore'> = {
  firstDay: null,
  lastDay: null,
  dayBefore: ({ first }) => first.subtract({ days: 1 }),
};

/** False where either is missing. */
export function isBefore(day: Local | null, other: Local | null): boolean {
  return day !== null && other !== null && Temporal.PlainDate.compare(day, other) < 0;
}

/** The day written as `2026-11-20`; null if the text is no day. */
export function plainDate(text: string): PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return null;
  }
}
