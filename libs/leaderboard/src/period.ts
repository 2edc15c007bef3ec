import { Temporal } from 'temporal-polyfill';
import { LeaderboardError } from './errors';

/** The kinds of period a board can have. Weeks are ISO 8601 weeks: Monday to Sunday, numbered by their Thursday. */
export type PeriodKind = 'day' | 'week' | 'month' | 'year' | 'all';

/** All kinds, shortest first. */
export const periodKinds: readonly PeriodKind[] = ['day', 'week', 'month', 'year', 'all'];

const keyPatterns: Record<PeriodKind, RegExp> = {
  day: /^(\d{4})-(\d{2})-(\d{2})$/,
  week: /^(\d{4})-W(\d{2})$/,
  month: /^(\d{4})-(\d{2})$/,
  year: /^(\d{4})$/,
  all: /^all$/,
};

const keyExamples: Record<PeriodKind, string> = {
  day: '2026-11-20',
  week: '2026-W47',
  month: '2026-11',
  year: '2026',
  all: 'all',
};

/**
 * A stretch of time cut at midnights of one IANA time zone: a local day is 23, 24 or 25 hours long, whatever the zone
 * did in it. Zone arithmetic is Temporal's. Immutable.
 */
export class Period {
  private constructor(
    readonly kind: PeriodKind,
    /** `2026-11-20`, `2026-W47`, `2026-11`, `2026` or `all`; keys of one kind sort as their periods do. */
    readonly key: string,
    /** First moment. */
    readonly start: Date,
    /** First moment after it; null for `all`, which never ends. */
    readonly end: Date | null,
    readonly timezone: string,
  ) {}

  /**
   * The period of `kind` that holds `date` in `timezone`.
   * @throws LeaderboardError `invalidArgument` for an unknown kind or zone, an invalid date, or one outside the years 0 to 9999.
   */
  static of(kind: PeriodKind, date: Date, timezone: string): Period {
    checkedKind(kind);
    const zone = checkedTimezone(timezone);
    if (Number.isNaN(date.getTime()))
      throw new LeaderboardError('invalidArgument', 'The date of a period is not a valid Date.');
    const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone).toPlainDate();
    return Period.from(kind, firstDayOf(kind, local), zone);
  }

  /**
   * The period that `key` names.
   * @throws LeaderboardError `invalidArgument` where `key` names no period of that kind (`2026-13`, `2025-W53`, a day
   * that the zone skipped), and for an unknown kind or zone.
   */
  static parse(kind: PeriodKind, key: string, timezone: string): Period {
    const zone = checkedTimezone(timezone);
    const match = keyPatterns[checkedKind(kind)].exec(key);
    const firstDay = match && dayNamed(kind, match.slice(1).map(Number));
    const period = firstDay && Period.from(kind, firstDay, zone);
    if (period?.key !== key || period.start.getTime() === period.end?.getTime()) {
      throw new LeaderboardError(
        'invalidArgument',
        `"${key.slice(0, 40)}" names no ${kind} in ${zone}: a ${kind} is written like "${keyExamples[kind]}".`,
      );
    }
    return period;
  }

  /** The period before; null for `all`. A day that the zone skipped is passed over. */
  previous(): Period | null {
    if (this.kind === 'all') return null;
    return Period.of(this.kind, new Date(this.start.getTime() - 1), this.timezone);
  }

  /** The period after; null for `all`. */
  next(): Period | null {
    return this.end && Period.of(this.kind, this.end, this.timezone);
  }

  /** Whether `atMs` lies in it: start included, end not. */
  holds(atMs: number): boolean {
    return atMs >= this.start.getTime() && (this.end === null || atMs < this.end.getTime());
  }

  private static from(kind: PeriodKind, firstDay: Temporal.PlainDate, zone: string): Period {
    if (kind === 'all') return new Period(kind, 'all', new Date(0), null, zone);
    const nextFirstDay = firstDay.add(lengths[kind]);
    if (firstDay.year < 0 || nextFirstDay.year > 9999) {
      throw new LeaderboardError('invalidArgument', 'A period lies in the years 0000 to 9999.');
    }
    return new Period(kind, keyOf(kind, firstDay), startOf(firstDay, zone), startOf(nextFirstDay, zone), zone);
  }
}

const lengths = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 }, year: { years: 1 } } as const;

function startOf(day: Temporal.PlainDate, zone: string): Date {
  return new Date(day.toZonedDateTime(zone).epochMilliseconds);
}

function firstDayOf(kind: PeriodKind, day: Temporal.PlainDate): Temporal.PlainDate {
  switch (kind) {
    case 'day':
      return day;
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 });
    case 'month':
      return day.with({ day: 1 });
    case 'year':
      return day.with({ month: 1, day: 1 });
    case 'all':
      return Temporal.PlainDate.from('1970-01-01');
  }
}

function keyOf(kind: Exclude<PeriodKind, 'all'>, firstDay: Temporal.PlainDate): string {
  const day = firstDay.toString();
  switch (kind) {
    case 'day':
      return day;
    case 'week':
      return `${String(firstDay.yearOfWeek).padStart(4, '0')}-W${String(firstDay.weekOfYear).padStart(2, '0')}`;
    case 'month':
      return day.slice(0, 7);
    case 'year':
      return day.slice(0, 4);
  }
}

function dayNamed(kind: PeriodKind, [year = 0, second = 1, third = 1]: readonly number[]): Temporal.PlainDate | null {
  try {
    if (kind === 'all') return Temporal.PlainDate.from('1970-01-01');
    if (kind === 'week') {
      // 4 January is always in week 1.
      return firstDayOf('week', Temporal.PlainDate.from({ year, month: 1, day: 4 })).add({ weeks: second - 1 });
    }
    return Temporal.PlainDate.from({ year, month: second, day: third }, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function checkedKind(kind: PeriodKind): PeriodKind {
  if (periodKinds.includes(kind)) return kind;
  throw new LeaderboardError(
    'invalidArgument',
    `Unknown kind of period "${String(kind)}": use one of ${periodKinds.join(', ')}.`,
  );
}

const knownTimezones = new Map<string, string>();

/**
 * `timezone` as its canonical spelling.
 * @throws LeaderboardError `invalidArgument` where it is no IANA zone known to this Node.
 */
export function checkedTimezone(timezone: string): string {
  let zone = knownTimezones.get(timezone);
  if (zone === undefined) {
    try {
      if (!/^[A-Za-z]/.test(timezone)) throw new RangeError('an offset is no zone');
      zone = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone).timeZoneId;
    } catch {
      throw new LeaderboardError(
        'invalidArgument',
        `Unknown time zone "${timezone}": use an IANA name such as "UTC" or "Asia/Shanghai".`,
      );
    }
    knownTimezones.set(timezone, zone);
  }
  return zone;
}
