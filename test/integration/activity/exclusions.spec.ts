import { Exclusions, USER_DIRECTORY, type ExclusionReason, type UserDirectory } from '@laurel/activity';
import { DirectoryExclusions, type RankPage, type RankStanding } from '@laurel/activity/internals';
import { exclusionKeys } from '../../../libs/activity/src/moderation/exclusions/exclusion-records';
import { systemClock } from '@laurel/leaderboard';
import { Module } from '@nestjs/common';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { hostileNames } from './support/hostile-names';
import { platforms, stopTinyApps, TinyApp, withKey, type TinyAppOptions } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

interface State {
  readonly excluded: boolean;
  readonly exclusions: readonly { reason: string; source: string; by: string | null; note: string | null }[];
}

const at = (userId: string) => `/activity/exclusions/${encodeURIComponent(userId)}`;
const put = (app: TinyApp, userId: string, body?: object) =>
  app.send<State>(at(userId), {
    method: 'PUT',
    headers: { ...withKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const drop = (app: TinyApp, userId: string) => app.send<State>(at(userId), { method: 'DELETE', headers: withKey });

const nowMs = systemClock.now();
/** The same moments in every app, a minute ago and today: equals stand by them. */
const startedMs = Math.max(nowMs - 60_000, nowMs - (nowMs % 86_400_000));

/** Views of so many pages for each user. */
const views = (points: Readonly<Record<string, number>>) =>
  Object.entries(points).flatMap(([userId, count]) =>
    Array.from({ length: count }, (_, page) => ({
      userId,
      action: 'view',
      subject: `/${page}`,
      occurredAt: new Date(startedMs + page),
    })),
  );

const start = (options: TinyAppOptions['options'] = {}, given: TinyAppOptions = {}) =>
  TinyApp.start({
    ...given,
    options: {
      currentUser: (request) => (request as { headers: Record<string, string> }).headers['x-user'] ?? null,
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'recent', rolling: { days: 7 } },
        { name: 'team', period: 'month', partition: 'team' },
        { name: 'views', period: 'day', points: { view: 3 } },
      ],
      ...options,
    },
  });

describe.each(platforms)('excluding a user over HTTP on %s', (platform) => {
  it('needs the key, and says what is wrong with the input', async () => {
    const app = await start({}, { platform });
    expect((await app.send(at('42'), { method: 'PUT' })).status).toBe(401);
    expect((await app.get('/activity/exclusions', { authorization: 'Bearer wrong' })).status).toBe(403);
    const bad = await put(app, '42', { reason: 'bored', more: 1 });
    expect(bad).toMatchObject({ status: 400 });
    expect(JSON.stringify(bad.body)).toContain('must be one of banned, staff, optedOut, held');
    expect((await put(app, '42', { note: 'x'.repeat(513) })).status).toBe(400);
    expect((await put(app, 'x'.repeat(129))).status).toBe(400);
    for (const wrong of ['limit=0', 'cursor=x', `cursor=${2n ** 64n}`, 'cursor=']) {
      expect([wrong, (await app.get(`/activity/exclusions?${wrong}`, withKey)).status]).toEqual([wrong, 400]);
    }
    expect((await app.get('/activity/exclusions', withKey)).body).toEqual({ exclusions: [], next: null });
  });

  it('lists the excluded users with reason and operator, and shows a user again', async () => {
    const app = await start({}, { platform });
    expect((await put(app, '42')).body).toMatchObject({ excluded: true, exclusions: [{ reason: 'banned', by: null }] });
    expect((await put(app, '42', { reason: 'staff', by: 'ada', note: 'ours' })).body).toMatchObject({
      userId: '42',
      excluded: true,
      exclusions: [{ userId: '42', reason: 'staff', source: 'operator', by: 'ada', note: 'ours' }],
    });
    const { body } = await app.get<{ exclusions: object[]; next: null }>('/activity/exclusions', withKey);
    expect(body).toMatchObject({ exclusions: [{ userId: '42', reason: 'staff' }], next: null });
    expect((await drop(app, '42')).body).toEqual({ userId: '42', excluded: false, exclusions: [] });
    expect((await app.get(at('42'), withKey)).body).toEqual({ userId: '42', excluded: false, exclusions: [] });
    expect(await drop(app, '42')).toMatchObject({ status: 200, body: { excluded: false } });
  });
});

describe('a user who is excluded', () => {
  const points = { ann: 9, bob: 7, cho: 7, dan: 5, eve: 2 };
  const reads = [
    '/ranks/day?ranking=ordinal',
    '/ranks/day?ranking=competition',
    '/ranks/day?ranking=dense',
    '/ranks/day?limit=2&offset=1',
    '/ranks/day/users/cho/around?radius=1',
    '/ranks/day/users/dan',
    '/ranks/recent',
    '/ranks/recent/users/dan',
    '/ranks/team?partition=red',
    '/ranks/views',
    '/ranks/views/users/eve/around',
    '/ranks/day/periods',
  ];
  const record = (app: TinyApp, given: Readonly<Record<string, number>>) =>
    app.record(...views(given).map((view) => ({ ...view, partitions: { team: 'red' } })));
  const answers = async (app: TinyApp) => {
    const cursor = (await app.get<RankPage>('/ranks/day?limit=2')).body.next;
    const paths = [...reads, `/ranks/day?limit=2&cursor=${cursor}`];
    const found = await Promise.all(paths.map((path) => app.get<object>(path)));
    const lookup = await app.post<object>('/ranks/day/lookup', { userIds: ['dan', 'ann', 'bob'] });
    const withoutMoments = (_: string, value: unknown) => (_ === 'reachedAt' || _ === 'next' ? undefined : value);
    return JSON.stringify(
      [...found, lookup].map(({ body }) => body),
      withoutMoments,
    );
  };

  it.each(['ann', 'bob', 'eve'])(
    'stands on no board, as if %s had never been there, and comes back at once',
    async (who) => {
      const app = await start();
      await record(app, points);
      const { [who as 'ann']: _, ...others } = points;
      const without = await start();
      await record(without, others);
      const before = await answers(app);
      await put(app, who);
      expect(await answers(app)).toBe(await answers(without));
      await drop(app, who);
      expect(await answers(app)).toBe(before);
    },
  );

  it('sees their own points, as operators do; to all others the user does not exist', async () => {
    const app = await start();
    await record(app, points);
    await put(app, 'ann', { reason: 'optedOut' });
    await app.record({ userId: 'ann', action: 'view', subject: 'more', partitions: { team: 'red' } });
    for (const [board, score] of [
      ['day', 10],
      ['recent', 10],
      ['team', 10],
      ['views', 30],
    ] as const) {
      const path = `/ranks/${board}/users/ann${board === 'team' ? '?partition=red' : ''}`;
      const own = { entry: { rank: null, userId: 'ann', score, change: null }, excluded: true, percentile: null };
      expect((await app.get<RankStanding>(path, { 'x-user': 'ann' })).body).toMatchObject(own);
      expect((await app.get<RankStanding>(path, withKey)).body).toMatchObject(own);
      for (const headers of [{}, { 'x-user': 'bob' }]) {
        const { body } = await app.get<RankStanding>(path, headers);
        expect(body).toMatchObject({ entry: { rank: null, score: 0, reachedAt: null }, total: 4 });
        expect(body).not.toHaveProperty('excluded');
      }
    }
    expect((await app.get('/activity/users/ann', { 'x-user': 'ann' })).body).toMatchObject({ days: [{ points: 10 }] });
    const { body } = await app.get<RankStanding>('/ranks/day/users/bob', { 'x-user': 'bob' });
    expect(body).toMatchObject({ entry: { rank: 2 } });
    expect(body).not.toHaveProperty('excluded');
  });

  it('is told so in the outcome of what they do, and nobody else is', async () => {
    const app = await start();
    const outcomes = async (page: string) =>
      (await app.record(...['ann', 'bob'].map((userId) => ({ userId, action: 'view', subject: page })))).body.results;
    await put(app, 'ann');
    const [ann, bob] = await outcomes('1');
    expect(ann).toMatchObject({ outcome: 'granted', points: 1, scores: { day: 1, views: 3 }, excluded: true });
    expect(bob).toMatchObject({ outcome: 'granted', points: 1 });
    expect(bob).not.toHaveProperty('excluded');
    expect((await outcomes('1')).map(({ outcome, excluded }) => [outcome, excluded])).toEqual([
      ['duplicate', true],
      ['duplicate', undefined],
    ]);
    await drop(app, 'ann');
    expect((await outcomes('2')).map(({ excluded }) => excluded)).toEqual([undefined, undefined]);
  });

  it('may be called anything, and excludes nobody else', async () => {
    const app = await start();
    const names = [...hostileNames];
    await record(app, Object.fromEntries(names.map((name, i) => [name, 1 + (i % 3)])));
    for (const name of names.slice(0, 4)) expect((await put(app, name)).status).toBe(200);
    const { body } = await app.get<RankPage>('/ranks/day?limit=100');
    expect(new Set(body.entries.map(({ userId }) => userId))).toEqual(new Set(names.slice(4)));
    const list = await app.get<{ exclusions: { userId: string }[] }>('/activity/exclusions', withKey);
    expect(new Set(list.body.exclusions.map(({ userId }) => userId))).toEqual(new Set(names.slice(0, 4)));
    for (const name of names.slice(0, 4)) await drop(app, name);
    expect((await app.get<RankPage>('/ranks/day?limit=100')).body.total).toBe(names.length);
  });

  it('is excluded before the first points', async () => {
    const app = await start();
    await put(app, 'ann');
    await record(app, points);
    expect((await app.get<RankPage>('/ranks/day')).body).toMatchObject({ total: 4 });
  });

  it('is where the last of several concurrent calls put them', async () => {
    const app = await start();
    await record(app, points);
    const exclusions = app.nest.get(Exclusions);
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? exclusions.exclude('ann') : exclusions.include('ann'))),
    );
    const { excluded } = await exclusions.find('ann');
    expect((await app.get<RankPage>('/ranks/day')).body.total).toBe(excluded ? 4 : 5);
    expect((await app.get<RankPage>('/ranks/views')).body.total).toBe(excluded ? 4 : 5);
  });
});

describe('a directory that says who is excluded', () => {
  const withDirectory = async (
    named: Map<string, ExclusionReason>,
    fault: { error?: Error } = {},
    prefix = freshPrefix(),
  ) => {
    const asked: string[][] = [];
    const directory: UserDirectory = {
      find: () => Promise.resolve(new Map()),
      isExcluded: (userIds) => {
        asked.push([...userIds]);
        if (fault.error) return Promise.reject(fault.error);
        const found = new Map<string, ExclusionReason>();
        for (const userId of userIds) {
          const reason = named.get(userId);
          if (reason !== undefined) found.set(userId, reason);
        }
        return Promise.resolve(found);
      },
    };
    @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
    class Directory {}
    const app = await start({ prefix }, { extras: { imports: [Directory] } });
    return { app, asked, prefix };
  };
  const onBoard = async (app: TinyApp) =>
    (await app.get<RankPage>('/ranks/day')).body.entries.map(({ userId }) => userId).sort();

  it('is asked once for each user, before anything of theirs is recorded', async () => {
    const { app, asked } = await withDirectory(new Map([['staff', 'staff']]));
    await app.record(...views({ ann: 1, staff: 5 }));
    await app.record(...views({ ann: 2, staff: 6, bob: 1 }));
    expect(asked).toEqual([['ann', 'staff'], ['bob']]);
    expect(await onBoard(app)).toEqual(['ann', 'bob']);
    expect((await app.get<State>(at('staff'), withKey)).body).toMatchObject({
      exclusions: [{ reason: 'staff', source: 'directory' }],
    });
  });

  it('is asked before a user whom the process has not met is given points by hand', async () => {
    const { app, asked } = await withDirectory(new Map([['staff', 'staff']]));
    const adjust = async (userId: string) => {
      const adjustment = { userId, points: 5, reason: 'thanks', id: 'a1' };
      return (await app.post('/activity/adjustments', adjustment, withKey)).status;
    };
    expect([await adjust('staff'), await adjust('ann'), await adjust('ann')]).toEqual([200, 200, 200]);
    expect(asked).toEqual([['staff'], ['ann']]);
    expect(await onBoard(app)).toEqual(['ann']);
  });

  it('is asked again: what has changed is done, and what operators say stays theirs', async () => {
    const named = new Map<string, ExclusionReason>([['dan', 'optedOut']]);
    const { app } = await withDirectory(named);
    await app.record(...views({ ann: 1, bob: 1, dan: 2 }));
    await put(app, 'bob');
    named.delete('dan');
    named.set('ann', 'banned');
    await app.nest.get(DirectoryExclusions).refresh();
    expect(await onBoard(app)).toEqual(['dan']);
    named.clear();
    await app.nest.get(DirectoryExclusions).refresh();
    expect(await onBoard(app)).toEqual(['ann', 'dan']);
    named.set('bob', 'banned');
    await app.nest.get(DirectoryExclusions).refresh();
    expect((await drop(app, 'bob')).body).toMatchObject({ excluded: true, exclusions: [{ source: 'directory' }] });
  });

  it('is asked for all users on the boards, also for those whom the process has not seen', async () => {
    const named = new Map<string, ExclusionReason>();
    const { app: before, prefix } = await withDirectory(named);
    const many = Array.from({ length: 1_100 }, (_, i) => `u${i}`);
    await before.record(...views({ ann: 2 }), ...views(Object.fromEntries(many.slice(0, 900).map((id) => [id, 1]))));
    await before.record(...views(Object.fromEntries(many.slice(900).map((id) => [id, 1]))));
    const { app } = await withDirectory(named, {}, prefix);
    const last = (await app.get<RankPage>('/ranks/day?offset=1100')).body.entries[0]?.userId ?? '';
    named.set('ann', 'optedOut').set(last, 'optedOut');
    await app.nest.get(DirectoryExclusions).refresh();
    expect(await app.nest.get(Exclusions).find('ann')).toMatchObject({ excluded: true });
    expect(await app.nest.get(Exclusions).find(last)).toMatchObject({ excluded: false });
    await app.nest.get(DirectoryExclusions).refresh();
    expect(await app.nest.get(Exclusions).find(last)).toMatchObject({ excluded: true });
    expect((await app.get<RankPage>('/ranks/day')).body.total).toBe(1_099);
  });

  it('is asked in each round about some of many users whom it excludes, and the others in the next ones', async () => {
    const named = new Map<string, ExclusionReason>();
    const { app, asked, prefix } = await withDirectory(named);
    const why = JSON.stringify({ reason: 'banned', since: '2026-11-01T00:00:00.000Z', by: null, note: null });
    const many = Array.from({ length: 45_000 }, (_, i) => `u${i}`);
    for (const userId of many) named.set(userId, 'banned');
    await testRedis().hset(exclusionKeys.exclusions(prefix), new Map(many.map((id) => [`directory:${id}`, why])));
    const round = async () => {
      asked.length = 0;
      await app.nest.get(DirectoryExclusions).refresh();
      return asked.flat();
    };
    const rounds = [await round(), await round(), await round()];
    expect(new Set(rounds.flat()).size).toBe(many.length);
    // A page of a hash has some fields more than it is asked for.
    for (const users of rounds) expect(users.length).toBeLessThan(21_000);
    expect((await round()).slice(0, 100)).toEqual(rounds[0]?.slice(0, 100));
  });

  it('keeps nobody from recording while it fails', async () => {
    const fault: { error?: Error } = { error: new Error('away') };
    const { app } = await withDirectory(new Map([['staff', 'staff']]), fault);
    expect((await app.record(...views({ ann: 1, staff: 1 }))).status).toBe(200);
    expect(await onBoard(app)).toEqual(['ann', 'staff']);
  });
});
