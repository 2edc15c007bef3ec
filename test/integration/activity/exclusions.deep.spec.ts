import { Exclusions, REDIS_CLIENT } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
// Private: the end of looks alone shows in nothing else.
import { PeriodicTasks } from '../../../libs/activity/src/core/periodic/periodic-tasks';
import { exclusionKeys } from '../../support/keys';
import { type AllOptions, dayBoard, freshPrefix, testRedis, TinyApp, waitUntil } from './support';

describe('a change of exclusions', () => {
  // Only what looks now and then is moved by hand: everything else goes on in its own time.
  beforeEach(() => {
    const own = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
    jest.useFakeTimers({ doNotFake: [...own, 'Date', 'performance', 'hrtime'] });
  });
  afterEach(() => void jest.restoreAllMocks().useRealTimers());
  const lookEveryMs = 10_000;

  /** Two ledgers: a move may be done in one and not in the other. */
  const start = (prefix: string, options: Partial<AllOptions> = {}) =>
    TinyApp.start({
      options: { prefix, leaderboards: [dayBoard, { name: 'views', period: 'day', points: { view: 3 } }], ...options },
    });

  const view = (userId: string, subject: string) => {
    return { userId, action: 'view', subject, occurredAt: new Date(systemClock.now()) };
  };
  const usersOn = async (app: TinyApp, board: string) =>
    (await app.page(`/ranks/${board}`)).map(([, userId]) => userId);

  it.each([
    ['excluding', ['b'], (exclusions: Exclusions) => exclusions.exclude('a')],
    ['showing', ['a', 'b'], (exclusions: Exclusions) => exclusions.include('a')],
  ])('that is %s a user is finished by another instance where one died halfway', async (what, expected, change) => {
    const prefix = freshPrefix();
    const mortal = await start(prefix);
    // One that will be dead looks for nothing.
    await mortal.nest.get(PeriodicTasks).beforeApplicationShutdown();
    // Who settles nothing finishes it as well.
    const other = await start(prefix, { settlement: false });
    await mortal.record(...['a', 'a', 'b'].map((userId, i) => view(userId, `/${i}`)));
    if (what === 'showing') await mortal.nest.get(Exclusions).exclude('a');
    const [first, second] = mortal.nest.get(Ledgers).all;
    if (!first || !second) throw new Error('There are two ledgers.');
    // It dies when it comes to the second ledger: nothing more is heard of it.
    const reached = new Promise<void>((resolve) => {
      jest.spyOn(second.excluded, 'move').mockImplementation(() => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    void change(mortal.nest.get(Exclusions));
    await reached;
    const before = await Promise.all([usersOn(other, 'day'), usersOn(other, 'views')]);
    expect(before).toEqual(expect.arrayContaining([['b'], ['a', 'b']]));
    expect(await testRedis().hkeys(exclusionKeys(prefix).unfinished)).toEqual(['a']);

    // At the first look it might still be at work.
    const unfinished = jest.spyOn(other.nest.get<Redis>(REDIS_CLIENT), 'hkeys');
    jest.advanceTimersByTime(lookEveryMs);
    await waitUntil(() => Promise.resolve(unfinished.mock.results.length === 1), { what: 'a look' });
    expect(await unfinished.mock.results[0]?.value).toEqual(['a']);
    expect(await Promise.all([usersOn(other, 'day'), usersOn(other, 'views')])).toEqual(before);
    jest.advanceTimersByTime(lookEveryMs);
    const key = exclusionKeys(prefix).unfinished;
    await waitUntil(async () => (await testRedis().hlen(key)) === 0, { what: 'the work to be done' });
    expect(await usersOn(other, 'day')).toEqual(expected);
    expect(await usersOn(other, 'views')).toEqual(expected);
    expect((await other.nest.get(Exclusions).find('a')).excluded).toBe(what === 'excluding');
  });

  it('ends where others change the user all the time, and what was said last takes effect by a look', async () => {
    const app = await start(freshPrefix());
    await app.record(view('a', '/'));
    const exclusions = app.nest.get(Exclusions);
    let asked = 0;
    const others = jest.spyOn(exclusions, 'find').mockImplementation((userId) => {
      asked += 1;
      if (asked > 1_000) throw new Error('It never ends.');
      const why = { reason: 'banned', source: 'operator', since: exclusions.now(), by: null, note: null } as const;
      const excluded = asked % 2 !== 0;
      return Promise.resolve({ userId, excluded, exclusions: excluded ? [{ userId, ...why }] : [] });
    });
    await expect(exclusions.exclude('a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBeLessThan(100);
    others.mockRestore();
    const moved = jest.spyOn(exclusions, 'find');
    const look = () => {
      jest.advanceTimersByTime(lookEveryMs);
      return Promise.resolve(moved.mock.calls.length > 0);
    };
    await waitUntil(look, { what: 'what is left to be taken up' });
    await app.nest.get(PeriodicTasks).beforeApplicationShutdown();
    expect(await usersOn(app, 'day')).toEqual([]);
    expect(await usersOn(app, 'views')).toEqual([]);
  });
});
