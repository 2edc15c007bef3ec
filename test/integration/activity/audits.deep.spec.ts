import { BoardAudits } from '@laurel/reports';
import { keys, shardOf, shardTags } from '../../support/keys';
import { dayMs, ManualClock, testRedis, TinyApp } from './support';

it.each([1, 3])('audits on %d shards compare a period without its first ledgers, and lower nothing', async (shards) => {
  const clock = new ManualClock('2036-11-20T12:00:00Z');
  const kept = { leaderboards: [{ name: 'year', period: 'year' }], retentionMs: { ledger: 5 * dayMs } } as const;
  const { nest, prefix, service } = await TinyApp.start({ options: { settlement: false, shards, clock, ...kept } });
  const audits = nest.get(BoardAudits);
  const comment = (n: number) => {
    return { userId: 'ann', action: 'comment', subject: `c:${n}`, occurredAt: new Date(clock.now()) };
  };
  await service.apply([comment(1), comment(2)]);
  clock.advance(10 * dayMs);
  await service.apply([comment(3)]);
  const redis = testRedis();
  const tag = shardTags(shards)[shardOf('ann', shards)] as string;
  await redis.del(keys.ledger(prefix, tag, '20361120', 'ann'));
  const gaps = [{ board: 'year', period: '2036', reason: 'ledgersGone' }];
  expect(await audits.rebuild()).toMatchObject({ differences: 0, gaps });
  const board = keys.board(prefix, tag, 'year', '2036');
  const before = await redis.zscore(board, 'ann');
  await redis.del(board);
  expect(await audits.rebuild()).toMatchObject({ differences: 1, healed: 1 });
  expect(Number(await redis.zscore(board, 'ann'))).toBeLessThan(Number(before));
  expect((await audits.verify()).differences).toBe(0);
});
