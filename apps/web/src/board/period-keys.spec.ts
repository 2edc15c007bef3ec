import { DateTime } from 'luxon';
import { dayIn, keyOfDay, steppedKey } from './period-keys';

/** The days from a year to before another whose week has another name, or does not hold them. */
function misnamed(from: number, to: number): string[] {
  const faults: string[] = [];
  for (let day = DateTime.utc(from, 1, 1); day.year < to; day = day.plus({ days: 1 })) {
    const [key, week] = [day.toFormat('yyyy-MM-dd'), day.toFormat("kkkk-'W'WW")];
    const isRight = keyOfDay('2026-W47', key) === week && dayIn(week, 'first') <= key && key <= dayIn(week, 'last');
    if (!isRight) faults.push(key);
  }
  return faults;
}

describe('keys of periods', () => {
  it('step to their neighbours over ends of months and years', () => {
    expect(steppedKey('2026-11-30', 1)).toBe('2026-12-01');
    expect(steppedKey('2024-03-01', -1)).toBe('2024-02-29');
    expect(steppedKey('2026-01', -1)).toBe('2025-12');
    expect(steppedKey('2026-12', 1)).toBe('2027-01');
    expect(steppedKey('2026', -1)).toBe('2025');
    expect([steppedKey('2026-Q4', 1), steppedKey('2026-Q1', -1)]).toEqual(['2027-Q1', '2025-Q4']);
    expect(steppedKey('all', 1)).toBeNull();
    expect(steppedKey('W0117', 1)).toBeNull();
  });

  it('know their first and last days', () => {
    expect([dayIn('2026-11-20', 'first'), dayIn('2026-11-20', 'last')]).toEqual(['2026-11-20', '2026-11-20']);
    expect([dayIn('2026-W47', 'first'), dayIn('2026-W47', 'last')]).toEqual(['2026-11-16', '2026-11-22']);
    expect([dayIn('2024-02', 'first'), dayIn('2024-02', 'last')]).toEqual(['2024-02-01', '2024-02-29']);
    expect([dayIn('2026-Q1', 'first'), dayIn('2026-Q4', 'last')]).toEqual(['2026-01-01', '2026-12-31']);
    expect([dayIn('2026', 'first'), dayIn('2026', 'last')]).toEqual(['2026-01-01', '2026-12-31']);
  });

  it('name weeks as ISO 8601 does, on every day of forty years', () => {
    expect(misnamed(2000, 2040)).toEqual([]);
  });

  it('of a day are cut from it', () => {
    expect(keyOfDay('2026-11-20', '2025-02-03')).toBe('2025-02-03');
    expect(keyOfDay('2026-11', '2025-02-03')).toBe('2025-02');
    expect(keyOfDay('2026', '2025-02-03')).toBe('2025');
    expect([keyOfDay('2026-Q4', '2025-03-31'), keyOfDay('2026-Q4', '2025-04-01')]).toEqual(['2025-Q1', '2025-Q2']);
  });

  it('are right in the years before 100, and none beyond four digits', () => {
    expect(misnamed(1, 6)).toEqual([]);
    expect(steppedKey('0002-12', 1)).toBe('0003-01');
    expect(steppedKey('0009', 1)).toBe('0010');
    expect(steppedKey('9999', 1)).toBeNull();
    expect(steppedKey('9999-12-31', 1)).toBeNull();
    expect(keyOfDay('2026-W47', '0000-01-01')).toBeNull();
  });

  it('have no neighbours where they are none, as somebody may write into the address', () => {
    for (const key of ['2026-13', '2026-13-45', '2026-1', '2026-Q5', '']) {
      expect(steppedKey(key, 1)).toBeNull();
      expect(dayIn(key, 'last')).toBe('');
    }
  });
});
