import { settlementEnvironment } from './settlement-environment';

const dayMs = 86_400_000;
const read = (LAUREL_ARCHIVE_RETENTION?: string) => settlementEnvironment({ LAUREL_ARCHIVE_RETENTION });

describe('how long the environment keeps the archive', () => {
  it('is left to the module where nothing is said', () => {
    expect([read(), read(' ')]).toEqual([{}, {}]);
  });

  it('is a number of days for each leaderboard, or none', () => {
    const archiveRetentionMs = { day: 400 * dayMs, 'category-week': 0, month: null };
    expect(read('day=400, category-week=0,month=none')).toEqual({ archiveRetentionMs });
    expect(read('none')).toEqual({ archiveRetentionMs: null });
  });

  it.each(['day', 'day=400,day=3', 'day=-1', 'day=1.5', 'Day=3', '400'])(
    'refuses %j, saying what is allowed',
    (given) => {
      expect(() => read(given)).toThrow(/LAUREL_ARCHIVE_RETENTION is ".*: use (none, or leaderboards|a whole number)/);
    },
  );
});
