import type { Ledger, Transition, TransitionLimit } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { atMost, dailyGrants, dailyPoints, noonOfLimits as noon } from '../../support/limits';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import type { Redis } from 'ioredis';

const hour = 3_600_000;
const week: TransitionLimit = {
  type: 'daily',
  name: 'week',
  max: 1,
  count: { of: 'grants', fieldPrefixes: ['p:'] },
  period: 'week',
};

/** Each lets one grant of two points pass. */
const limitsOfOne: Record<string, TransitionLimit> = {
  daily: dailyGrants(1, 'p:'),
  'daily points': dailyPoints(2, 'p:'),
  weekly: week,
  sliding: { type: 'sliding', name: 'slow', max: 1, windowMs: 60_000, per: 'member' },
  pair: { type: 'sliding', name: 'friends', max: 1, windowMs: 60_000, per: 'pair' },
  own: { type: 'own', name: 'one', kind: 'at-most' },
};

describe('what a limit refused', () => {
  let redis: Redis;
  let clock: ManualClock;
  let ledger: Ledger;
  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(() => {
    clock = new ManualClock(noon + hour);
    const boards = [keptBoard('day'), keptBoard('month')];
    ledger = keptLedger(redis, { prefix: freshPrefix(), clock, boards, limitTypes: [atMost] });
  });
  afterAll(closeTestRedis);

  const change = (
    kind: Transition['kind'],
    field: string,
    offsetMs: number,
    limits: TransitionLimit[],
  ): Transition => ({
    kind,
    member: 'ann',
    field,
    points: 2,
    occurredAtMs: noon + offsetMs,
    counterpart: 'bob',
    prepared: [{ keys: ['k'], args: [1] }],
    limits,
  });
  const answers = async (...transitions: Transition[]) =>
    (await ledger.apply(transitions)).map(({ outcome, points, reason = '', scores }) =>
      `${outcome} ${points} ${scores['day']} ${reason}`.trim(),
    );

  it.each(Object.entries(limitsOfOne))('stays refused when it is delivered again: %s', async (_, limit) => {
    const [first, refused] = [change('grant', 'p:1', 0, [limit]), change('grant', 'p:2', 1, [limit])];
    expect(await answers(first, refused)).toEqual(['granted 2 2', `limited 0 2 ${limit.name}`]);
    // The place is free again, and months later nobody knows the window any more.
    await answers(change('revoke', 'p:1', 2, [limit]));
    for (const key of await redis.keys(`{${ledger.settings.prefix}:*:window:*`)) await redis.del(key);
    clock.advance(80 * 24 * hour);
    expect(await answers(refused)).toEqual([`limited 0 0 ${limit.name}`]);
    expect(await answers(refused, first, refused)).toEqual([
      `limited 0 0 ${limit.name}`,
      'duplicate 0 0',
      `limited 0 0 ${limit.name}`,
    ]);
    // Nor does it count where the limit is gone.
    expect(await answers({ ...refused, limits: [] })).toEqual(['limited 0 0']);
  });

  it('may be tried again later, and its first moment stays refused then too', async () => {
    const limits = [limitsOfOne['sliding'] as TransitionLimit];
    const [refused, tried] = [change('grant', 'p:2', 1, limits), change('grant', 'p:2', 60_000, limits)];
    expect(await answers(change('grant', 'p:1', 0, limits), refused)).toEqual(['granted 2 2', 'limited 0 2 slow']);
    expect(await answers(tried)).toEqual(['granted 2 4']);
    expect(await answers(refused, tried)).toEqual(['limited 0 4 slow', 'duplicate 0 4']);
    const { prefix, tags } = ledger.settings;
    const [shard = ''] = tags;
    const value = await redis.hget(keys.ledger(prefix, shard, '20361120', 'ann'), 'p:2');
    expect(value).toBe(`2;${noon + 60_000};;${noon + 1}.0;${noon + 1}`);
  });

  it('names the limit among several, and leaves what failed to be tried again', async () => {
    const { daily, own } = limitsOfOne as Record<'daily' | 'own', TransitionLimit>;
    const two = [limitsOfOne['sliding'] as TransitionLimit, daily];
    const refused = { ...change('grant', 'p:2', 90_000, two), sequence: 7 };
    expect(await answers(change('grant', 'p:1', 0, two), refused, refused)).toEqual([
      'granted 2 2',
      'limited 0 2 day-grants',
      'limited 0 2 day-grants',
    ]);
    const [again] = await ledger.apply([refused]);
    expect(again?.refusal).toEqual({ limit: 'day-grants', allowedAgainAtMs: Date.parse('2036-11-21T00:00:00Z') });
    const failed = change('grant', 'p:3', 0, [{ ...own, kind: 'unknown' } as TransitionLimit]);
    expect(await answers(failed)).toEqual(['limited 0 2 one']);
    expect(await answers({ ...failed, limits: [own] })).toEqual(['granted 2 4']);
  });

  it('fills no ledger: beyond some hundred fields of a day it is not kept', async () => {
    const limits = [limitsOfOne['daily'] as TransitionLimit];
    const tries = Array.from({ length: 700 }, (_, i) => change('grant', `p:${i}`, i, limits));
    await ledger.apply(tries.slice(0, 450));
    for (const one of tries.slice(450)) await ledger.apply([one]);
    const { prefix, tags } = ledger.settings;
    const [shard = ''] = tags;
    expect(await redis.hlen(keys.ledger(prefix, shard, '20361120', 'ann'))).toBeLessThanOrEqual(514);
  });
});
