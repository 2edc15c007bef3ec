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
  const settings: Pick<ActivitySettings, 'clock' | 'cacheMs'> = { clock, cacheMs };
  return { asked, clock, profiles: new Profiles(settings as ActivitySettings, { find }) };
}

describe('profiles', () => {
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
