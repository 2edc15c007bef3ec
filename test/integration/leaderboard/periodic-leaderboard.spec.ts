import { PeriodicLeaderboard, Period, ScoreLayout, type PeriodicLeaderboardOptions } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { dayMs, freshPrefix, ManualClock, testRedis } from '../../support';

function periodic(clock: ManualClock, options: Partial<PeriodicLeaderboardOptions> = {}) {
  const key = freshPrefix();
  return { key, leaders: new PeriodicLeaderboard(testRedis(), { key, cut: 'day', clock, ...options }) };
}

describe('PeriodicLeaderboard', () => {
  it('has another board from midnight of its zone on, and still has the one before', async () => {
    const clock = new ManualClock('2036-11-20T22:59:00Z');
    const { leaders } = periodic(clock, { timezone: 'Europe/Berlin' });
    await leaders.now().increment('ann', 5);
    expect(await leaders.now().top(1)).toMatchObject([{ member: 'ann', score: 5, rank: 1 }]);
    clock.advance(60_000);
    expect(leaders.period().key).toBe('2036-11-21');
    expect(await leaders.now().size()).toBe(0);
    for (const before of [leaders.of('2036-11-20'), leaders.at(new Date('2036-11-20T12:00:00Z'))]) {
      expect(await before.score('ann')).toBe(5);
    }
    expect(await leaders.of(Period.of('day', new Date('2036-11-20T12:00:00Z'), 'Europe/Berlin')).size()).toBe(1);
  });

  it.each([1, 4])(
    'keeps a board in %i shards for its retention after the end of the period, from its first write on',
    async (shards) => {
      const clock = new ManualClock('2036-11-20T12:00:00Z');
      const { key, leaders } = periodic(clock, { shards, retentionMs: 31 * dayMs });
      const members = Array.from({ length: 20 }, (_, i) => `m${i}`);
      await Promise.all(members.map((member) => leaders.now().increment(member, 1)));
      const expireAt = Date.parse('2036-11-21T00:00:00Z') + 31 * dayMs;
      const stored = await testRedis().keys(`{${key}:2036-11-20:*}:entries`);
      expect(stored).toHaveLength(shards);
      for (const one of stored) expect(await testRedis().pexpiretime(one)).toBe(expireAt);
    },
  );

  it('begins no board to remove from it, and gives one that comes back its expiry', async () => {
    const clock = new ManualClock('2036-11-20T12:00:00Z');
    const { key, leaders } = periodic(clock, { retentionMs: dayMs, timezone: 'utc' });
    const all = () => testRedis().keys(`{${key}:2036-11-20*`);
    const board = leaders.of(leaders.period());
    expect(await Promise.all([board.remove('ann'), board.removeBetween(0, 9), board.clear()])).toMatchObject([
      0,
      0,
      {},
    ]);
    expect(await all()).toEqual([]);
    await board.set('ann', 9);
    expect(await board.best('ann', 5, {})).toMatchObject({ score: 9, written: false });
    await testRedis().del(await all());
    clock.advance(20 * dayMs);
    await board.increment('ann', 1);
    for (const one of await all()) expect([one, await testRedis().pttl(one)]).not.toEqual([one, -1]);
  });

  it('keeps boards for ever where it is given no retention', async () => {
    const { key, leaders } = periodic(new ManualClock('2036-11-20T12:00:00Z'));
    await leaders.now().set('ann', 1);
    const [tag] = (await testRedis().keys(`{${key}:2036-11-20:*`)).map((name) => /:([^:}]*)\}/.exec(name)?.[1]);
    expect(await testRedis().pttl(keys.entries(`${key}:2036-11-20`, tag as string))).toBe(-1);
  });

  it('gives each period a layout of its own', async () => {
    const clock = new ManualClock('2036-11-20T12:00:00Z');
    const { leaders } = periodic(clock, { cut: 'month', layout: (period) => ScoreLayout.packed({ period }) });
    await leaders.now().increment('ann', 5);
    clock.advance(1_000);
    await leaders.now().increment('bob', 5);
    expect(await leaders.now().top(2)).toMatchObject([
      { member: 'ann', reachedAt: new Date('2036-11-20T12:00:00Z') },
      { member: 'bob' },
    ]);
  });

  it('is the same board for as long as the period is on', () => {
    const clock = new ManualClock('2036-11-20T12:00:00Z');
    const { leaders } = periodic(clock);
    const board = leaders.now();
    clock.advance(3_600_000);
    expect(leaders.now()).toBe(board);
    expect(leaders.of('2036-11-20')).toBe(board);
  });

  it('refuses a key, a period, a date, a cut and a retention that are none of it', () => {
    const clock = new ManualClock('2036-11-20T12:00:00Z');
    const { leaders } = periodic(clock);
    const invalid = expect.objectContaining({ code: 'invalidArgument' });
    expect(() => leaders.of('2036-13-01')).toThrow(invalid);
    expect(() => leaders.of(Period.of('week', new Date('2036-11-20T12:00:00Z'), 'UTC'))).toThrow(invalid);
    const contest = periodic(clock, { cut: { kind: 'contest', from: '2036-11-01', to: '2036-11-10' } }).leaders;
    expect(() => contest.now()).toThrow(invalid);
    expect(contest.of('2036-11-01--2036-11-10')).toBe(contest.at(new Date('2036-11-05T00:00:00Z')));
    for (const options of [{ retentionMs: -1 }, { cut: { kind: 'rolling', days: 7 } as never }, { key: 'a b' }]) {
      expect(() => periodic(clock, options)).toThrow(expect.objectContaining({ code: 'invalidOption' }));
    }
  });
});
