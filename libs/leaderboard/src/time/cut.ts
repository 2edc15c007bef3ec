import { Temporal } from 'temporal-polyfill';
import type { PeriodKind } from './period-spec';

type PlainDate = Temporal.PlainDate;

/** A run of calendar days. */
export interface Span {
  readonly key: string;
  readonly first: PlainDate;
  /** The first day after it; null where it never ends. */
  readonly next: PlainDate | null;
}

/** One way to cut the calendar. It knows days alone, no zone. */
export interface Cut {
  readonly kind: PeriodKind;
  /** Cuts of one id are alike. */
  readonly id: string;
  /** A key, to show how keys are written. */
  readonly example: string;
  /** The first day that any of its spans holds; null: none is too early. */
  readonly firstDay: PlainDate | null;
  /** The last such day; null: none is too late. */
  readonly lastDay: PlainDate | null;
  /** The span that holds `day`, which lies between the two. */
  spanOf(day: PlainDate): Span;
  /** A day by which `key` may be found: that of a span whose key it is, if any is. */
  dayOf(key: string): PlainDate | null;
  /** Cuts of before, whose keys are understood too. */
  readonly earlier?: readonly Cut[];
  /** The day whose span comes after `span`, and the day whose span comes before it. */
  dayAfter(span: Span): PlainDate | null;
  dayBefore(span: Span): PlainDate | null;
}

/** What cuts that tile the calendar have in common. */
export const tiling: Pick<Cut, 'firstDay' | 'lastDay' | 'dayAfter' | 'dayBefore'> = {
  firstDay: null,
  lastDay: null,
  dayAfter: ({ next }) => next,
  dayBefore: ({ first }) => first.subtract({ days: 1 }),
};

/** The day written as `2026-11-20`; null where the text is no day. */
export function plainDate(text: string): PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return null;
  }
}
