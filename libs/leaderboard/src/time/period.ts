import { Temporal } from 'temporal-polyfill';
import { invalidArgument } from '../errors/errors';
import { cached } from '../lists/lists';
import { isBefore, type Cut, type Local, type Span } from './cut';
import { cutOf } from './cuts';
import type { PeriodKind, PeriodSpec } from './period-spec';

/** Where a day lies that no period holds: before the first period, or after the last. */
export type OutsidePeriods = 'notStarted' | 'ended';

/**
 * A stretch of time cut at midnights of one IANA time zone, or at full hours: a local day is 23, 24 or 25 hours long,
 * whatever the zone did in it. Zone arithmetic is Temporal's. Immutable.
 */
export class Period {
  readonly kind: PeriodKind;
  /** `2026-11-20`, `2026-W47`, `2026-11`, … (see {@link PeriodSpec}); keys of one cut sort as their periods do. */
  readonly key: string;
  /** First moment. */
  readonly start: Date;
  /** First moment after it; null for `all`, which never ends. */
  readonly end: Date | null;
  readonly timezone: string;
  readonly #cut: Cut<Local>;
  readonly #span: Span<Local>;

  /** @param startMs the period's first moment, if known. */
  private constructor(cut: Cut<Local>, span: Span<Local>, timezone: string, startMs?: number) {
    if (span.first.year < 0 || (span.next?.year ?? 0) > 9999) {
      throw invalidArgument('A period lies in the years 0000 to 9999.');
    }
    this.kind = cut.kind;
    this.key = span.key;
    this.start = new Date(span.next ? (startMs ?? startOfMs(span.first, timezone)) : 0);
    this.end = span.next && new Date(startOfMs(span.next, timezone));
    this.timezone = timezone;
    this.#cut = cut;
    this.#span = span;
  }

  /**
   * The period of `spec` that holds `date` in `timezone`; of rolling windows, the one that ends with that day.
   * @throws LeaderboardError `invalidArgument` for an unknown kind or zone, an invalid date, one outside the years 0 to
   * 9999, or one that no period holds: see {@link find}.
   */
  static of(spec: PeriodSpec, date: Date, timezone: string): Period {
    const found = Period.find(spec, date, timezone);
    if (found instanceof Period) return found;
    const outside = found === 'ended' ? 'after the last' : 'before the first';
    throw invalidArgument(`${date.toISOString()} lies ${outside} ${cutOf(spec).kind}.`);
  }

  /** As {@link of}; says where `date` lies when it is before the first counted week or outside of the contest. */
  static find(spec: PeriodSpec, date: Date, timezone: string): Period | OutsidePeriods {
    const cut = cutOf(spec);
    const zone = checkedTimezone(timezone);
    const day = localOf(date, cut, zone);
    if (isBefore(day, cut.firstDay)) return 'notStarted';
    if (isBefore(cut.lastDay, day)) return 'ended';
    return new Period(cut, cut.spanOf(day), zone);
  }

  /** As {@link of}; where no period holds `date`, the first or the last one, whichever is nearer. */
  static nearest(spec: PeriodSpec, date: Date, timezone: string): Period {
    const found = Period.find(spec, date, timezone);
    if (found instanceof Period) return found;
    const cut = cutOf(spec);
    const day = found === 'notStarted' ? cut.firstDay : cut.lastDay;
    return new Period(cut, cut.spanOf(day as Local), checkedTimezone(timezone));
  }

  /**
   * The period that `key` names.
   * @throws LeaderboardError `invalidArgument` where `key` names no period of that cut (`2026-13`, `2025-W53`, a day
   * that the zone skipped), and for an unknown kind or zone.
   */
  static parse(spec: PeriodSpec, key: string, timezone: string): Period {
    const zone = checkedTimezone(timezone);
    // The cut that has such keys; the cut in force if none does.
    const cut = cutsOf(spec).find((one) => one.dayOf(key) !== null) ?? cutOf(spec);
    const day = cut.dayOf(key);
    const span = day && cut.spanOf(day);
    const period = span?.key === key ? new Period(cut, span, zone) : null;
    if (period && !period.isSkipped()) return period;
    throw invalidArgument(
      `"${key.slice(0, 40)}" names no ${cut.kind} in ${zone}: a ${cut.kind} is written like "${cut.example}".`,
    );
  }

  /** The period before; null for `all` and for the first there is. A day that the zone skipped is passed over. */
  previous(): Period | null {
    const cut = this.#cut;
    return this.neighbour((span) => (cut.dayBefore ? cut.dayBefore(span) : span.first.subtract({ days: 1 })));
  }

  /** The period after; null for `all` and for the last there is. */
  next(): Period | null {
    return this.neighbour((span) => span.next);
  }

  /** Whether the period holds `atMs`: start included, end not. */
  holds(atMs: number): boolean {
    return atMs >= this.start.getTime() && (this.end === null || atMs < this.end.getTime());
  }

  /** Whether `spec` cuts such periods in `timezone`. */
  isCutBy(spec: PeriodSpec, timezone: string): boolean {
    const isSame = (cut: Cut<Local>) => cut.id === this.#cut.id && cut.dayOf(this.key) !== null;
    return timezone === this.timezone && cutsOf(spec).some(isSame);
  }

  /** The next period in a direction, passing over days and hours that the zone skipped. */
  private neighbour(dayBeside: (span: Span<Local>) => Local | null): Period | null {
    const cut = this.#cut;
    let day = dayBeside(this.#span);
    while (day && !isBefore(day, cut.firstDay) && !isBefore(cut.lastDay, day)) {
      const span = cut.spanOf(day);
      const isAdjacent = String(span.first) === String(this.#span.next);
      const period = new Period(cut, span, this.timezone, isAdjacent ? this.end?.getTime() : undefined);
      if (!period.isSkipped()) return period;
      day = dayBeside(span);
    }
    return null;
  }

  /** Whether the zone skipped the period, or its last day. */
  private isSkipped(): boolean {
    const { next } = this.#span;
    const isWindow = this.kind === 'rolling' && next !== null;
    const lastMs = isWindow ? startOfMs(next.subtract({ days: 1 }), this.timezone) : this.start.getTime();
    return lastMs === this.end?.getTime();
  }
}

/** The cut in force, then the earlier cuts. */
function cutsOf(spec: PeriodSpec): readonly Cut<Local>[] {
  const cut = cutOf(spec);
  return cut.earlier ? [cut, ...cut.earlier] : [cut];
}

function localOf(date: Date, { kind }: Cut<Local>, zone: string): Local {
  if (Number.isNaN(date.getTime())) throw invalidArgument('The date of a period is not a valid Date.');
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone);
  return kind === 'hour' ? local.toPlainDateTime() : local.toPlainDate();
}

function startOfMs(local: Local, zone: string): number {
  const start = local.toZonedDateTime(zone);
  // An hour that begins in a gap of the zone's begins where that ends: at `start`, or before it.
  const isInGap = local instanceof Temporal.PlainDateTime && !start.toPlainDateTime().equals(local);
  const gap = isInGap ? start.add({ milliseconds: 1 }).getTimeZoneTransition('previous') : null;
  return (gap ?? start).epochMilliseconds;
}

const knownTimezones = new Map<string, string>();

/**
 * `timezone` as its canonical spelling.
 * @throws LeaderboardError `invalidArgument` unless this Node knows it as an IANA zone.
 */
export function checkedTimezone(timezone: string): string {
  return cached(knownTimezones, timezone, () => {
    try {
      if (!/^[A-Za-z]/.test(timezone)) throw new RangeError('an offset is no zone');
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone).timeZoneId;
    } catch {
      throw invalidArgument(`Unknown time zone "${timezone}": use an IANA name such as "UTC" or "Asia/Shanghai".`);
    }
  });
}

/** Whether two names are of one zone: some zones have several. */
export function sameTimezone(one: string, other: string): boolean {
  const canonical = (timezone: string): string =>
    new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  return one === other || canonical(one) === canonical(other);
}
