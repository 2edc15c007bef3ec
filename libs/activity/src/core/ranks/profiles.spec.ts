import { Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UserProfile } from '../extensions/user-directory';
import type { ActivitySettings } from '../options/settings';
import { Profiles } from './profiles';

const profileOf = (userId: string): UserProfile => ({ name: `Name of ${userId}`, avatarUrl: null });

/**
 * Profiles of a directory that knows all users but `nobody`, and the users that it was asked for in each call. While
 * the directory is slow, `answer` ends the oldest call.
 */
function profiles({ cacheMs, isSlow = false }: { readonly cacheMs: number; readonly isSlow?: boolean }) {
  const asked: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const directory = { isSlow, fails: (): Promise<never> | undefined => undefined };
  const answered = async (userIds: readonly string[]) => {
    if (directory.isSlow) await new Promise<void>((resolve) => ends.push(resolve));
    const known = userIds.filter((userId) => userId !== 'nobody');
    return new Map(known.map((userId) => [userId, profileOf(userId)]));
  };
  const find = (userIds: readonly string[]) => {
    asked.push(userIds);
    return directory.fails() ?? answered(userIds);
  };
  const settings: Partial<ActivitySettings> = { clock, cacheMs, commandTimeoutMs: 900, profileFields: [] };
  const own = new Profiles(settings as ActivitySettings, { find });
  return { asked, clock, directory, answer: () => ends.shift()?.(), profiles: own };
}

describe('profiles', () => {
  beforeEach(
    () => void jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] }),
  );
  afterEach(() => jest.useRealTimers());

  it('are found in one call for all who ask at once, each with the users they asked for', async () => {
    const { asked, profiles: own } = profiles({ cacheMs: 0 });
    const found = await Promise.all([own.find(['ada', 'bob']), own.find(['nobody']), own.find(['bob', 'cyd'])]);
    expect(asked).toEqual([['ada', 'bob', 'nobody', 'cyd']]);
    expect(found.map((map) => [...map.keys()])).toEqual([['ada', 'bob'], [], ['bob', 'cyd']]);
    expect(found[0]?.get('ada')).toEqual(profileOf('ada'));
    await own.find(['ada']);
    expect(asked).toHaveLength(2);
  });

  it('are found in several calls where more than 200 are asked for', async () => {
    const { asked, profiles: own } = profiles({ cacheMs: 0 });
    await Promise.all(Array.from({ length: 401 }, (_, i) => own.find([`user-${i}`])));
    expect(asked.map((userIds) => userIds.length)).toEqual([200, 200, 1]);
  });

  it('are gathered while a call is under way, and found in one call when it ends', async () => {
    const { asked, answer, profiles: own } = profiles({ cacheMs: 0, isSlow: true });
    const first = own.find(['ada']);
    await nextTurn();
    const others = [own.find(['bob'])];
    await nextTurn();
    others.push(own.find(['cyd']));
    expect(asked).toEqual([['ada']]);
    answer();
    expect([...(await first).keys()]).toEqual(['ada']);
    await nextTurn();
    expect(asked).toEqual([['ada'], ['bob', 'cyd']]);
    answer();
    expect((await Promise.all(others)).map((found) => [...found.keys()])).toEqual([['bob'], ['cyd']]);
  });

  it('of others do not wait for a call that takes long', async () => {
    const { directory, profiles: own } = profiles({ cacheMs: 0, isSlow: true });
    void own.find(['ada']);
    await nextTurn();
    directory.isSlow = false;
    const found = own.find(['bob']);
    jest.advanceTimersByTime(10);
    expect([...(await found).keys()]).toEqual(['bob']);
  });

  const away = new Error('away');
  const throwing = (): never => {
    throw away;
  };
  it.each([
    ['is slow', { isSlow: true }, 'warn' as const],
    ['fails', { fails: () => Promise.reject(away) }, 'error' as const],
    ['throws', { fails: throwing }, 'error' as const],
  ])('are the last known, for five minutes, while the directory %s', async (_, change, level) => {
    const logged = jest.spyOn(Logger.prototype, level).mockReturnValue();
    const { clock, directory, profiles: own } = profiles({ cacheMs: 500 });
    await own.find(['ada']);
    Object.assign(directory, change);
    const namesAt = async (nowMs: number) => {
      clock.nowMs = nowMs;
      const found = own.find(['ada', 'bob']);
      await nextTurn();
      jest.advanceTimersByTime(900);
      return [...(await found).values()];
    };
    expect(await namesAt(299_999)).toEqual([profileOf('ada')]);
    expect(await namesAt(300_000)).toEqual([]);
    expect(logged.mock.calls[0]?.[0]).toContain('the names last known');
  });

  it('are cached for cacheMs, unknown users too', async () => {
    const { asked, clock, profiles: own } = profiles({ cacheMs: 500 });
    await own.find(['ada', 'nobody']);
    clock.nowMs = 499;
    expect([...(await own.find(['ada', 'nobody', 'bob'])).keys()]).toEqual(['ada', 'bob']);
    expect(asked).toEqual([['ada', 'nobody'], ['bob']]);
    clock.nowMs = 500;
    await own.find(['ada', 'bob']);
    expect(asked.at(-1)).toEqual(['ada']);
  });
});
