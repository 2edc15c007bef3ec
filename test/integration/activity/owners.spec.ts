import { Redis } from 'ioredis';
import {
  Adjustments,
  ActivityService,
  LedgerService,
  METRICS_REGISTRY,
  type ActivityChange,
  type ActivityModuleOptions,
  type LeaderboardConfig,
  type Rule,
} from '@laurel/activity';
import { Ledgers, ownerField } from '@laurel/activity/internals';
import { boardSums } from '../../support/board-sums';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { announceSeed, drawer, shuffled } from '../../support/seed';
import { hostileNames } from './support/hostile-names';
import { platforms, stopTinyApps, TinyApp, withKey } from './support/tiny-app';

const minute = 60_000;
const day = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 3 }] },
  { action: 'follow', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 0 }] },
  { action: 'view', points: 1, revocable: false },
];

const praise = { userId: 'ann', action: 'praise', subject: 'article:7', ownerId: 'bob' };
const follow = { userId: 'ann', action: 'follow', subject: 'user:bob' };

const start = async (options: Partial<ActivityModuleOptions> = {}) => {
  const clock = new ManualClock(noon);
  const prefix = freshPrefix();
  const app = await TinyApp.start({ options: { clock, prefix, rules, ...options } });
  const service = app.nest.get(ActivityService);
  const ledgers = app.nest.get(Ledgers);
  const score = async (userId: string, leaderboard = 'day') => {
    const boards = ledgers.boards(leaderboard);
    return (await boards.reader(boards.current()).score(userId)) ?? 0;
  };
  return { clock, prefix, app, service, ledgers, score };
};

beforeAll(announceSeed);
afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each(platforms)("one's own subject, on %s", (platform) => {
  it.each([
    ['praised', { action: 'praise', ownerId: 'ann' }],
    ['collected', { action: 'collect', ownerId: 'ann' }],
    ['commented on', { action: 'comment', ownerId: 'ann' }],
    ['followed: oneself', { action: 'follow', subject: 'user:ann' }],
    ['followed: oneself, as its owner', { action: 'follow', subject: 'me', ownerId: 'ann' }],
  ])('earns nothing by default when it is %s', async (_, event) => {
    const app = await TinyApp.start({ platform });
    const { body } = await app.record({ userId: 'ann', subject: 'article:7', ...event });
    expect(body.results).toEqual([{ outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'ownSubject' }]);
  });

  it('counts where its rule says so, and gives its owner nothing beside', async () => {
    const own = [{ ...rules[0], ownSubject: 'count' } as Rule];
    const app = await TinyApp.start({ platform, options: { rules: own } });
    const { body } = await app.record({ ...praise, ownerId: 'ann' });
    expect(body.results).toMatchObject([{ outcome: 'granted', points: 2, scores: { day: 2 } }]);
    expect(body.results[0]).not.toHaveProperty('owner');
  });

  it('is no other user whose id looks alike', async () => {
    const app = await TinyApp.start({ platform });
    const events = ['user:ann ', 'user:Ann', 'user:', 'users:ann', `user:${'x'.repeat(300)}`, 'user:user:ann'];
    const { body } = await app.record(...events.map((subject) => ({ userId: 'ann', action: 'follow', subject })), {
      userId: 'ann',
      action: 'follow',
      subject: 'user:ann',
      ownerId: 'bob',
    });
    expect(body.results.map(({ outcome }) => outcome)).toEqual([...events, 0].map(() => 'granted'));
  });

  it('reports the owner’s points, and shows them in the owner’s history', async () => {
    const app = await TinyApp.start({ platform, options: { rules } });
    const { body } = await app.record(praise, follow, { ...praise, revoke: true }, { ...praise, userId: 'cid' });
    expect(body.results).toMatchObject([
      { outcome: 'granted', points: 2, owner: { userId: 'bob', outcome: 'granted', points: 3, scores: { day: 3 } } },
      { outcome: 'granted', points: 2 },
      { outcome: 'revoked', points: -2, owner: { userId: 'bob', outcome: 'revoked', points: -3 } },
      { outcome: 'granted', points: 2, owner: { userId: 'bob', points: 3 } },
    ]);
    expect(body.results[1]).not.toHaveProperty('owner');
    const history = await app.get<{ days: object[] }>('/activity/users/bob', withKey);
    expect(history.body.days).toEqual([
      { date: expect.any(String) as string, points: 3, actions: {}, received: { praise: 1, follow: 1 } },
    ]);
  });
});

describe('grants to owners', () => {
  it('are given once for each giver, action, subject and day, and taken back with the giver’s', async () => {
    const { clock, service, score } = await start();
    await service.record([praise, praise, { ...praise, userId: 'cid' }, { ...praise, subject: 'article:8' }]);
    expect(await score('bob')).toBe(9);
    clock.advance(day);
    await service.record(praise);
    expect([await score('bob'), await score('bob', 'month')]).toEqual([3, 12]);
    expect(await service.receivedCounts('bob')).toEqual({ praise: 4 });
    // Of both days, as the giver's.
    expect(await service.revoke(praise)).toMatchObject({ points: -4, owner: { points: -6 } });
    expect([await score('bob'), await score('bob', 'month')]).toEqual([0, 6]);
    expect(await service.receivedCounts('bob')).toEqual({ praise: 2 });
    const dated = { ...praise, userId: 'cid', grantedAt: new Date(noon) };
    expect(await service.revoke(dated)).toMatchObject({ points: -2, owner: { points: -3 } });
  });

  it('are counted where they give no points, and put nobody on a board', async () => {
    const { service, score, ledgers } = await start();
    await service.record([follow, { ...follow, userId: 'cid' }, { ...follow, userId: 'dan' }]);
    await service.revoke({ ...follow, userId: 'dan' });
    expect(await service.receivedCounts('bob')).toEqual({ follow: 2 });
    expect(await score('bob')).toBe(0);
    const board = ledgers.boards('day');
    expect(await board.reader(board.current()).size()).toBe(2);
    expect((await service.history('bob')).days).toEqual([
      { date: '2037-11-20', points: 0, actions: {}, received: { follow: 2 } },
    ]);
  });

  it('are not given for what a limit refuses, until it allows', async () => {
    const limits = [{ type: 'sliding', action: 'praise', max: 1, windowMs: minute, per: 'action' }] as const;
    const { clock, service, score } = await start({ limits });
    await service.record(praise);
    const second = { ...praise, subject: 'article:8' };
    const refused = await service.record(second);
    expect(refused.outcome).toBe('limited');
    expect(refused).not.toHaveProperty('owner');
    expect(await score('bob')).toBe(3);
    clock.advance(minute);
    expect(await service.record(second)).toMatchObject({ outcome: 'granted', owner: { outcome: 'granted' } });
    expect(await score('bob')).toBe(6);
  });

  it('take no place in the limits of who receives them, and leave what these count as it is', async () => {
    const limits = [
      { type: 'daily', action: 'praise', max: 1 },
      { type: 'daily', points: 2, name: 'all' },
    ] as const;
    const { app, prefix, service, score } = await start({ limits });
    const counting = async () => (await testRedis().keys(`{${prefix}:*}:counting`)).map((key) => testRedis().get(key));
    await service.record({ userId: 'bob', action: 'view', subject: '/' });
    const before = await Promise.all(await counting());
    await service.record([praise, { ...praise, userId: 'cid' }, { ...praise, userId: 'dan' }]);
    await app.nest.get(Adjustments).adjust({ userId: 'bob', points: 5, reason: 'x', id: '1' });
    expect(await score('bob')).toBe(15);
    expect(await service.record({ userId: 'bob', action: 'praise', subject: 'article:9' })).toMatchObject({
      outcome: 'granted',
      points: 1,
    });
    expect(await Promise.all(await counting())).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it('are given in every ledger that counts the action, on the boards that take it', async () => {
    const leaderboards: readonly LeaderboardConfig[] = [
      { name: 'day', period: 'day' },
      { name: 'kiritimati', period: 'day', timezone: 'Pacific/Kiritimati' },
      { name: 'views', period: 'day', actions: ['view'] },
      { name: 'team', period: 'day', partition: 'team' },
      { name: 'views-there', period: 'day', timezone: 'Pacific/Kiritimati', actions: ['view'] },
    ];
    const { service, score } = await start({ leaderboards });
    const outcome = await service.record({ ...praise, partitions: { team: 'red' } });
    expect(outcome.owner).toEqual({
      userId: 'bob',
      outcome: 'granted',
      points: 3,
      scores: { day: 3, 'team/red': 3, kiritimati: 3 },
    });
    await service.record(follow);
    expect([await score('bob'), await score('bob', 'kiritimati')]).toEqual([3, 3]);
    expect(await service.receivedCounts('bob')).toEqual({ praise: 1, follow: 1 });
    expect(await service.revoke({ ...praise, partitions: { team: 'red' } })).toMatchObject({ owner: { points: -3 } });
    expect([await score('bob'), await score('bob', 'kiritimati'), await score('bob', 'views')]).toEqual([0, 0, 0]);
  });

  it('are tallied, also where they give no points, and on the tallies of what is received alone', async () => {
    const tallies = ['received:praise', 'received:follow', 'given:follow'] as const;
    const { app, service, score, ledgers } = await start({
      leaderboards: [
        { name: 'day', period: 'day', tallies },
        { name: 'apia', period: 'day', timezone: 'Pacific/Apia', tallies },
      ],
    });
    await service.record([praise, { ...praise, subject: 'article:8' }, follow, { ...follow, userId: 'cid' }]);
    await service.record([follow, praise]);
    const tallied = async (side: 'g' | 'r', code: string, userId: string) =>
      Promise.all(
        ledgers.all.map((ledger) => {
          const name = ledger.settings.boards.find((board) => board.name.endsWith(`.${side}.${code}`))?.name ?? '';
          return ledger.board(name, ledger.periods.of(name)).score(userId);
        }),
      );
    const all = async (userId: string) => ({
      praised: await tallied('r', 'praise', userId),
      followed: await tallied('r', 'follow', userId),
      follows: await tallied('g', 'follow', userId),
    });
    expect(await all('bob')).toEqual({ praised: [2, 2], followed: [2, 2], follows: [null, null] });
    expect(await all('ann')).toEqual({ praised: [null, null], followed: [null, null], follows: [1, 1] });
    await service.revoke([{ ...follow, userId: 'cid' }, praise]);
    expect(await all('bob')).toEqual({ praised: [1, 1], followed: [1, 1], follows: [null, null] });
    expect([await score('bob'), await score('bob', 'apia')]).toEqual([3, 3]);
    // An adjustment is no activity: no tally counts it.
    await app.nest.get(Adjustments).adjust({ userId: 'bob', points: -2, reason: 'x', id: '1' });
    expect(await all('bob')).toEqual({ praised: [1, 1], followed: [1, 1], follows: [null, null] });
  });

  it('keep apart givers, owners and subjects made of separators, controls and emoji', async () => {
    const { service, ledgers } = await start();
    const names = hostileNames.slice(0, 8);
    const events = names.flatMap((userId) =>
      names.flatMap((ownerId) => names.map((subject) => ({ userId, action: 'praise', subject, ownerId }))),
    );
    const others = events.filter(({ userId, ownerId }) => userId !== ownerId);
    const outcomes = await service.record(others);
    expect(new Set(outcomes.map(({ owner }) => owner?.outcome))).toEqual(new Set(['granted']));
    const today = ledgers.boards('day').current();
    for (const name of names) {
      const [{ fields } = { fields: [] }] = await ledgers.main.history.days(name, today, today);
      const own = new Set(fields.map(({ field }) => field));
      for (const { userId, subject, ownerId } of others) {
        if (ownerId === name) expect(own).toContain(ownerField('praise', userId, subject));
      }
      expect((await service.receivedCounts(name)).praise).toBe((names.length - 1) * names.length);
    }
  });

  it('fail the recording where the owner’s shard fails, and repeating it brings them up', async () => {
    let broken = true;
    // As Redis would say it: asking again is of no use.
    const replyError = Object.assign(new Error('ERR broken'), { name: 'ReplyError' });
    const client = new Redis(testRedisUrl());
    const evalsha = client.evalsha.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.evalsha = (...args: unknown[]) => {
      const isOwners = args.some((arg) => typeof arg === 'string' && /:ledger:\d+:bob$/.test(arg));
      return broken && isOwners ? Promise.reject(replyError) : evalsha(...args);
    };
    try {
      const { service, score } = await start({ redis: { client }, shards: 8 });
      const dated = { ...praise, occurredAt: new Date(noon) };
      await expect(service.record(dated)).rejects.toMatchObject({ code: 'unavailable' });
      expect([await score('ann'), await score('bob')]).toEqual([2, 0]);
      broken = false;
      expect(await service.record(dated)).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'granted' } });
      expect(await service.record(dated)).toMatchObject({ outcome: 'duplicate', owner: { outcome: 'duplicate' } });
      broken = true;
      const revoke = { ...dated, occurredAt: new Date(noon + 1) };
      await expect(service.revoke(revoke)).rejects.toMatchObject({ code: 'unavailable' });
      expect([await score('ann'), await score('bob')]).toEqual([0, 3]);
      broken = false;
      expect(await service.revoke(revoke)).toMatchObject({ outcome: 'duplicate', owner: { points: -3 } });
      expect([await score('ann'), await score('bob')]).toEqual([0, 0]);
      await stopTinyApps();
    } finally {
      await client.quit();
    }
  });

  it('are taken back as they were given, where the rule has changed', async () => {
    const before = await start();
    await before.service.record(praise);
    const changed = [{ ...rules[0], grants: [{ to: 'owner', points: 9 }] } as Rule];
    const after = await start({ prefix: before.prefix, rules: changed });
    after.clock.advance(1);
    await after.service.record({ ...praise, subject: 'article:8' });
    expect(await after.score('bob')).toBe(12);
    expect(await after.service.revoke(praise)).toMatchObject({ owner: { points: -3 } });
    const versions = await after.app.nest.get(LedgerService).ruleVersions();
    const praised = versions.map((version) => version.rules.find(({ action }) => action === 'praise')?.grants);
    expect(praised).toEqual([rules[0]?.grants, changed[0]?.grants]);
  });

  it('are counted in metrics by action and outcome', async () => {
    const { app, service } = await start();
    await service.record([praise, praise]);
    const text = await app.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY).metrics();
    expect(text).toContain('laurel_received_activities_total{action="praise",outcome="granted"} 1');
    expect(text).toContain('laurel_received_activities_total{action="praise",outcome="duplicate"} 1');
  });

  it('end in the same scores whatever the order and however often activities are delivered', async () => {
    const draw = drawer();
    const leaderboards: readonly LeaderboardConfig[] = [
      { name: 'day', period: 'day', latenessMs: 10 * day },
      { name: 'month', period: 'month', latenessMs: 10 * day },
      { name: 'apia', period: 'day', timezone: 'Pacific/Apia', latenessMs: 10 * day },
    ];
    const { clock, service, ledgers } = await start({ shards: 8, leaderboards });
    clock.set(noon + 3 * day);
    for (let round = 0; round < 60; round += 1) {
      const name = (user: string) => `${round} ${user}`;
      const events = (side: string): ActivityChange[] =>
        drawn.map(({ giver, owner, ...event }) => ({
          ...event,
          userId: name(side + giver),
          ownerId: name(side + owner),
        }));
      const drawn = Array.from({ length: 2 + draw(14) }, () => {
        const [giver, owner] = [draw(3), draw(3)];
        const atMs = noon + draw(3) * day + draw(4) * 4 * 3_600_000;
        const sort = draw(4);
        const isRevoke = sort > 1;
        return {
          giver: `${giver}`,
          owner: `${owner}`,
          action: draw(3) === 0 ? 'follow' : 'praise',
          subject: `${owner}'s ${draw(2)}`,
          occurredAt: new Date(atMs),
          sequence: draw(2),
          revoke: isRevoke,
          ...(sort === 3 && { grantedAt: new Date(atMs - draw(2) * day) }),
        };
      });
      const inOrder = [...events('x')].sort((a, b) => Number(a.occurredAt) - Number(b.occurredAt));
      for (const event of inOrder) await service.apply([event]);
      const mixed = shuffled([...events('y'), ...events('y')]);
      for (let i = 0; i < mixed.length; i += 3) await service.apply(mixed.slice(i, i + 3));

      for (const user of ['0', '1', '2']) {
        const sums = await Promise.all(
          ['x', 'y'].map(async (side) => {
            const perLedger = ledgers.all.map((one) => boardSums(one, name(side + user), noon - day, noon + 4 * day));
            return Promise.all(perLedger);
          }),
        );
        expect(sums[1]).toEqual(sums[0]);
        for (const [at, ledger] of ledgers.all.entries()) {
          for (const [id, sum] of Object.entries(sums[1]?.[at] ?? {})) {
            const [board = '', key = ''] = id.split(' ');
            const reader = ledger.board(board, ledger.periods.parse(board, key));
            expect([id, await reader.score(name(`y${user}`))]).toEqual([id, sum]);
          }
        }
      }
    }
  });
});

describe('rules', () => {
  it.each([
    [{ grants: {} }, /rules\[0\]\.grants is \{\}: use a list/],
    [{ grants: [{ to: 'giver', points: 1 }] }, /rules\[0\]\.grants\[0\]\.to is "giver": use one of "owner"/],
    [{ grants: [{ to: 'owner', points: 0.5 }] }, /grants\[0\]\.points is 0.5: use a whole number from -1000000/],
    [{ grants: [{ to: 'owner', points: 1, on: 'x' }] }, /grants\[0\]\.on is unknown: there are to, points/],
    [{ grants: [1, 2].map((points) => ({ to: 'owner', points })) }, /give an owner one grant/],
    [{ code: 'owner' }, /rules\[0\]\.code is "owner": it is reserved for ledgers/],
    [{ code: 'adjust' }, /rules\[0\]\.code is "adjust": it is reserved for ledgers/],
  ])('refuse %j by name', async (change, message) => {
    const rule = { action: 'praise', points: 1, revocable: true, ...change } as unknown as Rule;
    await expect(TinyApp.start({ options: { rules: [rule] } })).rejects.toThrow(message);
  });
});

describe('an app without grants', () => {
  it('writes nothing for owners', async () => {
    const { service, prefix } = await start({ rules: [{ action: 'praise', points: 2, revocable: true }] });
    await service.record(praise);
    expect(await testRedis().keys(`{${prefix}:*}:*bob*`)).toEqual([]);
  });
});
