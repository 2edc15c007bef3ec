import { LeaderboardError } from '../errors/errors';
import { Period } from './period';
import { periodKinds, type CalendarKind, type PeriodSpec } from './period-spec';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const endMs = (period: Period | null): number => period?.end?.getTime() ?? NaN;
const bounds = ({ start, end }: Period) => [start.toISOString(), end?.toISOString()];
const hours = (period: Period): number => (endMs(period) - period.start.getTime()) / hourMs;
const refused = expect.objectContaining({ code: 'invalidArgument' });

/** The local days of moments, as ICU has them: `2026-11-20`. */
function localDays(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (ms) => format.format(ms);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The first local day of a day's period, and of the next one: arithmetic of UTC, without the library under test. */
function firstDays(kind: CalendarKind, day: string): [string, string] {
  const at = new Date(day);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const quarter = month - (month % 3);
  const monday = at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs;
  if (kind === 'year') return [dayOf(Date.UTC(year, 0)), dayOf(Date.UTC(year + 1, 0))];
  if (kind === 'quarter') return [dayOf(Date.UTC(year, quarter)), dayOf(Date.UTC(year, quarter + 3))];
  if (kind === 'month') return [dayOf(Date.UTC(year, month)), dayOf(Date.UTC(year, month + 1))];
  return kind === 'week' ? [dayOf(monday), dayOf(monday + 7 * dayMs)] : [day, dayOf(at.getTime() + dayMs)];
}

// In long loops faults are gathered: an expect for each comparison would take longer than what is compared.
describe('Period', () => {
  it.each([
    ['day', 'America/New_York', '2026-03-08', 23, '2026-03-09'],
    ['day', 'America/New_York', '2026-11-01', 25, '2026-11-02'],
    ['day', 'Europe/London', '2026-03-29', 23, '2026-03-30'],
    ['day', 'Europe/London', '2026-10-25', 25, '2026-10-26'],
    ['day', 'Australia/Lord_Howe', '2026-04-05', 24.5, '2026-04-06'],
    ['day', 'Australia/Lord_Howe', '2026-10-04', 23.5, '2026-10-05'],
    ['day', 'America/Sao_Paulo', '2018-11-04', 23, '2018-11-05'],
    ['day', 'UTC', '2026-03-29', 24, '2026-03-30'],
    ['hour', 'America/New_York', '2026-03-08T01', 1, '2026-03-08T03'],
    ['hour', 'America/New_York', '2026-11-01T01', 2, '2026-11-01T02'],
    ['hour', 'Australia/Lord_Howe', '2026-04-05T01', 1.5, '2026-04-05T02'],
    ['hour', 'Australia/Lord_Howe', '2026-10-04T02', 0.5, '2026-10-04T03'],
    ['hour', 'America/St_Johns', '2010-03-14T01', 59 / 60, '2010-03-14T02'],
    ['hour', 'Asia/Kathmandu', '2026-11-20T23', 1, '2026-11-21T00'],
  ] as const)('cuts the %s %s %s at %d hours, before %s', (kind, zone, key, length, next) => {
    const period = Period.parse(kind, key, zone);
    expect([hours(period), period.next()?.key, period.next()?.previous()?.key]).toEqual([length, next, key]);
    for (const ms of [period.start.getTime(), endMs(period) - 1])
      expect(Period.of(kind, new Date(ms), zone).key).toBe(key);
  });

  it('passes over the day that Apia skipped, and over hours that clocks do not show', () => {
    const before = Period.parse('day', '2011-12-29', 'Pacific/Apia');
    expect(before.next()?.key).toBe('2011-12-31');
    expect(before.next()?.previous()?.key).toBe('2011-12-29');
    expect(() => Period.parse('day', '2011-12-30', 'Pacific/Apia')).toThrow(LeaderboardError);
    expect(() => Period.parse('hour', '2026-03-08T02', 'America/New_York')).toThrow(LeaderboardError);
    const contest = { kind: 'contest', from: '2011-12-28', to: '2011-12-30' } as const;
    expect(Period.nearest(contest, new Date('2012-01-09'), 'Pacific/Apia').key).toBe('2011-12-28--2011-12-30');
  });

  it.each([
    ['ISO weeks', 'week', 'W', 4],
    ['weeks that begin on Sundays', { kind: 'week', startsOn: 'sunday' }, 'S', 3],
  ] as const)('numbers %s by the year of their fourth day, from 1990 to 2060', (_, spec, mark, fourth) => {
    const faults: string[] = [];
    // In steps of 13 days each day of the week, and of the year, has its turn.
    for (let ms = Date.UTC(1990, 0, 1, 12); ms < Date.UTC(2060, 0); ms += 13 * dayMs) {
      const first = ms - ((new Date(ms).getUTCDay() - fourth + 3 + 7) % 7) * dayMs;
      const middle = new Date(first + 3 * dayMs);
      const number = Math.floor((middle.getTime() - Date.UTC(middle.getUTCFullYear(), 0)) / (7 * dayMs)) + 1;
      const expected = `${middle.getUTCFullYear()}-${mark}${String(number).padStart(2, '0')}`;
      const { key } = Period.of(spec, new Date(ms), 'UTC');
      if (key !== expected) faults.push(`${dayOf(ms)} is in ${key}, not ${expected}`);
    }
    expect(faults).toEqual([]);
  });

  it.each([
    'America/New_York',
    'Europe/London',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
    'Asia/Shanghai',
    'America/Sao_Paulo',
  ])('begins and ends periods in %s with the first moments of local days, as ICU has them', (zone) => {
    const faults: string[] = [];
    const dayAt = localDays(zone);
    const isFirstMoment = (ms: number, day: string) => dayAt(ms) >= day && dayAt(ms - 1) < day;
    for (const kind of ['day', 'week', 'month', 'quarter', 'year'] as const) {
      for (let ms = Date.UTC(2009, 5, 1); ms < Date.UTC(2028, 0); ms += 61 * dayMs + 7 * hourMs) {
        const period = Period.of(kind, new Date(ms), zone);
        const [first, next] = firstDays(kind, dayAt(ms));
        if (!isFirstMoment(period.start.getTime(), first) || !isFirstMoment(endMs(period), next)) {
          faults.push(`${kind} ${period.key}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('has an all-time that begins in 1970 and never ends', () => {
    const all = Period.of('all', new Date(0), 'Asia/Shanghai');
    expect([all.key, all.start, all.end, all.next(), all.previous()]).toEqual(['all', new Date(0), null, null, null]);
    expect(Period.parse('all', 'all', 'UTC').key).toBe('all');
  });

  it.each<[CalendarKind, readonly string[]]>([
    ['hour', ['2026-02-30T00', '2026-11-20T24', '2026-11-20T1', '2026-11-20T14:00', '2026-11-20']],
    ['day', ['2026-02-30', '2026-2-3', '2026-02-03T00:00', ' 2026-02-03', '']],
    ['week', ['2025-W53', '2026-W00', '2026-W54']],
    ['month', ['2026-13', '2026-00']],
    ['quarter', ['2026-Q0', '2026-Q5', '2026-10-01']],
    ['year', ['26', '2026\n']],
    ['all', ['ever']],
  ])('refuses keys that are none of a %s: %j', (kind, keys) => {
    for (const key of keys) expect(() => Period.parse(kind, key, 'UTC')).toThrow(refused);
  });

  it('refuses unknown kinds and zones, and dates that are none', () => {
    expect(() => Period.of('minute' as CalendarKind, new Date(0), 'UTC')).toThrow(refused);
    expect(() => Period.of('day', new Date(NaN), 'UTC')).toThrow(refused);
    for (const zone of ['Mars/Olympus', '', '+02:00', 'UTC; drop']) {
      expect(() => Period.of('day', new Date(0), zone)).toThrow(refused);
    }
    expect(periodKinds).toHaveLength(7);
  });

  it.each([
    { kind: 'contest', from: '2026-03-29', to: '2026-03-28' },
    { kind: 'contest', from: '2026-02-30', to: '2026-03-28' },
    { kind: 'season', starts: ['2026-03-29'] },
    { kind: 'season', starts: ['2026-03-29', '2026-03-28'] },
    { kind: 'week', countedFrom: 'Monday' },
    { kind: 'rolling', days: 0 },
    { kind: 'rolling', days: 367 },
  ] as const)('refuses a cut that is none: %j', (unfit) => {
    expect(() => Period.of(unfit, new Date(0), 'UTC')).toThrow(refused);
  });
});

describe('counted weeks', () => {
  const spec: PeriodSpec = { kind: 'week', countedFrom: '2024-09-02' };
  const zone = 'Europe/London';

  it('begin with week 1 on their base date: there are none before it', () => {
    const first = Period.parse(spec, '2024-09-02-W0001', zone);
    expect(first.start.toISOString()).toBe('2024-09-01T23:00:00.000Z');
    expect(first.previous()).toBeNull();
    expect(first.next()?.key).toBe('2024-09-02-W0002');
    expect(Period.find(spec, new Date(first.start.getTime() - 1), zone)).toBe('notStarted');
    expect(Period.nearest(spec, new Date(0), zone)).toEqual(first);
  });

  it('keep the keys of days that they were counted from before', () => {
    const moved: PeriodSpec = { ...spec, countedFrom: '2025-02-03', earlier: ['2024-09-02'] };
    const [before, now] = ['2024-09-02-W0023', '2025-02-03-W0001'].map((key) => Period.parse(moved, key, zone));
    expect(before?.start).toEqual(now?.start);
    expect(before?.previous()?.key).toBe('2024-09-02-W0022');
    expect(now?.previous()).toBeNull();
    expect([before, now].map((one) => one?.isCutBy(moved, zone))).toEqual([true, true]);
    expect(now?.isCutBy(spec, zone)).toBe(false);
    for (const key of ['W0023', '2023-01-02-W0001']) expect(() => Period.parse(moved, key, zone)).toThrow(key);
  });

  it.each(['W0000', '2024-09-02-W0000', '2024-09-09-W0001', 'W0001', '2024-W36', 'W1', '2024-S36'])(
    'are never named %s',
    (key) => {
      expect(() => Period.parse(spec, key, zone)).toThrow(refused);
    },
  );

  it('end with the last number that sorts', () => {
    const last = Period.parse(spec, '2024-09-02-W9999', zone);
    expect(last.next()).toBeNull();
    expect(Period.find(spec, last.end as Date, zone)).toBe('ended');
  });
});

describe('a contest', () => {
  const spec: PeriodSpec = { kind: 'contest', from: '2026-03-28', to: '2026-03-29' };
  const zone = 'Europe/London';
  const contest = Period.parse(spec, '2026-03-28--2026-03-29', zone);

  it('is one period from the first moment of its first day to the last of its last, whatever their hours', () => {
    expect(bounds(contest)).toEqual(['2026-03-28T00:00:00.000Z', '2026-03-29T23:00:00.000Z']);
    expect([contest.previous(), contest.next()]).toEqual([null, null]);
  });

  it.each([
    ['2026-03-27T23:59:59.999Z', 'notStarted'],
    ['2026-03-28T00:00:00.000Z', contest],
    ['2026-03-29T22:59:59.999Z', contest],
    ['2026-03-29T23:00:00.000Z', 'ended'],
  ] as const)('is found, or not, at %s', (at, found) => {
    expect(Period.find(spec, new Date(at), zone)).toEqual(found);
    expect(Period.nearest(spec, new Date(at), zone)).toEqual(contest);
  });
});

it('seasons follow one another from the first named day to the last', () => {
  const spec: PeriodSpec = { kind: 'season', starts: ['2026-01-07', '2026-03-29', '2026-09-01'] };
  const keys = ['2026-01-07--2026-03-28', '2026-03-29--2026-08-31'];
  const [winter, summer] = keys.map((key) => Period.parse(spec, key, 'Europe/London')) as [Period, Period];
  expect([winter.previous(), winter.next(), summer.previous(), summer.next()]).toEqual([null, summer, winter, null]);
  const at = ({ start }: Period, ms: number) => Period.find(spec, new Date(start.getTime() + ms), 'Europe/London');
  expect([at(winter, -1), at(winter, 0)]).toEqual(['notStarted', winter]);
  expect([at(summer, -1), at(summer, 0)]).toEqual([winter, summer]);
  expect(Period.find(spec, new Date('2026-08-31T23:00:00Z'), 'Europe/London')).toBe('ended');
  expect(() => Period.parse(spec, '2026-01-07--2026-08-31', 'Europe/London')).toThrow(refused);
});

describe('a rolling window', () => {
  const spec: PeriodSpec = { kind: 'rolling', days: 3 };

  it('is the days up to one, and moves by a day', () => {
    const window = Period.parse(spec, '2026-03-30', 'Europe/London');
    expect(bounds(window)).toEqual(['2026-03-28T00:00:00.000Z', '2026-03-30T23:00:00.000Z']);
    expect([window.previous()?.key, window.next()?.key]).toEqual(['2026-03-29', '2026-03-31']);
  });

  it('passes over a day that never was', () => {
    const window = Period.parse(spec, '2011-12-29', 'Pacific/Apia');
    expect(window.next()?.key).toBe('2011-12-31');
    expect(window.next()?.previous()).toEqual(window);
    expect(() => Period.parse(spec, '2011-12-30', 'Pacific/Apia')).toThrow();
  });
});
