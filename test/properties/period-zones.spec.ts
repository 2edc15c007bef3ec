import { Period, type PeriodSpec } from '@laurel/leaderboard';
import { periodKinds } from '@laurel/leaderboard/internals';
import { DateTime, Settings } from 'luxon';
import { sampleOf } from '../support/sampled';
import { announceSeed } from '../support/seed';

announceSeed();

/** Zones that each do what others do not: skip a day, turn their clocks at midnight, by half an hour. */
const odd = ['Pacific/Apia', 'America/Sao_Paulo', 'Australia/Lord_Howe'];
const others = [
  'Asia/Shanghai',
  'America/New_York',
  'Europe/London',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/St_Johns',
  'UTC',
];
const zones = [...odd, ...sampleOf(others, 2)];

const monday = '1999-12-27';
const specs: readonly PeriodSpec[] = [
  ...periodKinds.filter((kind) => kind !== 'all'),
  { kind: 'week', startsOn: 'sunday' },
  { kind: 'week', countedFrom: monday },
];

const endMs = (period: Period): number => period.end?.getTime() ?? NaN;

function isSame(found: Period | null, period: Period): boolean {
  return (
    found?.key === period.key && found.start.getTime() === period.start.getTime() && endMs(found) === endMs(period)
  );
}

const fromDay = '2000-01-01';
const toDay = '2035-12-31';

/** All periods from the one that holds the first local day on to the one that holds the last. */
function* periodsOf(spec: PeriodSpec, zone: string): Generator<Period> {
  const lastMs = endMs(Period.parse('day', toDay, zone)) - 1;
  let period: Period | null = Period.of(spec, Period.parse('day', fromDay, zone).start, zone);
  for (; period && period.start.getTime() <= lastMs; period = period.next()) yield period;
}

/** As the calendar itself has them, in no zone. */
const calendarDays: string[] = [];
for (let day = DateTime.utc(2000, 1, 1); day.year < 2036; day = day.plus({ days: 1 })) {
  calendarDays.push(day.toFormat('yyyy-MM-dd'));
}

describe.each(zones)('from 2000 to 2035 in %s', (zone) => {
  let days: readonly Period[];
  const tiles = new Map<PeriodSpec, readonly Period[]>();
  beforeAll(() => {
    for (const spec of specs) tiles.set(spec, [...periodsOf(spec, zone)]);
    days = tiles.get('day') ?? [];
  });

  it('has every day of the calendar once, but for those that the zone skipped', () => {
    const skipped = zone === 'Pacific/Apia' ? ['2011-12-30'] : [];
    expect(days.map(({ key }) => key)).toEqual(calendarDays.filter((day) => !skipped.includes(day)));
  });

  // Faults are gathered: an expect for each of a million comparisons would take minutes.
  it.each(specs)('is tiled by %j without gap or overlap, keys in order', (spec) => {
    const faults: string[] = [];
    let before: Period | undefined;
    let day = 0;
    for (const period of tiles.get(spec) ?? []) {
      if (before && period.start.getTime() !== endMs(before)) faults.push(`a gap or an overlap before ${period.key}`);
      if (before && !(period.key > before.key)) faults.push(`${period.key} sorts before ${before.key}`);
      if (!(period.start.getTime() < endMs(period))) faults.push(`${period.key} is empty`);
      // Every local day lies whole in one period; the first period began before the first of these days.
      for (let next = days[day]; next && next.start.getTime() < endMs(period); next = days[++day]) {
        if (!period.holds(next.start.getTime()) || !period.holds(endMs(next) - 1)) {
          faults.push(`${next.key} does not lie whole in ${period.key}`);
        }
      }
      before = period;
    }
    expect(faults).toEqual([]);
    expect(day).toBe(days.length);
  });

  it('finds a period again by its key, by its first and by its last moment', () => {
    const faults: string[] = [];
    for (const [spec, periods] of tiles) {
      let before: Period | null = null;
      for (const [place, period] of periods.entries()) {
        // Every 37th, and each day whose clocks were changed.
        const isOdd = spec === 'day' && endMs(period) - period.start.getTime() !== 86_400_000;
        if (place % 37 === 0 || isOdd) {
          const found = [
            Period.parse(spec, period.key, zone),
            Period.of(spec, period.start, zone),
            Period.of(spec, new Date(endMs(period) - 1), zone),
          ];
          if (!found.every((again) => isSame(again, period))) faults.push(period.key);
          if (before && !isSame(period.previous(), before)) faults.push(`before ${period.key}`);
        }
        before = period;
      }
    }
    expect(faults).toEqual([]);
  });
});

describe('weeks from 2000 to 2035', () => {
  /** Where the week of a day is not the one expected. */
  const differing = (spec: PeriodSpec, expectedOf: (midday: DateTime) => string): string[] => {
    const faults: string[] = [];
    for (let midday = DateTime.utc(2000, 1, 1, 12); midday.year < 2036; midday = midday.plus({ days: 1 })) {
      const { key } = Period.of(spec, midday.toJSDate(), 'UTC');
      if (key !== expectedOf(midday)) faults.push(`${key} is not ${expectedOf(midday)}`);
    }
    return faults;
  };

  it('are ISO weeks, as luxon numbers them', () => {
    expect(differing('week', (midday) => midday.toFormat("kkkk-'W'WW"))).toEqual([]);
  });

  it('that begin on Sundays are those that luxon numbers so: four days of week 1 lie in its year', () => {
    const before = Settings.defaultWeekSettings;
    Settings.defaultWeekSettings = { firstDay: 7, minimalDays: 4, weekend: [6, 7] };
    // Luxon keeps the settings that it made a locale with.
    Settings.resetCaches();
    try {
      const keyOf = ({ localWeekYear, localWeekNumber }: DateTime) =>
        `${localWeekYear}-S${String(localWeekNumber).padStart(2, '0')}`;
      expect(differing({ kind: 'week', startsOn: 'sunday' }, keyOf)).toEqual([]);
    } finally {
      Settings.defaultWeekSettings = before;
      Settings.resetCaches();
    }
  });

  it('counted from a Monday are as many as luxon counts', () => {
    const base = DateTime.fromISO(monday, { zone: 'utc' });
    const numberOf = (midday: DateTime) => Math.floor(midday.diff(base, 'weeks').weeks) + 1;
    const keyOf = (midday: DateTime) => `${monday}-W${String(numberOf(midday)).padStart(4, '0')}`;
    expect(differing({ kind: 'week', countedFrom: monday }, keyOf)).toEqual([]);
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

  it('keep the keys of days that they were counted from before, with the day or, as versions before, without', () => {
    const moved: PeriodSpec = { ...spec, countedFrom: '2025-02-03', short: '2024-09-02', earlier: ['2024-09-02'] };
    const [before, now] = [Period.parse(moved, 'W0023', zone), Period.parse(moved, '2025-02-03-W0001', zone)];
    expect(before.start).toEqual(now.start);
    expect(before.previous()?.key).toBe('W0022');
    expect(now.previous()).toBeNull();
    expect([before, now].map((one) => one.isCutBy(moved, zone))).toEqual([true, true]);
    expect(before.isCutBy(spec, zone)).toBe(false);
    for (const key of ['2024-09-02-W0023', '2023-01-02-W0001'])
      expect(() => Period.parse(moved, key, zone)).toThrow(key);
  });

  it.each(['W0000', '2024-09-02-W0000', '2024-09-09-W0001', 'W0001', '2024-W36', 'W1', '2024-S36'])(
    'are never named %s',
    (key) => {
      expect(() => Period.parse(spec, key, zone)).toThrow(expect.objectContaining({ code: 'invalidArgument' }));
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
    expect([contest.start.toISOString(), contest.end?.toISOString()]).toEqual([
      '2026-03-28T00:00:00.000Z',
      '2026-03-29T23:00:00.000Z',
    ]);
    expect([contest.previous(), contest.next()]).toEqual([null, null]);
  });

  it.each([
    ['2026-03-27T23:59:59.999Z', 'notStarted'],
    ['2026-03-28T00:00:00.000Z', contest],
    ['2026-03-29T22:59:59.999Z', contest],
    ['2026-03-29T23:00:00.000Z', 'ended'],
  ] as const)('at %s', (at, found) => {
    expect(Period.find(spec, new Date(at), zone)).toEqual(found);
    expect(Period.nearest(spec, new Date(at), zone)).toEqual(contest);
  });

  it.each([
    { kind: 'contest', from: '2026-03-29', to: '2026-03-28' },
    { kind: 'contest', from: '2026-02-30', to: '2026-03-28' },
    { kind: 'week', countedFrom: 'Monday' },
    { kind: 'rolling', days: 0 },
    { kind: 'rolling', days: 367 },
  ] as const)('and all that is no such thing: %j', (unfit) => {
    expect(() => Period.of(unfit, new Date(0), 'UTC')).toThrow(expect.objectContaining({ code: 'invalidArgument' }));
  });
});

describe('a rolling window', () => {
  const spec: PeriodSpec = { kind: 'rolling', days: 3 };

  it('is the days up to one, and moves by a day', () => {
    const window = Period.parse(spec, '2026-03-30', 'Europe/London');
    expect([window.start.toISOString(), window.end?.toISOString()]).toEqual([
      '2026-03-28T00:00:00.000Z',
      '2026-03-30T23:00:00.000Z',
    ]);
    expect([window.previous()?.key, window.next()?.key]).toEqual(['2026-03-29', '2026-03-31']);
  });

  it('passes over a day that never was', () => {
    const window = Period.parse(spec, '2011-12-29', 'Pacific/Apia');
    expect(window.next()?.key).toBe('2011-12-31');
    expect(window.next()?.previous()).toEqual(window);
    expect(() => Period.parse(spec, '2011-12-30', 'Pacific/Apia')).toThrow();
  });
});
