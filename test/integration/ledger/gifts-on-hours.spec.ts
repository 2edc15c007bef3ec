import type { LedgerBoard } from '@laurel/leaderboard';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { freshPrefix, hourMs, ManualClock, mentions, testRedis } from '../../support';

const now = Date.parse('2036-11-20T15:10:00Z');
const hours: LedgerBoard = { ...keptBoard('hour', hourMs), name: 'gifts' };
const contest: LedgerBoard = {
  ...keptBoard('day'),
  name: 'gifts',
  period: { kind: 'contest', from: '2036-11-01', to: '2036-11-02' },
};

describe('what an owner is given on a board that others have no part of', () => {
  const redis = testRedis();

  it.each<[string, LedgerBoard, number, Partial<LawfulTransition>, object]>([
    ['its hour', hours, 0, {}, { outcome: 'granted', points: 3 }],
    ['the hour before, closing', hours, hourMs, {}, { outcome: 'granted', points: 3 }],
    ['an hour that has closed', hours, 5 * hourMs, {}, { outcome: 'closed', points: 0 }],
    ['an hour that has closed, judged', hours, 5 * hourMs, { onceInDays: 3 }, { outcome: 'closed', points: 0 }],
    ['a contest that is over', contest, 0, {}, { outcome: 'closed', points: 0 }],
  ])('counts in %s or not, and names them no more once they are erased', async (_, board, lateMs, more, gift) => {
    const prefix = freshPrefix();
    const ledger = keptLedger(redis, {
      prefix,
      clock: new ManualClock(now),
      shards: 3,
      boards: [keptBoard('day'), board],
    });
    const asked = {
      occurredAtMs: now - lateMs,
      gift: { member: 'ann', points: 3 },
      boards: ['day'],
      giftBoards: ['gifts'],
    };
    const [given] = await ledger.apply([grantsAt(now)('bob', 'p:1', { ...asked, ...more })]);
    expect(given).toMatchObject({ outcome: 'granted', gift });
    const period = ledger.periods.of('gifts', now - lateMs);
    const { points } = gift as { points: number };
    expect((await ledger.board('gifts', period).score('ann')) ?? 0).toBe(points);
    if (points > 0) {
      const [taken] = await ledger.apply([
        grantsAt(now)('bob', 'p:1', { ...asked, ...more, kind: 'revoke', occurredAtMs: now - lateMs + 1 }),
      ]);
      expect(taken).toMatchObject({ outcome: 'revoked', gift: { outcome: 'revoked', points: -3 } });
      expect(await ledger.board('gifts', period).score('ann')).toBeNull();
    }
    await ledger.erasure.erase('ann');
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
  });
});
