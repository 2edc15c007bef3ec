import { ActivityService, type ActivityModuleOptions } from '@laurel/activity';
import { BoardAudits } from '@laurel/activity/tools';
import type { AuditDifference } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { shardOf, shardTags } from '../../../libs/leaderboard/src/keys/shard';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const dayMs = 86_400_000;
const now = Date.parse('2036-11-20T12:00:00Z');

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each([1, 8])('auditing boards, on %d shards', (shards) => {
  let prefix: string;
  beforeEach(() => {
    prefix = freshPrefix();
  });

  async function start(options: Partial<ActivityModuleOptions>) {
    const clock = new ManualClock(now);
    const app = await TinyApp.start({ options: { prefix, shards, clock, settlement: false, ...options } });
    const audit = async (heals = false) => {
      const found: AuditDifference[] = [];
      const audits = app.nest.get(BoardAudits);
      const onDifference = (difference: AuditDifference) => found.push(difference);
      const report = await (heals ? audits.rebuild({ onDifference }) : audits.verify({ onDifference }));
      return { report, found };
    };
    return { clock, app, service: app.nest.get(ActivityService), audit };
  }
  const tagOf = (userId: string) => shardTags(shards)[shardOf(userId, shards)] as string;
  const comment = (userId: string, n: number, at = now) => ({
    userId,
    action: 'comment',
    subject: `c:${n}`,
    occurredAt: new Date(at),
  });

  it('knows which actions count where, whose count is kept, and what an operator adjusted', async () => {
    const { app, service, audit } = await start({
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
    expect(report).toMatchObject({ differences: 0, gaps: [] });
    expect(report.entries).toBeGreaterThan(8);
  });

  it('holds the parts of a leaderboard together against the ledgers, and leaves them as they are', async () => {
    const { service, audit } = await start({
      leaderboards: [
        { name: 'topics', period: 'month', partition: 'topic' },
        { name: 'day', period: 'day' },
      ],
    });
    await service.apply([
      { ...comment('ann', 1), partitions: { topic: 'nest' } },
      { ...comment('ann', 2), partitions: { topic: 'redis' } },
      comment('ann', 3),
    ]);
    const gap = { board: 'topics', period: '2036-11', reason: 'parts' };
    expect((await audit()).report).toMatchObject({ differences: 0, gaps: [gap] });
    const part = keys.boardPart(prefix, tagOf('ann'), 'topics', '2036-11', 'nest');
    await testRedis().zincrby(part, 2 ** 40, 'ann');
    const { report, found } = await audit(true);
    expect(found).toMatchObject([{ fault: 'points', board: 'topics', member: 'ann', isHealed: false }]);
    expect(report).toMatchObject({ differences: 1, healed: 0 });
  });

  it('compares periods whose first ledgers are gone with what is left, and never lowers them', async () => {
    const { clock, service, audit } = await start({
      leaderboards: [{ name: 'year', period: 'year' }],
      retentionMs: { ledger: 5 * dayMs },
    });
    await service.apply([comment('ann', 1), comment('ann', 2)]);
    clock.advance(10 * dayMs);
    await service.apply([comment('ann', 3, clock.now())]);
    const stem = keys.ledger(prefix, tagOf('ann'), '20361120', 'ann');
    await testRedis().del(stem);
    expect((await audit(true)).report).toMatchObject({
      differences: 0,
      gaps: [{ board: 'year', period: '2036', reason: 'ledgersGone' }],
    });
    const board = keys.board(prefix, tagOf('ann'), 'year', '2036');
    const before = await testRedis().zscore(board, 'ann');
    await testRedis().del(board);
    expect((await audit(true)).report).toMatchObject({ differences: 1, healed: 1 });
    expect(Number(await testRedis().zscore(board, 'ann'))).toBeLessThan(Number(before));
    expect((await audit()).report.differences).toBe(0);
  });

  it('finds days by the list where ledgers are kept for long, and puts right what it lacks', async () => {
    const { clock, service, audit } = await start({
      leaderboards: [
        { name: 'year', period: 'year' },
        { name: 'day', period: 'day', latenessMs: 400 * dayMs },
      ],
      retentionMs: { ledger: null },
    });
    await service.apply([comment('ann', 1), comment('bob', 1)]);
    clock.advance(20 * dayMs);
    await service.apply([comment('ann', 2, clock.now())]);
    expect((await audit()).found).toEqual([]);
    const days = keys.days(prefix, tagOf('ann'), 'ann');
    const [first] = await testRedis().zrange(days, '0', '0');
    await testRedis().zrem(days, String(first));
    const planted = await audit(true);
    expect(planted.found).toContainEqual(
      expect.objectContaining({ fault: 'unlisted', period: '2036-11-20', member: 'ann', isHealed: true }),
    );
    // What another look did with the short list is put right by the next.
    await audit(true);
    expect((await audit()).found).toEqual([]);
    expect(await testRedis().zcard(days)).toBe(2);
  });
});
