import { MostPraised, RankService, SettlementService } from '@laurel/activity';
import { Logger } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { EventStream } from '../../support/event-stream';
import { ManualClock, TinyApp, withKey } from './support';

const callers = [{}, { 'x-user': 'ann' }, { 'x-user': 'grace' }, withKey];

it('leaderboards are told of to whom the app shows them, on each route, and to nobody else', async () => {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const visibility = jest.fn(({ viewer }: { viewer: string | null }) => Promise.resolve(viewer === 'grace'));
  const badge = { name: 'Five', of: 'points', atLeast: 1 } as const;
  const app = await TinyApp.start({
    providers: [MostPraised],
    options: {
      clock,
      leaderboards: [
        { name: 'day', period: 'day', actions: ['praise'] },
        { name: 'signed', period: 'day', visibility: 'signed-in' },
        { name: 'staff', period: 'all', visibility },
        { name: 'staff-day', period: 'day', visibility, tallies: ['received:praise'] },
        { name: 'nobody', period: 'day', partition: 'team', visibility: 'nobody' },
      ],
      settlement: { everyMs: 86_400_000 },
      rewards: { levels: { points: [0, 1], leaderboard: 'staff' }, badges: [{ id: 'b', ...badge }] },
    },
  });
  const one = { userId: 'ada', action: 'praise', subject: 'a', partitions: { team: 'red' } };
  await app.record(one, { ...one, userId: 'bob', ownerId: 'ada' });
  const { paths } = SwaggerModule.createDocument(app.nest, new DocumentBuilder().build());
  const ofOne = Object.entries(paths).filter(([path]) => path.startsWith('/ranks/{leaderboard}'));
  expect(ofOne).toHaveLength(9);
  for (const [path, methods] of ofOne) {
    const seen = (leaderboard: string) =>
      Promise.all(
        callers.map(async (headers) => {
          // A stream of another period is refused, and ends.
          const asked = path.replace('{leaderboard}', leaderboard).replace('stream', 'stream?period=previous');
          const method = methods.get ? 'GET' : 'POST';
          const { status, body } = await app.send<{ detail: string }>(asked, { method, headers });
          if (status === 404) expect(body.detail).toBe('No leaderboard has this name: use one of day.');
          return status !== 404;
        }),
      );
    expect([path, await seen('day')]).toEqual([path, [true, true, true, true]]);
    expect([path, await seen('Signed')]).toEqual([path, [false, true, true, true]]);
    expect([path, await seen('STAFF')]).toEqual([path, [false, false, true, true]]);
    expect([path, await seen('nobody')]).toEqual([path, [false, false, false, true]]);
    expect([path, await seen('none')]).toEqual([path, [false, false, false, false]]);
  }
  expect(visibility.mock.calls).toContainEqual([{ leaderboard: 'staff', viewer: null }]);
  clock.set('2036-11-21T12:00:00Z');
  await app.nest.get(SettlementService).settleDue();
  for (const path of ['/ranks', '/ranks/users/ada', '/activity/users/ada/rewards?titles=true']) {
    const told = await Promise.all(callers.map(async (who) => (await app.get<object>(path, who)).body));
    const named = told.map((body) => JSON.stringify(body).match(/signed|staff(-day)?|nobody/g) ?? []);
    const [, , , withAll = []] = named;
    expect([path, named[0], named[1]?.filter((name) => name !== 'signed')]).toEqual([path, [], []]);
    expect([path, named[2]]).toEqual([path, withAll.filter((name) => name !== 'nobody')]);
    expect(withAll).toEqual(expect.arrayContaining(['staff', 'staff-day']));
  }
  const levels = callers.map(
    async (who) => (await app.get<{ level: number; streak: number }>('/activity/users/ada/rewards', who)).body,
  );
  const seen = (await Promise.all(levels)).map(({ level, streak }) => `${level} ${streak}`);
  expect(seen).toEqual(['null null', 'null 1', '2 1', '2 1']);
  const ofStaff = ['', '/periods', '/users/ada/around'].map((path) => `/ranks/staff${path}`);
  for (const path of ['/ranks', '/activity/users/ada/rewards', ...ofStaff])
    expect((await app.get(path, callers[2])).headers.get('cache-control')).toBe('private, no-cache');
});

it('streams end when their viewers do not see the leaderboard any more, by its function or as it is changed or ended', async () => {
  const visibility = jest.fn(() => Promise.resolve(true));
  const leaderboards = [{ name: 'staff', period: 'day', visibility }] as const;
  const app = await TinyApp.start({
    options: { leaderboards, commandTimeoutMs: 500, cacheMs: 60_000, streams: { heartbeatMs: 100 } },
  });
  const begin = async (name: string, visibility: string) =>
    expect((await app.post('/activity/leaderboards', { name, period: 'day', visibility }, withKey)).status).toBe(200);
  for (const name of ['late', 'never']) await begin(name, 'all');
  const [staff, second, ...others] = await Promise.all(
    ['staff', 'staff', 'late', 'never'].map(async (name) =>
      EventStream.open(`${await app.nest.getUrl()}/ranks/${name}/stream`),
    ),
  );
  for (const stream of [staff, second, ...others]) await stream?.next('standings');
  visibility.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(true);
  // No viewer waits for another: it answers as soon as it is asked about both.
  let answer: ((isSeen: boolean) => void) | undefined;
  visibility.mockImplementation(async () => {
    if (answer === undefined) return new Promise((resolve) => (answer = resolve));
    answer(false);
    return false;
  });
  for (const stream of [staff, second]) await stream?.next('closing');
  expect(visibility.mock.calls.length).toBeGreaterThanOrEqual(4);
  const kept = () => app.nest.get(RankService).kept('late', {});
  expect(kept()).toBeDefined();
  await begin('late', 'nobody');
  expect((await app.get('/ranks/late', withKey)).status).toBe(200);
  expect(kept()).toBeUndefined();
  await app.delete('/activity/leaderboards/never');
  for (const stream of others) await stream.next('closing');
  // A function that says nothing is not waited for, and one that fails shows nothing; the log says why.
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  for (const [said, told] of [
    [() => new Promise<boolean>(() => undefined), /^Error: The function `visibility` did not answer within 500 ms\n/],
    [() => Promise.reject(new TypeError('no database')), /^TypeError: no database\n +at /],
  ] as const) {
    visibility.mockImplementation(said);
    const body = { type: 'urn:laurel:problem:unavailable', detail: expect.stringContaining('`visibility`') };
    expect(await app.get('/ranks/staff')).toMatchObject({ status: 503, body });
    expect(logged).toHaveBeenLastCalledWith(expect.stringContaining('`visibility`'), expect.stringMatching(told));
  }
});
