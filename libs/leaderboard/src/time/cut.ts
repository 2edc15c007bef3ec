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
  /** The first day that a span holds. Default: no day is too early. */
  readonly firstDay?: PlainDate;
  /** The last day that a span holds. Default: no day is too late. */
  readonly lastDay?: PlainDate;
  /** The span that holds `day`, a day from `firstDay` to `lastDay`. */
  spanOf(day: T): Span<T>;
  /** A day of the span that `key` names; any day or null if `key` names none. */
  dayOf(key: string): T | null;
  /** Earlier cuts whose keys are still understood. */
  readonly earlier?: readonly Cut<T>[];
  /** The day whose span comes before `span`. Default: the day before it. */
  dayBefore?(span: Span<T>): T | null;
}

/** False where either is missing. */
export function isBefore(day: Local | undefined, other: Local | undefined): boolean {
  return day !== undefined && other !== undefined && Temporal.PlainDate.compare(day, other) < 0;
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
