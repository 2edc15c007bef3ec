import { Period, type PeriodSpec } from '@laurel/leaderboard';
import { periodKinds } from '@laurel/leaderboard/internals';
import { dayMs } from '../support/clock';

/** Zones that each do what others do not: skip a day, turn their clocks at midnight, by half an hour... */
const zones = [
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
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

const specs: readonly PeriodSpec[] = [
  ...periodKinds.filter((kind) => kind !== 'all' && kind !== 'hour'),
  { kind: 'week', startsOn: 'sunday' },
  { kind: 'week', countedFrom: '1999-12-27' },
];

const endMs = (period: Period): number => period.end?.getTime() ?? NaN;

function isSame(found: Period | null, period: Period): boolean {
  return (
    found?.key === period.key && found.start.getTime() === period.start.getTime() && endMs(found) === endMs(period)
  );
}

/** By its key, its first moment and its last. */
function isFoundAgain(spec: PeriodSpec, period: Period): boolean {
  const { key, timezone } = period;
  const moments = [period.start.getTime(), endMs(period) - 1].map((ms) => Period.of(spec, new Date(ms), timezone));
  return [Period.parse(spec, key, timezone), ...moments].every((again) => isSame(again, period));
}

/** As the calendar itself has them, in no zone. */
const calendarDays: string[] = [];
for (let ms = Date.UTC(2000, 0, 1); ms < Date.UTC(2036, 0, 1); ms += dayMs) {
  calendarDays.push(new Date(ms).toISOString().slice(0, 10));
}

/** All periods from the one that holds the first local day on to the one that holds the last. */
function* periodsOf(spec: PeriodSpec, zone: string): Generator<Period> {
  const [first = '', last = ''] = [calendarDays[0], calendarDays.at(-1)];
  const lastMs = endMs(Period.parse('day', last, zone)) - 1;
  let period: Period | null = Period.of(spec, Period.parse('day', first, zone).start, zone);
  for (; period && period.start.getTime() <= lastMs; period = period.next()) yield period;
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
  it('begins every day with the first moment that ICU has in it', () => {
    const options = { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const format = new Intl.DateTimeFormat('en-CA', options);
    const faults = days.filter(
      ({ key, start }) => format.format(start) !== key || format.format(start.getTime() - 1) >= key,
    );
    expect(faults.map(({ key }) => key)).toEqual([]);
  });

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

  it('cuts days whose clocks were changed into hours, without gap or overlap, that are found again', () => {
    const faults: string[] = [];
    for (const day of days.filter((one) => endMs(one) - one.start.getTime() !== dayMs)) {
      let atMs = day.start.getTime();
      for (let hour: Period; atMs < endMs(day); atMs = endMs(hour)) {
        hour = Period.of('hour', new Date(atMs), zone);
        if (hour.start.getTime() !== atMs || !isFoundAgain('hour', hour)) faults.push(hour.key);
      }
      if (atMs !== endMs(day)) faults.push(`the end of ${day.key}`);
    }
    expect(faults).toEqual([]);
  });

  it('finds a period again by its key, by its first and by its last moment', () => {
    const faults: string[] = [];
    for (const [spec, periods] of tiles) {
      let before: Period | null = null;
      for (const [place, period] of periods.entries()) {
        // Every 37th, and each day whose clocks were changed.
        const isOdd = spec === 'day' && endMs(period) - period.start.getTime() !== dayMs;
        if (place % 37 === 0 || isOdd) {
          if (!isFoundAgain(spec, period)) faults.push(period.key);
          if (before && !isSame(period.previous(), before)) faults.push(`before ${period.key}`);
        }
        before = period;
      }
    }
    expect(faults).toEqual([]);
  });
});
