import { BoardAudits, type BoardAuditReport } from '@laurel/reports';
import { type AuditDifference } from '@laurel/leaderboard';
import { keys, shardOf, shardTags } from '../../support/keys';
import { type AllOptions, dayMs, ManualClock, testRedis, TinyApp } from './support';

/** A Thursday: five days of its week, and of its month, lie at or before it. */
const now = Date.parse('2036-11-20T12:00:00Z');

const redis = testRedis();
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

  const comment = (userId: string, n: number, at = now) => ({
    userId,
    action: 'comment',
    subject: `c:${n}`,
    occurredAt: new Date(at),
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
