import { DateTime } from 'luxon';
import { LeaderboardError } from '../errors/errors';
import { Period } from './period';
import { periodKinds, type CalendarKind } from './period-spec';

const hourMs = 3_600_000;
const endMs = (period: Period | null): number => period?.end?.getTime() ?? NaN;
const hours = (period: Period): number => (endMs(period) - period.start.getTime()) / hourMs;

// In long loops faults are gathered: an expect for each of a hundred thousand comparisons would take half a minute.
describe('Period', () => {
  it.each([
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Europe/London', '2026-03-29', 23],
    ['Europe/London', '2026-10-25', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['UTC', '2026-03-29', 24],
  ])('cuts the day %s %s at %d hours', (zone, key, length) => {
    expect(hours(Period.parse('day', key, zone))).toBe(length);
  });

  it('passes over the day that Apia skipped', () => {
    const before = Period.parse('day', '2011-12-29', 'Pacific/Apia');
    expect(before.next()?.key).toBe('2011-12-31');
    expect(before.next()?.previous()?.key).toBe('2011-12-29');
    expect(() => Period.parse('day', '2011-12-30', 'Pacific/Apia')).toThrow(LeaderboardError);
  });

  it('names ISO weeks as an independent judge does, from 1990 to 2060', () => {
    const faults: string[] = [];
    for (let day = DateTime.utc(1990, 1, 1, 12); day.year < 2060; day = day.plus({ days: 1 })) {
      const { key } = Period.of('week', day.toJSDate(), 'UTC');
      if (key !== day.toFormat("kkkk-'W'WW")) faults.push(`${key} on ${day.toISODate()}`);
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
  ])('begins and ends periods in %s where an independent judge does', (zone) => {
    const faults: string[] = [];
    for (const kind of ['day', 'week', 'month', 'year'] as const) {
      for (let at = DateTime.utc(2009, 6, 1); at.year < 2028; at = at.plus({ days: 9, hours: 7 })) {
        const period = Period.of(kind, at.toJSDate(), zone);
        const local = at.setZone(zone);
        // Luxon's month and year ends are a millisecond before the next start, as are its days and weeks.
        const isSame =
          period.start.getTime() === local.startOf(kind).toMillis() &&
          endMs(period) === local.endOf(kind).toMillis() + 1;
        if (!isSame) faults.push(`${kind} ${period.key}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(['day', 'week', 'month', 'year'] as const)(
    'tiles time with %ss: no gap, no overlap, keys in order',
    (kind) => {
      const faults: string[] = [];
      for (const zone of ['America/Sao_Paulo', 'Pacific/Apia', 'Europe/London']) {
        let period = Period.of(kind, new Date(Date.UTC(2009, 0, 1)), zone);
        for (let i = 0; i < 1_500 && period.start.getTime() < Date.UTC(2032, 0); i++) {
          const next = period.next() as Period;
          const again = Period.parse(kind, period.key, zone);
          const holds = {
            'the next one begins where it ends': next.start.getTime() === endMs(period),
            'it is found from the next one': next.previous()?.key === period.key,
            'its key sorts before the next one': next.key > period.key,
            'its key names it': JSON.stringify(again) === JSON.stringify(period),
            'it holds its start': period.holds(period.start.getTime()),
            'it does not hold its end': !period.holds(endMs(period)),
          };
          for (const [what, isTrue] of Object.entries(holds))
            if (!isTrue) faults.push(`${zone} ${period.key}: ${what}`);
          period = next;
        }
      }
      expect(faults).toEqual([]);
    },
  );

  it('has an all-time that begins in 1970 and never ends', () => {
    const all = Period.of('all', new Date(0), 'Asia/Shanghai');
    expect([all.key, all.start, all.end, all.next(), all.previous()]).toEqual(['all', new Date(0), null, null, null]);
    expect(Period.parse('all', 'all', 'UTC').key).toBe('all');
  });

  it.each<[CalendarKind, string]>([
    ['day', '2026-02-30'],
    ['day', '2026-2-3'],
    ['day', '2026-02-03T00:00'],
    ['day', ' 2026-02-03'],
    ['week', '2025-W53'],
    ['week', '2026-W00'],
    ['week', '2026-W54'],
    ['month', '2026-13'],
    ['month', '2026-00'],
    ['year', '26'],
    ['year', '2026\n'],
    ['all', 'ever'],
    ['day', ''],
  ])('refuses the %s %j', (kind, key) => {
    expect(() => Period.parse(kind, key, 'UTC')).toThrow(expect.objectContaining({ code: 'invalidArgument' }));
  });

  it('refuses unknown kinds and zones, and dates that are none', () => {
    const refused = expect.objectContaining({ code: 'invalidArgument' });
    expect(() => Period.of('hour' as CalendarKind, new Date(0), 'UTC')).toThrow(refused);
    expect(() => Period.of('day', new Date(NaN), 'UTC')).toThrow(refused);
    for (const zone of ['Mars/Olympus', '', '+02:00', 'UTC; drop']) {
      expect(() => Period.of('day', new Date(0), zone)).toThrow(refused);
    }
    expect(periodKinds).toHaveLength(5);
  });
});
