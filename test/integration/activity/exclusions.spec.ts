import { Exclusions, type ExclusionReason } from '@laurel/activity';
import { DirectoryExclusions, type RankPage, type RankStanding } from '@laurel/activity/internals';
import { directoryOf, hostileNames, ManualClock, oneTinyApp, TinyApp, type TinyAppOptions, withKey } from './support';

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
const drop = (app: TinyApp, userId: string) => app.delete<State>(at(userId));

/** Ahead, so that nothing expires. Each test has a month of its own, so that all boards are empty. */
const clock = new ManualClock('2037-01-20T12:00:00Z');
beforeEach(() => clock.advance(40 * 86_400_000));
const given: TinyAppOptions['options'] = {
  clock,
  settlement: false,
  leaderboards: [
    { name: 'day', period: 'day' },
    { name: 'recent', rolling: { days: 7 } },
    { name: 'team', period: 'month', partition: 'team' },
    { name: 'views', period: 'day', points: { view: 3 } },
  ],
};

/** Views of so many pages for each user. */
const record = (app: TinyApp, points: Readonly<Record<string, number>>) =>
  app.record(
    ...Object.entries(points).flatMap(([userId, count]) =>
      Array.from({ length: count }, (_, page) => ({
        ...{ userId, action: 'view', subject: `/${page}`, partitions: { team: 'red' } },
        occurredAt: new Date(clock.now() - 60_000 + page),
      })),
    ),
  );
const points = { ann: 9, bob: 7, cho: 7, dan: 5, eve: 2 };
const total = async (app: TinyApp, board = 'day') => (await app.get<RankPage>(`/ranks/${board}`)).body.total;

const of = oneTinyApp({ options: given });

describe('excluding a user over HTTP', () => {
  it('needs the key, and says what is wrong with the input', async () => {
    const app = of();
    expect((await app.send(at('42'), { method: 'PUT' })).status).toBe(401);
    expect((await app.get('/activity/exclusions', { authorization: 'Bearer wrong' })).status).toBe(403);
    const bad = await put(app, '42', { reason: 'bored', more: 1 });
    expect(bad).toMatchObject({ status: 400 });
    expect(JSON.stringify(bad.body)).toContain('must be one of banned, staff, held');
    expect((await put(app, '42', { note: 'x'.repeat(513) })).status).toBe(400);
    expect((await put(app, 'x'.repeat(129))).status).toBe(400);
    for (const wrong of ['limit=0', 'cursor=x', `cursor=${2n ** 64n}`, 'cursor=']) {
      expect([wrong, (await app.get(`/activity/exclusions?${wrong}`, withKey)).status]).toEqual([wrong, 400]);
    }
    expect((await app.get('/activity/exclusions', withKey)).body).toEqual({ exclusions: [], next: null });
  });

  it('lists the excluded users with reason and operator, and shows a user again', async () => {
    const app = of();
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
  const reads = [
    ...['ordinal', 'competition', 'dense'].map((ranking) => `/ranks/day?ranking=${ranking}`),
    ...['?limit=2&offset=1', '/users/cho/around?radius=1', '/users/dan', '/periods'].map((one) => `/ranks/day${one}`),
    ...['recent', 'recent/users/dan', 'team?partition=red', 'views'].map((one) => `/ranks/${one}`),
    '/ranks/views/users/eve/around',
  ];
  const answers = async (app: TinyApp) => {
    const cursor = (await app.get<RankPage>('/ranks/day?limit=2')).body.next;
    const paths = [...reads, `/ranks/day?limit=2&cursor=${cursor}`];
    const found = await Promise.all(paths.map((path) => app.get<object>(path)));
    const lookup = await app.post<object>('/ranks/day/lookup', { userIds: ['dan', 'ann', 'bob'] });
    expect([...found, lookup].map(({ status }) => status)).toEqual([...paths, 'lookup'].map(() => 200));
    const withoutMoments = (name: string, value: unknown) =>
      name === 'reachedAt' || name === 'next' ? undefined : value;
    const bodies = [...found, lookup].map(({ body }) => body);
    return JSON.stringify(bodies, withoutMoments);
  };

  it('stands on no board, as if the user had never been there, and comes back at once', async () => {
    const app = await TinyApp.start({ options: given });
    await record(app, points);
    const before = await answers(app);
    for (const who of ['ann', 'bob', 'eve'] as const) {
      const without = await TinyApp.start({ options: given });
      const { [who]: _, ...others } = points;
      await record(without, others);
      await put(app, who);
      expect(await answers(app)).toBe(await answers(without));
      await drop(app, who);
      expect(await answers(app)).toBe(before);
    }
  });

  it('sees their own points, as operators do; to all others the user does not exist', async () => {
    const app = of();
    await record(app, points);
    await put(app, 'ann', { reason: 'staff' });
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
    await drop(app, 'ann');
  });

  it('opts out and in by themselves, at once; neither lifts nor overwrites what an operator says', async () => {
    const app = of();
    await record(app, points);
    const optOut = (method: string, headers: Record<string, string> = { 'x-user': 'ann' }) =>
      app.send('/activity/users/ann/opt-out', { method, headers });
    const ban = { reason: 'banned', source: 'operator', by: 'ada', note: 'three accounts' };
    expect((await optOut('PUT', {})).status).toBe(401);
    expect((await optOut('PUT', { 'x-user': 'bob' })).status).toBe(403);
    expect(await optOut('PUT')).toMatchObject({ status: 200, body: { userId: 'ann', optedOut: true } });
    expect(await total(app)).toBe(4);
    const standing = async (who: string) => (await app.get('/ranks/day/users/ann', { 'x-user': who })).body;
    await app.record({ userId: 'ann', action: 'view', subject: 'more' });
    expect(await standing('ann')).toMatchObject({ excluded: true, optedOut: true, entry: { rank: null, score: 10 } });
    expect(await standing('bob')).not.toHaveProperty('optedOut');
    await put(app, 'ann', { by: ban.by, note: ban.note });
    await optOut('PUT');
    expect((await app.get<State>(at('ann'), withKey)).body.exclusions).toMatchObject([
      ban,
      { reason: 'optedOut', source: 'user', by: null, note: null },
    ]);
    expect((await drop(app, 'ann')).body.exclusions).toMatchObject([{ source: 'user' }]);
    await put(app, 'ann', { by: ban.by, note: ban.note });
    // The user learns nothing of why an operator excludes them.
    expect((await optOut('DELETE')).body).toEqual({ userId: 'ann', optedOut: false });
    expect((await optOut('GET')).body).toEqual({ userId: 'ann', optedOut: false });
    expect(await standing('ann')).not.toHaveProperty('optedOut');
    expect((await app.get<State>(at('ann'), withKey)).body.exclusions).toMatchObject([ban]);
    expect(await total(app)).toBe(4);
    await drop(app, 'ann');
    expect(await total(app)).toBe(5);
    expect(await standing('bob')).toMatchObject({ entry: { rank: 1, score: 10 } });
  });

  it('may be called anything, and excludes nobody else', async () => {
    const app = of();
    const names = [...hostileNames];
    await record(app, Object.fromEntries(names.map((name, i) => [name, 1 + (i % 3)])));
    for (const name of names.slice(0, 4)) expect((await put(app, name)).status).toBe(200);
    const { body } = await app.get<RankPage>('/ranks/day?limit=100');
    expect(new Set(body.entries.map(({ userId }) => userId))).toEqual(new Set(names.slice(4)));
    const list = await app.get<{ exclusions: { userId: string }[] }>('/activity/exclusions', withKey);
    expect(new Set(list.body.exclusions.map(({ userId }) => userId))).toEqual(new Set(names.slice(0, 4)));
    for (const name of names.slice(0, 4)) await drop(app, name);
    expect(await total(app)).toBe(names.length);
  });
});

describe('a directory that says who is excluded', () => {
  const named = new Map<string, ExclusionReason>();
  const asked: string[][] = [];
  let isAway = false;
  const isExcluded = (userIds: readonly string[]) => {
    asked.push([...userIds]);
    return isAway ? Promise.reject(new Error('away')) : Promise.resolve(named);
  };
  const extras = { imports: [directoryOf({ isExcluded })] };
  const withDirectory = () => TinyApp.start({ options: given, extras });
  const onBoard = async (app: TinyApp) => (await app.page('/ranks/day')).map(([, userId]) => userId).sort();
  beforeEach(() => {
    named.clear();
    asked.length = 0;
    isAway = false;
  });

  it('is asked once for each user, before anything of theirs is recorded or given by hand', async () => {
    const app = await withDirectory();
    named.set('staff', 'staff').set('guest', 'staff');
    await record(app, { ann: 1, staff: 5 });
    await record(app, { ann: 2, staff: 6, bob: 1 });
    expect(asked).toEqual([['ann', 'staff'], ['bob']]);
    expect(await onBoard(app)).toEqual(['ann', 'bob']);
    expect((await app.get<State>(at('staff'), withKey)).body).toMatchObject({
      exclusions: [{ reason: 'staff', source: 'directory' }],
    });
    for (const userId of ['guest', 'dan', 'dan']) {
      const adjustment = { userId, points: 5, reason: 'thanks', id: 'a1' };
      expect((await app.post('/activity/adjustments', adjustment, withKey)).status).toBe(200);
    }
    expect(asked.slice(2)).toEqual([['guest'], ['dan']]);
    expect(await onBoard(app)).toEqual(['ann', 'bob', 'dan']);
  });

  it('is asked again: what has changed is done, and what operators say stays theirs', async () => {
    const app = await withDirectory();
    const refresh = () => app.nest.get(DirectoryExclusions).refresh();
    named.set('dan', 'optedOut');
    await record(app, { ann: 1, bob: 1, dan: 2 });
    await put(app, 'bob');
    named.delete('dan');
    named.set('ann', 'banned');
    await refresh();
    expect(await onBoard(app)).toEqual(['dan']);
    named.clear();
    await refresh();
    expect(await onBoard(app)).toEqual(['ann', 'dan']);
    named.set('bob', 'banned');
    await refresh();
    expect((await drop(app, 'bob')).body).toMatchObject({ excluded: true, exclusions: [{ source: 'directory' }] });
  });

  it('is asked for all users on the boards, also for those whom the process has not seen', async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => `u${i}`);
    const before = await withDirectory();
    const viewed = [...many, 'ann', 'ann'].map((userId, i) => ({ userId, action: 'view', subject: `/${i}` }));
    await before.service.record(viewed);
    const app = await TinyApp.start({ options: { ...given, prefix: before.prefix }, extras });
    const [, last] = (await app.page('/ranks/day?offset=1100'))[0] ?? [];
    named.set('ann', 'optedOut').set(last ?? '', 'optedOut');
    const excluded = () => Promise.all(['ann', last ?? ''].map((userId) => app.nest.get(Exclusions).find(userId)));
    const refresh = () => app.nest.get(DirectoryExclusions).refresh();
    await refresh();
    expect(await excluded()).toMatchObject([{ excluded: true }, { excluded: false }]);
    await refresh();
    expect(await excluded()).toMatchObject([{ excluded: true }, { excluded: true }]);
    expect(await total(app)).toBe(1_099);
  });
});
