import { defineLimit, LimitQuotas, type LeaderboardConfig, type LimitConfig, type Rule } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/reports';
import { Redis } from 'ioredis';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { afterThisTest, type AllOptions, dayMs, ManualClock, TinyApp, waitUntil, withKey } from './support';

/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-01-20T12:00:00Z');

describe('what is taken back under other rules than it was given by', () => {
  const leaderboards: readonly LeaderboardConfig[] = [
    { name: 'day', period: 'day' },
    { name: 'all', period: 'all' },
    { name: 'own', period: 'all', points: { answer: 7 } },
  ];

  const answerRule: Rule = { action: 'answer', points: 5, revocable: true, grants: [{ to: 'owner', points: 2 }] };
  const answer = { userId: 'ann', action: 'answer', subject: 'question:1', ownerId: 'bob' };

  /** An app that starts again with other options, over the same data. */
  const history = () => {
    const clock = new ManualClock(noon);
    const prefix = freshPrefix();
    return {
      clock,
      start: async (rule: Partial<Rule>, options: object = {}) => {
        const retentionMs = { day: 400 * dayMs };
        const rules = [
          { ...answerRule, ...rule },
          { action: 'other', points: 1, revocable: true },
        ];
        const app = await TinyApp.start({
          options: {
            clock,
            prefix,
            rules,
            leaderboards,
            settlement: false,
            retentionMs,
            recordTimeoutMs: 60_000,
            ...options,
          },
        });
        const ledgers = app.nest.get(Ledgers);
        const boards = ledgers.leaderboards().map(({ name }) => name);
        return {
          audits: app.nest.get(BoardAudits),
          service: app.service,
          differences: () => app.differences(),
          /** By user, the points on every board that has any. */
          standing: async () => {
            const all: Record<string, Record<string, number>> = {};
            for (const name of boards) {
              const one = ledgers.boards(name);
              for (const { member, score } of await one.reader(one.current()).top(10)) {
                (all[member] ??= {})[name] = score;
              }
            }
            return all;
          },
        };
      },
    };
  };

  const withoutGrants: Partial<Rule> = { grants: [] };
  const retired: Partial<Rule> = { points: 0, grants: [{ to: 'owner', points: 0 }] };

  it.each<[string, Partial<Rule>]>([
    ['gives its subject’s owner nothing any more', withoutGrants],
    ['gives the owner other points', { grants: [{ to: 'owner', points: 9 }] }],
    ['only counts what the owner receives', { grants: [{ to: 'owner', points: 0 }] }],
    ['was retired', retired],
    ['was retired, and gives owners nothing', { ...retired, ...withoutGrants }],
    ['is worth more', { points: 50 }],
    ['counts once for ever', { once: 'ever' }],
    ['counts once a week', { once: { days: 7 } }],
  ])('is all of it, where the rule %s', async (_, changed) => {
    const { clock, start } = history();
    const before = await start({});
    await before.service.record(answer);
    clock.advance(dayMs);
    await before.service.record([answer, { ...answer, userId: 'cid' }]);
    const after = await start(changed);
    const { outcome, owner } = await after.service.revoke(answer);
    expect([outcome, owner?.outcome, owner?.points]).toEqual(['revoked', 'revoked', -4]);
    const left = { day: 5, all: 5, own: 7 };
    expect(await after.standing()).toEqual({ cid: left, bob: { day: 2, all: 2, own: 2 } });
    expect(await after.differences()).toEqual([]);
    // Nor does it take anything twice.
    expect(await after.service.revoke(answer)).toMatchObject({ points: 0 });
    expect(await after.standing()).toMatchObject({ cid: left });
  });

  it.each<[string, Partial<Rule>, Partial<Rule>, string]>([
    ['begins', {}, { once: 'each' }, 'rules[0].once is "each": ledgers have "answer" by its subject'],
    ['ceases', { once: 'each' }, {}, 'rules[0].once is not "each": ledgers have "answer" by its id'],
  ])('is found, since no rule %s to count by ids while its ledgers are kept', async (_, rule, changed, fault) => {
    const { start } = history();
    const before = await start(rule);
    await before.service.record({ ...answer, id: '1' });
    await expect(start(changed)).rejects.toThrow(fault);
  });

  it('is one day’s alone, where each day counted and one in seven does now', async () => {
    const { clock, start } = history();
    const before = await start({});
    for (let n = 0; n < 4; n += 1) {
      await before.service.record(answer);
      clock.advance(dayMs);
    }
    const after = await start({ once: { days: 7 } });
    const second = { ...answer, grantedAt: new Date(noon + dayMs) };
    expect(await after.service.revoke(second)).toMatchObject({ points: -5, owner: { points: -2 } });
    expect(await after.standing()).toEqual({ ann: { all: 15, own: 21 }, bob: { all: 6, own: 6 } });
    expect(await after.differences()).toEqual([]);
  });

  it('is what one’s own subject gave, where it gives nothing any more', async () => {
    const { start } = history();
    const own = { ...answer, ownerId: 'ann' };
    const before = await start({});
    await before.service.record(own);
    const after = await start({ ownSubject: 'ignore' });
    expect(await after.service.record(own)).toMatchObject({ outcome: 'ignored', reason: 'ownSubject' });
    expect(await after.service.revoke(own)).toMatchObject({ outcome: 'revoked', points: -5 });
    expect(await after.standing()).toEqual({});
    expect(await after.service.revoke({ ...own, subject: 'question:2' })).toMatchObject({ outcome: 'notGranted' });
  });

  it('is what still lies on its boards, where the action counts on others now and these were rebuilt', async () => {
    const { start } = history();
    const month: LeaderboardConfig = { name: 'month', period: 'month' };
    const before = await start({}, { leaderboards: [...leaderboards, month] });
    await before.service.record([answer, { ...answer, action: 'other' }]);
    const others = [...leaderboards, { ...month, actions: ['other'] }];
    const after = await start({}, { leaderboards: others, acceptChanges: ['month'] });
    await after.audits.rebuild({ onDifference: () => undefined });
    expect(await after.standing()).toMatchObject({ ann: { day: 6, all: 6, own: 8, month: 1 } });
    await after.service.revoke(answer);
    expect(await after.standing()).toEqual({ ann: { day: 1, all: 1, own: 1, month: 1 } });
    expect(await after.differences()).toEqual([]);
  });
});

it('grants to owners fail the recording where the owner’s shard fails; a repeat, or a little time, brings them up', async () => {
  let isBroken = true;
  // As Redis would say it: asking again is of no use.
  const replyError = Object.assign(new Error('ERR broken'), { name: 'ReplyError' });
  const client = new Redis(testRedisUrl());
  const evalsha = client.evalsha.bind(client) as (...args: unknown[]) => Promise<unknown>;
  client.evalsha = (...args: unknown[]) => {
    const isOwners = args.some((arg) => typeof arg === 'string' && /:ledger:\d+:bob$/.test(arg));
    return isBroken && isOwners ? Promise.reject(replyError) : evalsha(...args);
  };
  afterThisTest(() => client.quit());
  const clock = new ManualClock(noon);
  const rules: readonly Rule[] = [
    { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 3 }] },
  ];
  const app = await TinyApp.start({ options: { clock, rules, redis: { client }, shards: 8 } });
  const dated = { userId: 'ann', action: 'praise', subject: 'a:7', ownerId: 'bob', occurredAt: new Date(noon) };
  await expect(app.service.record(dated)).rejects.toMatchObject({ code: 'unavailable' });
  expect([await app.score('ann'), await app.score('bob')]).toEqual([2, 0]);
  isBroken = false;
  expect(await app.service.record(dated)).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'granted' } });
  expect(await app.service.record(dated)).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'duplicate' } });
  isBroken = true;
  const revoke = { ...dated, occurredAt: new Date(noon + 1) };
  await expect(app.service.revoke(revoke)).rejects.toMatchObject({ code: 'unavailable' });
  expect([await app.score('ann'), await app.score('bob')]).toEqual([0, 3]);
  isBroken = false;
  // It is owed until the owner's ledger has it.
  clock.advance(10_000);
  await waitUntil(async () => (await app.score('bob')) === 0);
});

describe('limits of an app', () => {
  const brokenUntil = (allows: () => boolean) =>
    defineLimit({
      type: 'broken',
      fields: [],
      check: () => ({}),
      window: () => ({ windowMs: 1, per: 'action' }),
      allows,
    });
  /** One that fails wherever it is asked. */
  const broken = brokenUntil(() => {
    throw new Error('arithmetic');
  });

  /** One of one grant a subject, which then allows again at a moment that no date can be of: `at`, or never. */
  const endless = defineLimit({
    type: 'endless',
    fields: ['at'],
    check: ({ at }) => ({ at: new Date(typeof at === 'number' ? at : Infinity) }),
    window: () => ({ windowMs: dayMs, per: 'action' }),
    allows: ({ at }, _, given) => given.length === 0 || at,
    quota: ({ at }) => ({ used: Infinity, max: Infinity, allowedAgainAt: at }),
  });

  /** One that cannot say what is left of it. */
  const silent = defineLimit({
    type: 'silent',
    fields: [],
    check: () => ({}),
    window: () => ({ windowMs: 1, per: 'action' }),
    allows: () => true,
    quota: () => {
      throw new Error('no idea');
    },
  });

  /** All that the app logs as an error from here on. */
  function errorsOf(app: TinyApp): string[] {
    const logged: string[] = [];
    const error = (line: string) => void logged.push(line);
    app.nest.useLogger({ log: () => undefined, warn: () => undefined, error });
    return logged;
  }

  async function start(limits: readonly LimitConfig[], options: Partial<AllOptions> = {}) {
    const clock = new ManualClock('2036-11-20T12:00:00.000Z');
    const limitTypes = [broken, endless, silent];
    const app = await TinyApp.start({ options: { clock, limits, limitTypes, ...options } });
    const { service } = app;
    const record = async (action: string, subject: string) => {
      const { outcome, points, reason } = await service.record({ userId: 'ada', action, subject });
      return [outcome, points, reason];
    };
    return { app, clock, record, quotas: app.nest.get(LimitQuotas), service };
  }

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
    expect(logged).toEqual([expect.stringMatching(/^The limit "praise-broken" failed.*arithmetic/)]);
    expect(await app.metric('laurel_limit_faults_total{limit="praise-broken"}')).toBe(2);
    // Mended, and rebuilt.
    const limitTypes = [brokenUntil(() => true)];
    const mended = await start([{ type: 'broken', action: 'praise' }], { prefix: app.prefix, limitTypes });
    await mended.app.nest.get(BoardAudits).rebuild();
    expect(await mended.app.score('ada')).toBe(4);
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

  it('leave out of quotas a limit of the app’s own that fails, and operators hear of it once', async () => {
    const { app } = await start([
      { type: 'broken', action: 'praise' },
      { type: 'silent', action: 'praise' },
      { type: 'daily', action: 'praise', max: 2 },
    ]);
    const logged = errorsOf(app);
    for (let i = 0; i < 2; i += 1) {
      const path = '/activity/users/ada/quota?action=praise&subject=a';
      const answer = await app.get<{ limits: readonly object[] }>(path, withKey);
      expect(answer).toMatchObject({ status: 200, body: { limits: [{ limit: 'praise-daily', left: 2 }] } });
      expect(answer.body.limits).toHaveLength(1);
    }
    expect(logged).toEqual([expect.stringMatching(/^The limit "praise-silent" cannot be read.*no idea/)]);
  });

  it('take, in quotas, a subject that is a user for its own, as recording does', async () => {
    const { quotas, record } = await start([{ type: 'sliding', per: 'pair', max: 5, windowMs: 1000, name: 'pals' }]);
    await record('follow', 'user:eve');
    const about = { action: 'follow', subject: 'user:eve' };
    expect(await quotas.of('ada', about)).toMatchObject([{ limit: 'pals', used: 1, left: 4 }]);
    expect(await quotas.of('ada', { ...about, ownerId: 'bob' })).toMatchObject([{ limit: 'pals', used: 0 }]);
  });

  it('have quotas that are refused by path where they are asked for wrongly, and none where there are no limits', async () => {
    const { quotas } = await start([]);
    expect(await quotas.of('ada')).toEqual([]);
    await expect(quotas.of('', { action: 'dance', subject: '', ownerId: '\ud800' })).rejects.toMatchObject({
      code: 'invalidQuery',
      faults: [{ path: 'userId' }, { path: 'action' }, { path: 'subject' }, { path: 'ownerId' }],
    });
  });
});
