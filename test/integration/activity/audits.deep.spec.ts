import { BoardAudits, type BoardAuditReport } from '@laurel/reports';
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

  const dayKey = '2036-11-20';
  const unit = new PackedScore({ period: Period.of('day', new Date(dayKey), 'UTC') }).unit;

  it('rebuilds while points come and things are broken, to what a twin is that was never broken', async () => {
    const [broken, twin] = [await start(), await start()];
    const draw = drawer();
    const breakOne = async () => {
      const userId = users[draw(users.length)] as string;
      const [prefix, tag] = [broken.prefix, tagOf(userId)];
      const day = keys.board(prefix, tag, 'day', dayKey);
      const steps: (() => Promise<unknown>)[] = [
        () => redis.zincrby(day, 3 * unit, userId),
        () => redis.zadd(day, 'XX', String(7 * unit), userId),
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
