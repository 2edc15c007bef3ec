import { dayAfter, everyDay, weekdayOf } from './days';

describe('days of points', () => {
  it('are filled up with those on which there were none, over a leap day and a clock change', () => {
    const days = everyDay({ from: '2024-02-28', to: '2024-03-31' }, [{ period: '2024-02-29', points: 7 }]);
    expect(days).toHaveLength(33);
    expect(days.slice(0, 3)).toEqual([
      { date: '2024-02-28', points: 0 },
      { date: '2024-02-29', points: 7 },
      { date: '2024-03-01', points: 0 },
    ]);
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  });

  it('know their weekday, Monday first', () => {
    expect(['2026-11-16', '2026-11-21', '2026-11-22'].map(weekdayOf)).toEqual([0, 5, 6]);
  });
});
