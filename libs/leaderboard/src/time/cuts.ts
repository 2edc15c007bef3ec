import { Temporal } from 'temporal-polyfill';
import { invalidArgument } from '../errors/errors';
import { cachedWith } from '../lists/lists';
import { isBefore, plainDate, type Cut, type Local, type Span } from './cut';
import {
  isCounted,
  periodKinds,
  type CalendarKind,
  type CountedWeeks,
  type PeriodSpec,
  type Seasons,
} from './period-spec';
import { countedWeeks, isoWeeks, sundayWeeks } from './weeks';

const epoch = Temporal.PlainDate.from('1970-01-01');

/** By what a clock of the zone shows: an hour that the zone repeats is one that lasts longer. */
const hours: Cut<Temporal.PlainDateTime> = {
  kind: 'hour',
  id: 'hour',
  example: '2026-11-20T14',
  spanOf: (at) => {
    const first = at.round({ smallestUnit: 'hour', roundingMode: 'floor' });
    return { key: first.toString().slice(0, 13), first, next: first.add({ hours: 1 }) };
  },
  dayOf: (key) => {
    const [, day = '', hour] = /^(.{10})T([01]\d|2[0-3])$/.exec(key) ?? [];
    return plainDate(day)?.toPlainDateTime({ hour: Number(hour) }) ?? null;
  },
  dayBefore: ({ first }) => first.subtract({ hours: 1 }),
};

const calendar: Record<Exclude<CalendarKind, 'hour'>, Cut> = {
  day: {
    kind: 'day',
    id: 'day',
    example: '2026-11-20',
    spanOf: (day) => ({ key: day.toString(), first: day, next: day.add({ days: 1 }) }),
    dayOf: plainDate,
  },
  week: isoWeeks,
  month: {
    kind: 'month',
    id: 'month',
    example: '2026-11',
    spanOf: (day) => {
      const first = day.with({ day: 1 });
      return { key: first.toString().slice(0, 7), first, next: first.add({ months: 1 }) };
    },
    dayOf: (key) => plainDate(`${key}-01`),
  },
  quarter: {
    kind: 'quarter',
    id: 'quarter',
    example: '2026-Q4',
    spanOf: (day) => {
      const number = Math.ceil(day.month / 3);
      const first = day.with({ month: 3 * number - 2, day: 1 });
      return { key: `${first.toString().slice(0, 4)}-Q${number}`, first, next: first.add({ months: 3 }) };
    },
    dayOf: (key) =>
      plainDate(key.replace(/-Q([1-4])$/, (_, number) => `-${String(3 * Number(number) - 2).padStart(2, '0')}-01`)),
  },
  year: {
    kind: 'year',
    id: 'year',
    example: '2026',
    spanOf: (day) => {
      const first = day.with({ month: 1, day: 1 });
      return { key: first.toString().slice(0, 4), first, next: first.add({ years: 1 }) };
    },
    dayOf: (key) => plainDate(`${key}-01-01`),
  },
  all: {
    kind: 'all',
    id: 'all',
    example: 'all',
    spanOf: () => ({ key: 'all', first: epoch, next: null }),
    dayOf: (key) => (key === 'all' ? epoch : null),
    dayBefore: () => null,
  },
};

/** The most days a rolling window may have. */
export const maxRollingDays = 366;

const known = new WeakMap<object, Cut>();

/** @throws LeaderboardError `invalidArgument` if `spec` is invalid, naming what is wrong and what is allowed. */
export function cutOf(spec: PeriodSpec): Cut<Local> {
  if (typeof spec === 'string') {
    if (spec === 'hour') return hours;
    if (periodKinds.includes(spec)) return calendar[spec];
    throw invalidArgument(`Unknown kind of period "${String(spec)}": use one of ${periodKinds.join(', ')}.`);
  }
  return cachedWith(known, spec, () => newCut(spec));
}

function newCut(spec: Exclude<PeriodSpec, string>): Cut {
  switch (spec.kind) {
    case 'contest':
      return contest(spec.from, spec.to);
    case 'season':
      return seasons(spec);
    case 'rolling':
      return rolling(spec.days);
    case 'week':
      return isCounted(spec) ? counted(spec) : sundayWeeks;
  }
}

function counted({ countedFrom, earlier = [] }: CountedWeeks): Cut {
  const weeksFrom = (day: string): Cut => countedWeeks(checkedDay('countedFrom', day));
  return { ...weeksFrom(countedFrom), earlier: earlier.map(weeksFrom) };
}

/** One period and no other. */
function contest(from: string, to: string): Cut {
  const [first, last] = [checkedDay('from', from), checkedDay('to', to)];
  if (isBefore(last, first)) throw invalidArgument(`A contest from ${from} to ${to} ends before it begins.`);
  return { ...cutAt(first, [last.add({ days: 1 })]), kind: 'contest', id: `contest ${from}--${to}` };
}

function seasons({ starts }: Seasons): Cut {
  const [first, ...later] = starts.map((day) => checkedDay('starts', day));
  if (first && later.length > 0 && starts.every((day, n) => n === 0 || String(starts[n - 1]) < day))
    return cutAt(first, later);
  throw invalidArgument(`Seasons start on ${starts.join(', ')}: name at least two days, each after the one before.`);
}

/** Periods from `first` to the day before the first of `nexts`, from that to the day before the second, and so on. */
function cutAt(first: Temporal.PlainDate, nexts: readonly Temporal.PlainDate[]): Cut {
  let end = first;
  const spans = nexts.map((next): Span => {
    const span = { key: `${end.toString()}--${next.subtract({ days: 1 }).toString()}`, first: end, next };
    end = next;
    return span;
  });
  const spanOf = (day: Temporal.PlainDate) => spans.findLast((span) => !isBefore(day, span.first)) as Span;
  return {
    kind: 'season',
    id: 'season',
    example: spanOf(first).key,
    firstDay: first,
    lastDay: end.subtract({ days: 1 }),
    spanOf,
    dayOf: (key) => spans.find((span) => span.key === key)?.first ?? null,
  };
}

/** For each day, the days up to it: each window shares all days but one with the next. */
function rolling(days: number): Cut {
  if (!Number.isInteger(days) || days < 1 || days > maxRollingDays) {
    throw invalidArgument(`A rolling window of ${String(days)} days: use a whole number from 1 to ${maxRollingDays}.`);
  }
  return {
    ...calendar.day,
    kind: 'rolling',
    id: `rolling ${days}`,
    spanOf: (day) => ({ key: day.toString(), first: day.subtract({ days: days - 1 }), next: day.add({ days: 1 }) }),
    dayBefore: ({ first }) => first.add({ days: days - 2 }),
  };
}

function checkedDay(name: string, text: string): Temporal.PlainDate {
  const day = plainDate(text);
  if (day) return day;
  throw invalidArgument(`${name} is ${JSON.stringify(text)}: use a day such as "2026-11-20".`);
}
