import {
  ActivityService,
  defineLimit,
  LimitQuotas,
  METRICS_REGISTRY,
  type ActivityModuleOptions,
  type LimitConfig,
} from '@laurel/activity';
import { startRedis, type RedisServer } from '@laurel/servers';
import { ManualClock } from '../../support/clock';
import { closeTestRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

/** A Redis of the test's own, which outlives its app. */
let server: RedisServer | undefined;

afterEach(async () => {
  await stopTinyApps();
  await server?.stop();
  server = undefined;
});
afterAll(closeTestRedis);

const noon = '2036-11-20T12:00:00.000Z';

/** A limit of the app’s own: a user's activities on one subject are so many milliseconds apart. */
const pause = defineLimit({
  type: 'pause',
  lua: {
    check: `
      local last = call('GET', keys[1])
      if last and grant.ms < tonumber(last) + args[1] then return tonumber(last) + args[1] end`,
    take: `call('SET', keys[1], string.format('%d', grant.ms), 'PX', args[1])`,
    quota: `return call('EXISTS', keys[1]), 1`,
  },
  fields: ['everyMs'],
  check: ({ everyMs }, refuse) =>
    typeof everyMs === 'number' && everyMs > 0 ? { everyMs } : refuse('everyMs', 'use a number from 1'),
  prepare: ({ everyMs }, { subject }) => {
    if (subject === 'unpreparable') throw new Error('no such subject');
    return { keys: [subject], args: [everyMs] };
  },
});

/** One that fails wherever it is asked. */
const broken = defineLimit({
  type: 'broken',
  lua: { check: `return call('GET', keys[1]) + nil` },
  fields: [],
  check: () => ({}),
  prepare: () => ({ keys: ['last'], args: [] }),
});

/** One of one grant a subject, which then allows again at a moment that no date can be of: `at`, or never. */
const endless = defineLimit({
  type: 'endless',
  lua: {
    check: `if call('EXISTS', keys[1]) == 1 then return args[1] or math.huge end`,
    take: `call('SET', keys[1], '')`,
    quota: `return math.huge, math.huge, args[1] or math.huge`,
  },
  fields: ['at'],
  check: ({ at }) => ({ at: at as number | undefined }),
  prepare: ({ at }) => ({ keys: ['k'], args: at === undefined ? [] : [at] }),
});

/** One that cannot say what is left of it. */
const silent = defineLimit({
  type: 'silent',
  lua: { check: 'return nil', quota: `error('no idea')` },
  fields: [],
  check: () => ({}),
  prepare: () => ({ keys: [], args: [] }),
});

/** All that the app logs as an error from here on. */
function errorsOf(app: TinyApp): string[] {
  const logged: string[] = [];
  const error = (line: string) => void logged.push(line);
  app.nest.useLogger({ log: () => undefined, warn: () => undefined, error });
  return logged;
}

async function start(limits: readonly LimitConfig[], options: Partial<ActivityModuleOptions> = {}) {
  const clock = new ManualClock(noon);
  const app = await TinyApp.start({
    options: { clock, limits, limitTypes: [pause, broken, endless, silent], ...options },
  });
  const service = app.nest.get(ActivityService);
  const record = async (action: string, subject: string, more: { ownerId?: string; userId?: string } = {}) => {
    const { outcome, points, reason } = await service.record({ userId: 'ada', action, subject, ...more });
    return [outcome, points, reason];
  };
  const revoke = async (action: string, subject: string) =>
    (await service.revoke({ userId: 'ada', action, subject })).outcome;
  const quotas = app.nest.get(LimitQuotas);
  return { app, clock, record, revoke, quotas, service };
}

describe('the limits of an app', () => {
  it('count all actions together where they name none', async () => {
    const { record, revoke } = await start([{ type: 'daily', max: 2 }]);
    expect(await record('view', '/')).toEqual(['granted', 1, undefined]);
    expect(await record('praise', 'a')).toEqual(['granted', 2, undefined]);
    expect(await record('comment', 'a')).toEqual(['limited', 0, 'all-daily']);
    expect(await revoke('praise', 'a')).toBe('revoked');
    expect(await record('comment', 'a')).toEqual(['granted', 3, undefined]);
  });

  it('give what is left of a day’s points, on the history too', async () => {
    const { record, service, revoke } = await start([{ type: 'daily', points: 4 }]);
    expect(await record('comment', 'a')).toEqual(['granted', 3, undefined]);
    expect(await record('praise', 'a')).toEqual(['granted', 1, 'all-daily']);
    expect(await record('view', 'a')).toEqual(['limited', 0, 'all-daily']);
    expect((await service.history('ada')).days).toEqual([
      { date: '2036-11-20', points: 4, actions: { comment: 1, praise: 1 } },
    ]);
    expect(await revoke('comment', 'a')).toBe('revoked');
    expect(await record('publish', 'a')).toEqual(['granted', 3, 'all-daily']);
  });

  it('count pairs of users, whatever the action where they name none', async () => {
    const { record, clock } = await start([{ type: 'sliding', per: 'pair', max: 2, windowMs: 60_000, name: 'pals' }]);
    const of = (ownerId: string) => ({ ownerId });
    expect(await record('praise', 'a', of('eve'))).toEqual(['granted', 2, undefined]);
    expect(await record('collect', 'a', of('eve'))).toEqual(['granted', 2, undefined]);
    expect(await record('praise', 'b', of('eve'))).toEqual(['limited', 0, 'pals']);
    expect(await record('praise', 'b', of('eve:'))).toEqual(['granted', 2, undefined]);
    expect(await record('praise', 'c')).toEqual(['granted', 2, undefined]);
    expect(await record('praise', 'b', { ownerId: 'eve', userId: 'ada:' })).toEqual(['granted', 2, undefined]);
    clock.advance(59_999);
    expect(await record('praise', 'd', of('eve'))).toEqual(['limited', 0, 'pals']);
    clock.advance(1);
    expect(await record('praise', 'd', of('eve'))).toEqual(['granted', 2, undefined]);
  });

  it('can be of a type of the app’s own, in the same call', async () => {
    const { record, clock } = await start([
      { type: 'pause', action: 'praise', everyMs: 1000 },
      { type: 'daily', action: 'praise', max: 2 },
    ]);
    expect(await record('praise', 'a')).toEqual(['granted', 2, undefined]);
    expect(await record('comment', 'a')).toEqual(['granted', 3, undefined]);
    expect(await record('praise', 'a', { userId: 'bob' })).toEqual(['granted', 2, undefined]);
    clock.advance(999);
    expect(await record('praise', 'a')).toEqual(['duplicate', 0, undefined]);
    expect(await record('praise', 'b')).toEqual(['granted', 2, undefined]);
    expect(await record('praise', 'c')).toEqual(['limited', 0, 'praise-daily']);
    await expect(record('praise', 'unpreparable')).rejects.toThrow('no such subject');
  });

  it('say why they refuse everything where they fail: operators, not users', async () => {
    const { app, service } = await start([{ type: 'broken', action: 'praise' }]);
    const logged = errorsOf(app);
    for (const subject of ['a', 'b']) {
      const outcome = await service.record({ userId: 'ada', action: 'praise', subject });
      expect(outcome).toMatchObject({ outcome: 'limited', reason: 'praise-broken' });
      expect(JSON.stringify(outcome)).not.toContain('fault');
    }
    const fault = expect.stringContaining('arithmetic') as string;
    const { body } = await app.get<{ refusals: readonly object[] }>('/activity/refusals', withKey);
    expect(body.refusals).toMatchObject([
      { subject: 'b', reason: 'praise-broken', fault },
      { subject: 'a', fault },
    ]);
    expect(logged).toEqual([expect.stringMatching(/^The limit "praise-broken" fails.*arithmetic/)]);
    const registry = app.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY);
    expect(await registry.metrics()).toContain('laurel_limit_faults_total{limit="praise-broken"} 2');
  });

  it('allow again at no moment where they name one that no date can be of, and fail nobody', async () => {
    const { app } = await start([
      { type: 'endless', action: 'praise' },
      { type: 'endless', action: 'collect', at: 8.64e15 + 2 },
      { type: 'endless', action: 'comment', at: 8.64e15 },
    ]);
    const actions = ['praise', 'collect', 'comment'];
    const { status, body } = await app.record(
      ...[...actions, ...actions, 'view'].map((action, i) => ({ userId: 'ada', action, subject: `${i}` })),
    );
    expect([status, body.results.slice(3)]).toMatchObject([
      200,
      [
        { outcome: 'limited', refusal: { limit: 'praise-endless', allowedAgainAt: null } },
        { outcome: 'limited', refusal: { limit: 'collect-endless', allowedAgainAt: null } },
        { outcome: 'limited', refusal: { limit: 'comment-endless', allowedAgainAt: '+275760-09-13T00:00:00.000Z' } },
        { outcome: 'granted' },
      ],
    ]);
    const answer = await app.get('/activity/users/ada/quota?subject=a', withKey);
    const unknown = { max: null, used: null, left: null, allowedAgainAt: null };
    expect(answer).toMatchObject({
      status: 200,
      body: { limits: [unknown, unknown, { ...unknown, allowedAgainAt: '+275760-09-13T00:00:00.000Z' }] },
    });
  });

  it('are days of each leaderboard’s own zone', async () => {
    // In Auckland it is one o'clock of the next day.
    const { service, clock } = await start([{ type: 'daily', action: 'praise', max: 1 }], {
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'south', period: 'day', timezone: 'Pacific/Auckland' },
      ],
    });
    const praise = (subject: string) => service.record({ userId: 'ada', action: 'praise', subject });
    clock.set(Date.parse('2036-11-20T10:59:59.999Z'));
    expect((await praise('a')).scores).toEqual({ day: 2, south: 2 });
    clock.advance(1);
    const second = await praise('b');
    expect(second).toMatchObject({ outcome: 'limited', boards: { day: 'refused', south: 'counted' } });
    expect(second.scores).toEqual({ day: 2, south: 2 });
  });

  it('grant nothing while Redis is away, and are in force when it is back', async () => {
    server = await startRedis();
    const { app, record, service } = await start([{ type: 'daily', action: 'praise', max: 1 }], {
      redis: { url: server.url },
      recordTimeoutMs: 1_500,
    });
    expect(await record('praise', 'a')).toEqual(['granted', 2, undefined]);
    server.pause();
    try {
      await expect(record('praise', 'b')).rejects.toMatchObject({ code: 'unavailable' });
      const events = [{ userId: 'ada', action: 'praise', subject: 'b' }];
      expect((await app.post('/activity/events', { events }, withKey)).status).toBe(503);
      await expect(app.nest.get(LimitQuotas).of('ada')).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      server.resume();
    }
    await waitUntil(async () => (await app.get('/ranks/day')).status === 200);
    expect(await record('praise', 'c')).toEqual(['limited', 0, 'praise-daily']);
    expect((await service.history('ada')).days).toEqual([{ date: '2036-11-20', points: 2, actions: { praise: 1 } }]);
  });
});

describe('a user’s quotas', () => {
  it('say what is left of each limit, for what is asked', async () => {
    const { quotas, record, clock } = await start([
      { type: 'daily', action: 'praise', max: 2 },
      { type: 'daily', points: 50, name: 'points' },
      { type: 'sliding', action: 'praise', per: 'action', max: 2, windowMs: 60_000 },
      { type: 'sliding', action: 'comment', per: 'subject', max: 1, windowMs: 1000 },
      { type: 'sliding', per: 'pair', max: 5, windowMs: 1000, name: 'pals' },
      { type: 'pause', action: 'praise', everyMs: 1000 },
    ]);
    await record('praise', 'a', { ownerId: 'eve' });
    clock.advance(1);
    await record('praise', 'b', { ownerId: 'eve' });
    await record('comment', 'b', { ownerId: 'eve' });
    const used = async (...about: Parameters<LimitQuotas['of']> extends [string, ...infer Rest] ? Rest : never) =>
      Object.fromEntries((await quotas.of('ada', ...about)).map(({ limit, used: n, left }) => [limit, [n, left]]));
    expect(await quotas.of('ada', { action: 'praise' })).toEqual([
      {
        limit: 'praise-daily',
        type: 'daily',
        action: 'praise',
        of: 'grants',
        max: 2,
        used: 2,
        left: 0,
        allowedAgainAt: new Date('2036-11-21T00:00:00.000Z'),
      },
      {
        limit: 'points',
        type: 'daily',
        action: null,
        of: 'points',
        max: 50,
        used: 7,
        left: 43,
        allowedAgainAt: null,
      },
      {
        limit: 'praise-sliding',
        type: 'sliding',
        action: 'praise',
        of: 'grants',
        max: 2,
        used: 2,
        left: 0,
        allowedAgainAt: new Date('2036-11-20T12:01:00.000Z'),
      },
    ]);
    expect(await used({ subject: 'b', ownerId: 'eve' })).toEqual({
      'praise-daily': [2, 0],
      points: [7, 43],
      'praise-sliding': [2, 0],
      'comment-sliding': [1, 0],
      pals: [3, 2],
      'praise-pause': [1, 0],
    });
    expect(await used({ subject: 'other', action: 'comment' })).toEqual({ points: [7, 43], 'comment-sliding': [0, 1] });
    expect((await quotas.of('bob')).map(({ left }) => left)).toEqual([2, 50, 2]);
    clock.set(Date.parse('2036-11-21T00:00:00Z'));
    expect((await quotas.of('ada')).map(({ left }) => left)).toEqual([2, 50, 2]);
  });

  it('leave out a limit of the app’s own that fails, and operators hear of it once', async () => {
    const { app } = await start([
      { type: 'pause', action: 'praise', everyMs: 1000 },
      { type: 'silent', action: 'praise' },
      { type: 'daily', action: 'praise', max: 2 },
    ]);
    const logged = errorsOf(app);
    for (let i = 0; i < 2; i += 1) {
      const path = '/activity/users/ada/quota?action=praise&subject=unpreparable';
      const answer = await app.get<{ limits: readonly object[] }>(path, withKey);
      expect(answer).toMatchObject({ status: 200, body: { limits: [{ limit: 'praise-daily', left: 2 }] } });
      expect(answer.body.limits).toHaveLength(1);
    }
    expect(logged).toEqual([
      expect.stringMatching(/^The limit "praise-pause" cannot be read.*no such subject/),
      expect.stringMatching(/^The limit "praise-silent" cannot be read.*no idea/),
    ]);
  });

  it('take a subject that is a user for its own, as recording does', async () => {
    const { quotas, record } = await start([{ type: 'sliding', per: 'pair', max: 5, windowMs: 1000, name: 'pals' }]);
    await record('follow', 'user:eve');
    const about = { action: 'follow', subject: 'user:eve' };
    expect(await quotas.of('ada', about)).toMatchObject([{ limit: 'pals', used: 1, left: 4 }]);
    expect(await quotas.of('ada', { ...about, ownerId: 'bob' })).toMatchObject([{ limit: 'pals', used: 0 }]);
  });

  it('are refused by path where they are asked for wrongly, and none where there are no limits', async () => {
    const { quotas } = await start([]);
    expect(await quotas.of('ada')).toEqual([]);
    await expect(quotas.of('', { action: 'dance', subject: '', ownerId: '\ud800' })).rejects.toMatchObject({
      code: 'invalidQuery',
      faults: [{ path: 'userId' }, { path: 'action' }, { path: 'subject' }, { path: 'ownerId' }],
    });
  });
});
