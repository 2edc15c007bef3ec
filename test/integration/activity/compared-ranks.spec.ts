import type { RankLookup } from '@laurel/activity/internals';
import { closeTestRedis } from '../../support/redis';
import { beginDays } from './support/past-days';
import { stopTinyApps } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each([1, 3])('whom one compares with, on %d shards', (shards) => {
  const begin = () => beginDays({ options: { shards } });

  it('ranks users among one another, on open and on settled periods', async () => {
    const { app, clock, earn, archiveDay, dropDay } = await begin();
    await earn({ ada: 5, bob: 3, cyd: 3, dan: 3, eve: 1 });
    const among = async (ranking: string) => {
      const path = `/ranks/day/lookup?among=true&ranking=${ranking}&period=2036-11-20`;
      const { body } = await app.post<RankLookup>(path, { userIds: ['eve', 'nobody', 'dan', 'bob', 'eve', 'none'] });
      return body.entries.map(({ among, rank, userId }) => [among, rank, userId]);
    };
    const missing = [
      [null, null, 'nobody'],
      [null, null, 'none'],
    ];
    const isRanked = async () => {
      expect(await among('ordinal')).toEqual([[1, 2, 'bob'], [2, 4, 'dan'], [3, 5, 'eve'], ...missing]);
      expect(await among('competition')).toEqual([[1, 2, 'bob'], [1, 2, 'dan'], [3, 5, 'eve'], ...missing]);
      expect(await among('dense')).toEqual([[1, 2, 'bob'], [1, 2, 'dan'], [2, 3, 'eve'], ...missing]);
    };
    await isRanked();
    clock.set('2036-11-21T08:00:00Z');
    await archiveDay('2036-11-20');
    await dropDay('2036-11-20');
    await isRanked();
    expect(await app.post('/ranks/day/lookup?among=yes', { userIds: ['ada'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'among' }] },
    });
  });
});
