import type { Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2037-11-20T12:00:00Z');

describe('a grant of no points', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = (terms: string | null = null, prefix = freshPrefix()) => {
    const clock = new ManualClock(noon + 3_600_000);
    const boards = [keptBoard('day'), keptBoard('month')];
    const ledger = keptLedger(redis, { prefix, boards, clock, terms });
    const send = async (transition: Partial<Transition>) => {
      const full = { kind: 'grant', member: 'ann', field: 'seen', points: 0, occurredAtMs: noon, ...transition };
      const [result] = await ledger.apply([full as Transition]);
      return result as NonNullable<typeof result>;
    };
    const today = ledger.periods.of('day');
    const fields = async () => (await ledger.history.days('ann', today, today))[0]?.fields;
    return { ledger, send, fields, today, prefix };
  };

  it('stands, is known when it comes again, and is revoked', async () => {
    const { send, fields } = start();
    expect(await send({})).toMatchObject({ outcome: 'granted', points: 0 });
    expect(await send({})).toMatchObject({ outcome: 'duplicate' });
    expect(await send({ occurredAtMs: noon + 5 })).toMatchObject({ outcome: 'duplicate' });
    expect(await fields()).toMatchObject([{ field: 'seen', points: 0, version: 1 }]);
    expect(await send({ kind: 'revoke', occurredAtMs: noon + 6 })).toMatchObject({ outcome: 'revoked', points: 0 });
    expect(await fields()).toMatchObject([{ field: 'seen', points: 0, version: null }]);
    expect(await send({ occurredAtMs: noon + 4 })).toMatchObject({ outcome: 'duplicate' });
    expect(await send({ occurredAtMs: noon + 7 })).toMatchObject({ outcome: 'granted' });
    expect(await send({ kind: 'revoke', grantedAtMs: noon, occurredAtMs: noon + 8 })).toMatchObject({
      outcome: 'revoked',
    });
  });

  it('moves no board: neither points, nor when they were reached, nor who stands there', async () => {
    const { ledger, send, today } = start();
    await send({});
    expect(await redis.keys(`{${ledger.settings.prefix}:*}:board:*`)).toEqual([]);
    await send({ field: 'v', points: 3, occurredAtMs: noon + 1 });
    const before = await ledger.board('day', today).entry('ann');
    await send({ field: 'more', occurredAtMs: noon + 2 });
    await send({ field: 'more', kind: 'revoke', occurredAtMs: noon + 4 });
    await send({ field: 'more', occurredAtMs: noon + 3 });
    await send({ field: 'more', occurredAtMs: noon + 5 });
    await send({ field: 'early', kind: 'revoke', occurredAtMs: noon + 9 });
    expect(await send({ field: 'early', occurredAtMs: noon + 8 })).toMatchObject({ outcome: 'notGranted' });
    expect(await ledger.board('day', today).entry('ann')).toEqual(before);
  });

  it('counts once in so many days', async () => {
    const { send } = start();
    const day = 86_400_000;
    expect(await send({ occurredAtMs: noon - 5 * day, onceInDays: 3 })).toMatchObject({ outcome: 'granted' });
    expect(await send({ occurredAtMs: noon - 3 * day, onceInDays: 3 })).toMatchObject({ outcome: 'duplicate' });
    expect(await send({ occurredAtMs: noon - 2 * day, onceInDays: 3 })).toMatchObject({ outcome: 'granted' });
    const revoke = { kind: 'revoke', grantedAtMs: noon - 5 * day, onceInDays: 3 } as const;
    expect(await send(revoke)).toMatchObject({ outcome: 'revoked', points: 0 });
  });

  it('is taken back as it was given, where terms have changed', async () => {
    const first = start('nothing');
    await first.ledger.prepare();
    await first.send({});
    await first.send({ field: 'paid', points: 4 });
    const then = start('four', first.prefix);
    await then.ledger.prepare();
    expect(await then.send({ occurredAtMs: noon + 1, points: 4 })).toMatchObject({ outcome: 'duplicate' });
    expect(await then.send({ kind: 'revoke', occurredAtMs: noon + 2, points: 4 })).toMatchObject({
      outcome: 'revoked',
      points: 0,
      scores: { day: 4 },
    });
    expect(await then.send({ occurredAtMs: noon + 3 })).toMatchObject({ outcome: 'granted', points: 0 });
    expect(await then.fields()).toContainEqual(expect.objectContaining({ field: 'seen', points: 0, version: 2 }));
    const paid = await then.send({ field: 'paid', kind: 'revoke', occurredAtMs: noon + 4 });
    expect(paid).toMatchObject({ outcome: 'revoked', points: -4 });
  });
});
