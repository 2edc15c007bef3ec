import type { LeaderboardConfig } from '@laurel/activity';
import type { RankLookup, RankPage, UserStandings } from '@laurel/activity/internals';
import { beginDays } from './support/past-days';
import { withKey } from './support/tiny-app';

describe.each([1, 3])('whom one compares with, on %d shards', (shards) => {
  const begin = (leaderboards?: readonly LeaderboardConfig[]) => beginDays({ options: { shards, leaderboards } });

  it('ranks users among one another, on open and on settled periods', async () => {
    const { app, clock, earn, dropDay } = await begin();
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
    await dropDay('2036-11-20');
    await isRanked();
    expect(await app.post('/ranks/day/lookup?among=yes', { userIds: ['ada'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'among' }] },
    });
  });

  it('brings the own line with any page, of periods that are settled too', async () => {
    const { app, clock, earn, dropDay } = await begin();
    await earn({ ada: 5, bob: 3, cyd: 3, dan: 3, eve: 1 });
    const me = async (query: string, user?: string) => {
      const { headers, body } = await app.get<RankPage>(
        `/ranks/day${query}`,
        user === undefined ? {} : { 'x-user': user },
      );
      return [headers.get('cache-control'), body.entries[0]?.userId, body.me && [body.me.rank, body.me.score]];
    };
    const isBrought = async (period: string) => {
      for (const [query, first] of [
        ['?limit=1', 'ada'],
        ['?limit=1&offset=1', 'bob'],
        ['?maxScore=3&limit=1', 'bob'],
        ['/users/cyd/around?radius=0', 'cyd'],
      ] as const) {
        const page = `${query}${query.includes('?') ? '&' : '?'}period=${period}`;
        expect(await me(page, 'dan')).toEqual(['public, no-cache', first, undefined]);
        expect(await me(`${page}&me=true&ranking=competition`, 'dan')).toEqual(['private, no-cache', first, [2, 3]]);
        expect(await me(`${page}&me=true`, 'nobody')).toEqual(['private, no-cache', first, [null, 0]]);
        expect(await me(`${page}&me=true`)).toEqual(['private, no-cache', first, null]);
      }
    };
    await isBrought('current');
    await app.send('/activity/exclusions/dan', { method: 'PUT', headers: withKey });
    expect((await me('?me=true', 'dan'))[2]).toEqual([null, 3]);
    await app.delete('/activity/exclusions/dan');
    clock.set('2036-11-21T08:00:00Z');
    await dropDay('2036-11-20');
    await isBrought('previous');
    expect(await app.get('/ranks/day?me=1')).toMatchObject({ status: 400, body: { errors: [{ path: 'me' }] } });
  });

  it('begins with the worst where that is wanted, in open and in settled periods', async () => {
    const { app, clock, earn, dropDay } = await begin();
    await earn({ ada: 5, bob: 3, cyd: 3, dan: 2, eve: 1 });
    const worst = (query: string) => app.page(`/ranks/day?order=worst&period=2036-11-20${query}`);
    const isReversed = async () => {
      const best = await app.page('/ranks/day?period=2036-11-20&ranking=competition');
      expect(await worst('&ranking=competition')).toEqual([...best].reverse());
      expect(best[2]).toEqual([2, 'cyd', 3]);
      expect(await worst('&limit=2&offset=1')).toEqual([
        [4, 'dan', 2],
        [3, 'cyd', 3],
      ]);
      expect(await worst('&limit=3&offset=4')).toEqual([[1, 'ada', 5]]);
      expect(await worst('&minScore=2&maxScore=3&limit=2')).toEqual([
        [4, 'dan', 2],
        [3, 'cyd', 3],
      ]);
      expect(await worst('&minScore=2&maxScore=3&offset=2')).toEqual([[2, 'bob', 3]]);
      for (const beyond of ['&offset=5', '&minScore=6', '&minScore=4&maxScore=4'])
        expect(await worst(beyond)).toEqual([]);
    };
    await isReversed();
    clock.set('2036-11-21T08:00:00Z');
    await dropDay('2036-11-20');
    await isReversed();
    const { body } = await app.get<RankPage>('/ranks/day?period=2036-11-20&limit=1');
    for (const [query, path] of [
      ['order=last', 'order'],
      [`order=worst&cursor=${encodeURIComponent(body.next ?? '')}`, 'cursor'],
    ]) {
      const refused = await app.get(`/ranks/day?period=2036-11-20&${query}`);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
  });

  it('tells where a user stands on all leaderboards, excluded users to themselves alone', async () => {
    const { app, earn, clock } = await begin([
      { name: 'day', period: 'day' },
      { name: 'month', period: 'month' },
      { name: 'parts', period: 'day', partition: 'team' },
      { name: 'contest', contest: { from: '2037-01-01', to: '2037-01-02' } },
    ]);
    await earn({ ada: 2, bob: 1 });
    clock.set('2036-11-21T08:00:00Z');
    await earn({ bob: 1, cyd: 1 });
    const everywhere = async (userId: string, headers = {}) => {
      const { status, body } = await app.get<UserStandings>(`/ranks/users/${userId}?ranking=competition`, headers);
      return [status, ...body.standings.map(({ leaderboard, entry }) => [leaderboard, entry.rank, entry.score])];
    };
    const none = ['contest', null, 0];
    expect(await everywhere('bob')).toEqual([200, ['day', 1, 1], ['month', 1, 2], none]);
    expect(await everywhere('cyd')).toEqual([200, ['day', 1, 1], ['month', 3, 1], none]);
    expect(await everywhere('nobody')).toEqual([200, ['day', null, 0], ['month', null, 0], none]);
    const [, month] = (await app.get<UserStandings>('/ranks/users/bob')).body.standings;
    expect(month).toEqual((await app.get('/ranks/month/users/bob')).body);
    await app.send('/activity/exclusions/bob', { method: 'PUT', headers: withKey });
    expect(await everywhere('bob', { 'x-user': 'ada' })).toEqual([200, ['day', null, 0], ['month', null, 0], none]);
    expect(await everywhere('bob', { 'x-user': 'bob' })).toEqual([200, ['day', null, 1], ['month', null, 2], none]);
    expect(await app.get(`/ranks/users/${'x'.repeat(129)}`)).toMatchObject({ status: 400 });
  });
});
