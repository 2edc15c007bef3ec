import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UserProfile } from '../extensions/user-directory';
import type { ActivitySettings } from '../options/settings';
import { Profiles } from './profiles';

const profileOf = (userId: string): UserProfile => ({ name: `Name of ${userId}`, avatarUrl: null });

/** Profiles of a directory that knows all users but `nobody`, and the users that it was asked for in each call. */
function profiles({ cacheMs }: { readonly cacheMs: number }) {
  const asked: (readonly string[])[] = [];
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const find = (userIds: readonly string[]) => {
    asked.push(userIds);
    const known = userIds.filter((userId) => userId !== 'nobody');
    return Promise.resolve(new Map(known.map((userId) => [userId, profileOf(userId)])));
  };
  const settings = { clock, cacheMs, commandTimeoutMs: 900 };
  return { asked, clock, profiles: new Profiles(settings as Partial<ActivitySettings> as ActivitySettings, { find }) };
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
    const asked: (readonly string[])[] = [];
    const ends: (() => void)[] = [];
    const find = (userIds: readonly string[]) => {
      asked.push(userIds);
      const found = new Map(userIds.map((userId) => [userId, profileOf(userId)]));
      return new Promise<typeof found>((resolve) => ends.push(() => resolve(found)));
    };
    const own = new Profiles({ clock: { now: () => 0 }, cacheMs: 0, commandTimeoutMs: 900 } as ActivitySettings, {
      find,
    });
    const first = own.find(['ada']);
    await nextTurn();
    const others = [own.find(['bob'])];
    await nextTurn();
    others.push(own.find(['cyd']));
    expect(asked).toEqual([['ada']]);
    ends[0]?.();
    expect([...(await first).keys()]).toEqual(['ada']);
    await nextTurn();
    expect(asked).toEqual([['ada'], ['bob', 'cyd']]);
    ends[1]?.();
    expect((await Promise.all(others)).map((found) => [...found.keys()])).toEqual([['bob'], ['cyd']]);
  });

  it('of others do not wait for a call that takes long', async () => {
    const asked: (readonly string[])[] = [];
    const find = (userIds: readonly string[]) => {
      asked.push(userIds);
      const found = new Map(userIds.map((userId) => [userId, profileOf(userId)]));
      return asked.length === 1 ? new Promise<typeof found>(() => undefined) : Promise.resolve(found);
    };
    const own = new Profiles({ clock: { now: () => 0 }, cacheMs: 0, commandTimeoutMs: 900 } as ActivitySettings, {
      find,
    });
    void own.find(['ada']);
    await nextTurn();
    const found = own.find(['bob']);
    jest.advanceTimersByTime(10);
    expect([...(await found).keys()]).toEqual(['bob']);
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
