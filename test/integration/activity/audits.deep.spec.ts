import type { ActivityChange } from '@laurel/activity';
import { BoardAudits, type BoardAuditReport } from '@laurel/activity/tools';
import { Period, type AuditDifference } from '@laurel/leaderboard';
import { PackedScore } from '@laurel/leaderboard/internals';
import { keys, shardOf, shardTags } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import type { AllOptions } from '../../support/activity-imports';
import { closeTestRedis, testRedis } from '../../support/redis';
import { announceSeed, drawer } from '../../support/seed';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Thursday: five days of its week, and of its month, lie at or before it. */
const now = Date.parse('2036-11-20T12:00:00Z');
const users = Array.from({ length: 12 }, (_, n) => `user ${n}`);

const options: Partial<AllOptions> = {
  rules: [
    { action: 'view', points: 1, revocable: false, code: 'v' },
    { action: 'praise', points: 2, revocable: true, code: 'p', grants: [{ to: 'owner', points: 1 }] },
    { action: 'comment', points: 3, revocable: true, code: 'm' },
    { action: 'course', points: 5, revocable: true, code: 'k', days: 3 },
  ],
  limits: [
    { type: 'daily', action: 'comment', max: 6 },
    { type: 'daily', points: 60, name: 'all-day' },
    { type: 'sliding', action: 'praise', max: 8, windowMs: 2 * hourMs, per: 'action' },
    { type: 'sliding', action: 'comment', max: 2, windowMs: dayMs, per: 'subject' },
    { type: 'sliding', max: 5, windowMs: hourMs, per: 'pair', name: 'pairs' },
  ],
  leaderboards: [
    { name: 'day', period: 'day', latenessMs: 10 * dayMs, tallies: ['given:comment', 'received:praise'] },
    { name: 'week', period: 'week' },
    { name: 'month', period: 'month' },
    { name: 'talk', period: 'month', actions: ['comment'] },
  ],
  firstDays: true,
  settlement: false,
};

const redis = testRedis();
beforeAll(announceSeed);
afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each([1, 3])('auditing boards, on %d shards', (shards) => {
  const tagOf = (userId: string) => shardTags(shards)[shardOf(userId, shards)] as string;

  async function startBare(given: Partial<AllOptions>) {
    const clock = new ManualClock(now);
    const app = await TinyApp.start({ options: { settlement: false, shards, clock, ...given } });
    const audit = async (heals = false) => {
      const found: AuditDifference[] = [];
      const audits = app.nest.get(BoardAudits);
      const onDifference = (difference: AuditDifference) => found.push(difference);
      const report: BoardAuditReport = await (heals
        ? audits.rebuild({ onDifference })
        : audits.verify({ onDifference }));
      return { report, found };
    };
    return { prefix: app.prefix, clock, app, service: app.service, audit };
  }
  const start = (given: Partial<AllOptions> = {}) => startBare({ ...options, ...given });
  type Started = Awaited<ReturnType<typeof startBare>>;

  /** What there is under a prefix of what is compared, without what differs from one prefix to another. */
  async function everything({ prefix }: Started): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {};
    for (const tag of shardTags(shards)) {
      const found = await redis.keys(`{${prefix}:${tag}}:*`);
      for (const key of found) {
        const name = key.slice(key.indexOf('}:') + 2);
        const kind = /^[a-z-]+/.exec(name)?.[0] ?? '';
        const id = `${tag} ${name}`;
        if (['board', 'aside', 'first-days'].includes(kind)) {
          all[id] = await redis.zrange(key, '0', '-1', 'WITHSCORES');
        } else if (['ledger', 'always', 'revokes'].includes(kind)) {
          all[id] = await redis.hgetall(key);
        }
      }
    }
    return all;
  }

  /** What two apps are told alike: nothing of it repeated, so that ledgers know each moment. */
  async function live({ clock, service }: Started): Promise<void> {
    for (let day = 4; day >= 0; day -= 1) {
      clock.set(now - day * dayMs);
      const changes = users.flatMap((userId, n) =>
        [0, 1, 2].flatMap((nth): ActivityChange[] => {
          const occurredAt = new Date(clock.now() - n * 60_000 - nth * 7_000);
          return [
            { userId, action: 'praise', subject: `a:${day}:${nth}`, ownerId: 'ann', occurredAt },
            { userId, action: 'comment', subject: `b:${day}:${nth}`, occurredAt },
          ];
        }),
      );
      await service.apply(changes);
      await service.apply([{ ...(changes[0] as ActivityChange), occurredAt: new Date(clock.now()), revoke: true }]);
    }
  }

  const dayKey = '2036-11-20';
  const score = (kind: 'day' | 'month', date: string) =>
    new PackedScore({ period: Period.of(kind, new Date(date), 'UTC') });

  /** Each thing that may be wrong, made wrong in Redis itself, and how it is named. */
  const faults: [string, (prefix: string) => Promise<unknown>, Partial<AuditDifference>][] = [
    [
      'a time after what stands',
      async (prefix) => {
        const board = keys.board(prefix, tagOf('user 1'), 'day', dayKey);
        const { unit } = score('day', dayKey);
        const raw = Number(await redis.zscore(board, 'user 1'));
        const elapsed = 20 * hourMs;
        await redis.zadd(board, String(raw - (raw % unit) + unit - 1 - elapsed), 'user 1');
      },
      {
        ...{ fault: 'time', board: 'day', period: dayKey, member: 'user 1' },
        ...{ expected: now - 60_000, found: Date.parse('2036-11-20T20:00:00Z') },
      },
    ],
    [
      'a time before what stands',
      async (prefix) => {
        const board = keys.board(prefix, tagOf('user 2'), 'month', '2036-11');
        const { unit } = score('month', dayKey);
        const raw = Number(await redis.zscore(board, 'user 2'));
        await redis.zadd(board, String(raw - (raw % unit) + unit - 1), 'user 2');
      },
      {
        ...{ fault: 'time', board: 'month', period: '2036-11', member: 'user 2' },
        ...{ expected: now - 120_000, found: Date.parse('2036-11-01') },
      },
    ],
    [
      'a first day that is too late',
      (prefix) => redis.zadd(keys.firstDays(prefix, tagOf('user 5')), Date.parse(dayKey) / dayMs, 'user 5'),
      {
        ...{ fault: 'firstDay', board: 'firstDays', period: '2036-11-16', member: 'user 5' },
        ...{ expected: Date.parse('2036-11-16'), found: Date.parse(dayKey) },
      },
    ],
    [
      'a first day that is missing',
      (prefix) => redis.zrem(keys.firstDays(prefix, tagOf('user 6')), 'user 6'),
      { fault: 'firstDay', member: 'user 6', expected: Date.parse('2036-11-16'), found: null },
    ],
    [
      'points of a day',
      (prefix) => {
        const board = keys.board(prefix, tagOf('user 9'), 'day', '2036-11-18');
        return redis.zincrby(board, score('day', '2036-11-18').unit, 'user 9');
      },
      { fault: 'points', board: 'day', period: '2036-11-18', member: 'user 9', expected: 15, found: 16 },
    ],
    [
      'points of a month',
      (prefix) => {
        const board = keys.board(prefix, tagOf('user 10'), 'month', '2036-11');
        return redis.zincrby(board, -2 * score('month', dayKey).unit, 'user 10');
      },
      { fault: 'points', board: 'month', period: '2036-11', member: 'user 10', expected: 75, found: 73 },
    ],
  ];

  it('names each thing that is wrong, and rebuild makes it what a twin is that was never broken', async () => {
    const [broken, twin] = [await start(), await start()];
    await Promise.all([live(broken), live(twin)]);
    const right = await everything(twin);
    expect(await everything(broken)).toEqual(right);
    expect((await broken.audit()).found).toEqual([]);
    for (const [, fault] of faults) await fault(broken.prefix);

    const { found } = await broken.audit();
    for (const [what, , named] of faults)
      expect({ what, found }).toEqual({
        what,
        found: expect.arrayContaining([expect.objectContaining({ ...named, isHealed: false })]),
      });
    expect(found).toHaveLength(faults.length);
    expect((await broken.audit(true)).report).toMatchObject({ differences: faults.length, healed: faults.length });
    expect((await broken.audit()).found).toEqual([]);
    expect(await everything(broken)).toEqual(right);
  });

  it('rebuilds while points come and things are broken, to what a twin is that was never broken', async () => {
    const [broken, twin] = [await start(), await start()];
    const draw = drawer();
    const breakOne = async () => {
      const userId = users[draw(users.length)] as string;
      const [prefix, tag] = [broken.prefix, tagOf(userId)];
      const day = keys.board(prefix, tag, 'day', dayKey);
      const steps: (() => Promise<unknown>)[] = [
        () => redis.zincrby(day, 3 * score('day', dayKey).unit, userId),
        () => redis.zadd(day, 'XX', String(7 * score('day', dayKey).unit), userId),
        () => redis.zrem(keys.board(prefix, tag, 'month', '2036-11'), userId),
        () => redis.zrem(keys.firstDays(prefix, tag), userId),
      ];
      await (steps[draw(steps.length)] as () => Promise<unknown>)();
    };
    for (const { clock, service } of [broken, twin]) {
      clock.set(now - dayMs);
      await service.apply(
        users.map((userId) => ({ userId, action: 'view', subject: 'a', occurredAt: new Date(now - dayMs) })),
      );
      clock.set(now);
    }
    let isOver = false;
    const recording = (async () => {
      let sent = 0;
      for (; !isOver || sent < 200; sent += 1) {
        const occurredAt = new Date(now - dayMs / 4 + 1_000 * sent);
        const change = {
          userId: users[sent % 12] as string,
          action: sent % 2 ? 'praise' : 'comment',
          subject: `s:${sent}`,
          ownerId: 'ann',
          occurredAt,
        };
        await Promise.all([broken, twin].map(({ service }) => service.apply([change])));
        if (sent % 3 === 0) await breakOne();
      }
      return sent;
    })();
    const { report } = await broken.audit(true);
    isOver = true;
    expect(await recording).toBeGreaterThanOrEqual(200);
    expect(report.healed).toBe(report.differences);
    await redis.zrem(keys.board(broken.prefix, tagOf('user 0'), 'month', '2036-11'), 'user 0');
    expect((await broken.audit(true)).report.differences).toBeGreaterThan(0);
    expect((await broken.audit()).found).toEqual([]);
    expect(await everything(broken)).toEqual(await everything(twin));
  });

  const comment = (userId: string, n: number, at = now) => ({
    userId,
    action: 'comment',
    subject: `c:${n}`,
    occurredAt: new Date(at),
  });

  it('knows which actions count where, whose count is kept, and what an operator adjusted', async () => {
    const { app, service, audit } = await startBare({
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['given:comment', 'received:praise'] },
        { name: 'talk', period: 'month', actions: ['comment'] },
        { name: 'tokyo', period: 'day', timezone: 'Asia/Tokyo', points: { comment: 9 } },
      ],
    });
    await service.apply([
      ...Array.from({ length: 5 }, (_, n) => comment('ann', n)),
      { ...comment('ann', 4), occurredAt: new Date(now + 1), revoke: true },
      ...['a', 'b'].map((subject) => ({ userId: 'bob', action: 'praise', subject, ownerId: 'ann' })),
    ]);
    await app.post('/activity/adjustments', { userId: 'ann', points: -3, reason: 'too loud', id: 'one' });
    await app.post('/activity/adjustments', { userId: 'ann', points: 7, reason: 'made up for it', id: 'two' });
    await service.apply([{ ...comment('ann', 3), occurredAt: new Date(now + 2), revoke: true }]);
    const { report, found } = await audit();
    expect(found).toEqual([]);
    expect(report).toMatchObject({ entries: 7, differences: 0, gaps: [] });
  });

  it('compares periods whose first ledgers are gone with what is left, and never lowers them', async () => {
    const { prefix, clock, service, audit } = await startBare({
      leaderboards: [{ name: 'year', period: 'year' }],
      retentionMs: { ledger: 5 * dayMs },
    });
    await service.apply([comment('ann', 1), comment('ann', 2)]);
    clock.advance(10 * dayMs);
    await service.apply([comment('ann', 3, clock.now())]);
    const stem = keys.ledger(prefix, tagOf('ann'), '20361120', 'ann');
    await redis.del(stem);
    expect((await audit(true)).report).toMatchObject({
      differences: 0,
      gaps: [{ board: 'year', period: '2036', reason: 'ledgersGone' }],
    });
    const board = keys.board(prefix, tagOf('ann'), 'year', '2036');
    const before = await redis.zscore(board, 'ann');
    await redis.del(board);
    expect((await audit(true)).report).toMatchObject({ differences: 1, healed: 1 });
    expect(Number(await redis.zscore(board, 'ann'))).toBeLessThan(Number(before));
    expect((await audit()).report.differences).toBe(0);
  });
});
