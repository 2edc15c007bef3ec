import { type Ledger, Period, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2036-11-20T12:00:00Z');
const day = 86_400_000;

describe('a limit', () => {
  let redis: Redis;
  let ledger: Ledger;
  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(() => {
    ledger = keptLedger(redis, {
      prefix: freshPrefix(),
      clock: new ManualClock(noon + 2 * day),
      boards: [keptBoard('day')],
    });
  });
  afterAll(closeTestRedis);

  const outcomes = async (limits: TransitionLimit[], lines: readonly (readonly [string, number, 'revoke'?])[]) => {
    const transitions = lines.map(([field, offsetMs, revoke]): Transition => ({
      kind: revoke ?? 'grant',
      member: 'ann',
      field,
      points: 1,
      occurredAtMs: noon + offsetMs,
      limits,
    }));
    return (await ledger.apply(transitions)).map(({ outcome, reason }) =>
      reason ? `${outcome} by ${reason}` : outcome,
    );
  };

  const daily: TransitionLimit = { type: 'daily', name: 'two-praises', max: 2, fieldPrefix: 'praise:' };

  it('of a day counts what stands on that day, and a revoke frees a place', async () => {
    const found = await outcomes(
      [daily],
      [
        ['praise:1', 0],
        ['praise:2', 1],
        ['praise:3', 2],
        ['praise:1', 3],
        ['praise:2', 4, 'revoke'],
        ['praise:3', 5],
        ['praise:2', 6],
        ['praise:4', day],
      ],
    );
    expect(found).toEqual([
      'granted',
      'granted',
      'limited by two-praises',
      'duplicate',
      'revoked',
      'granted',
      'limited by two-praises',
      'granted',
    ]);
  });

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('of a sliding window is exact at both edges, and a refused try takes no place', async () => {
    const found = await outcomes(
      [sliding],
      [
        ['a', 0],
        ['b', 500],
        ['c', 999],
        ['c', 1000],
        ['d', 1499],
        ['d', 1500],
      ],
    );
    expect(found).toEqual(['granted', 'granted', 'limited by slow', 'granted', 'limited by slow', 'granted']);
  });

  it('of a sliding window looks at what came after a late activity too', async () => {
    const found = await outcomes(
      [sliding],
      [
        ['a', 0],
        ['b', 900],
        ['late', 500],
        ['early', -100],
        ['earlier', -101],
      ],
    );
    expect(found).toEqual(['granted', 'granted', 'limited by slow', 'granted', 'limited by slow']);
  });

  it('of a sliding window is not given back by a revoke: toggling is what it is against', async () => {
    const found = await outcomes(
      [{ ...sliding, max: 1 }],
      [
        ['a', 0],
        ['a', 1, 'revoke'],
        ['a', 2],
      ],
    );
    expect(found).toEqual(['granted', 'revoked', 'limited by slow']);
  });

  it('counts each field for itself where it is per field', async () => {
    const perField: TransitionLimit = { ...sliding, max: 1, per: 'field' };
    const found = await outcomes(
      [perField],
      [
        ['a', 0],
        ['b', 1],
        ['a', 2, 'revoke'],
        ['a', 3],
        ['a', 1000],
      ],
    );
    expect(found).toEqual(['granted', 'granted', 'revoked', 'limited by slow', 'granted']);
  });

  it('changes nothing when it refuses: no point, no moment, no place', async () => {
    await outcomes(
      [daily, sliding],
      [
        ['praise:1', 0],
        ['praise:2', 1],
      ],
    );
    const before = await redis.keys(`{${ledger.settings.prefix}:*`);
    expect(await outcomes([sliding, daily], [['praise:3', 2]])).toEqual(['limited by slow']);
    expect(await outcomes([daily, sliding], [['praise:3', 5000]])).toEqual(['limited by two-praises']);
    expect((await redis.keys(`{${ledger.settings.prefix}:*`)).sort()).toEqual(before.sort());
    const today = Period.of('day', new Date(noon), 'UTC');
    expect(await rawBoard(redis, ledger, 'day', today)).toEqual([{ member: 'ann', score: 2, reachedAtMs: noon + 1 }]);
    expect((await ledger.history('ann', today, today))[0]?.fields.map(({ field }) => field).sort()).toEqual([
      'praise:1',
      'praise:2',
    ]);
  });
});
