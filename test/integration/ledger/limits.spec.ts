import { Period, type PeriodSpec, type TransitionLimit } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import { auditOf } from '../../support/differences';
import type { LawfulTransition as Transition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import {
  atMost,
  dailyGrants,
  dailyPoints,
  limitedGrant,
  ledgerForLimits,
  noonOfLimits,
  spaced,
} from '../../support/limits';
import { dayMs, ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe('a limit of any kind', () => {
  const made = ledgerForLimits(redis);

  const daily = dailyGrants(2);

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('lets what it refused be tried again by the same id on its day, which counts once', async () => {
    const clock = new ManualClock(noonOfLimits + 3_600_000);
    const ledger = keptLedger(redis, { clock, boards: [keptBoard('day'), keptBoard('month')] });
    const limits: TransitionLimit[] = [{ type: 'sliding', name: 'slow', max: 1, windowMs: 60_000, per: 'member' }];
    const byId = (id: string, ms: number) => ({
      ...grantsAt(noonOfLimits + ms)('ann', `p:1#${id}`, { points: 2, limits }),
      id,
    });
    const answers = async (...transitions: Transition[]) =>
      (await ledger.apply(transitions)).map(({ outcome, scores }) => `${outcome} ${scores['day']}`);
    expect(await answers(byId('a', 0), byId('b', 0))).toEqual(['granted 2', 'limited 2']);
    clock.advance(86_400_000);
    const tried = byId('b', 60_000);
    expect(await answers(tried, tried)).toEqual(['granted 4', 'duplicate 4']);
  });

  it('judges a day of more than a thousand grants, while Redis moves its hash to a larger one', async () => {
    const limit: TransitionLimit = { type: 'sliding', name: 'slow', max: 100, windowMs: 1_000, per: 'member' };
    const at = (i: number, change: Partial<Transition> = {}) =>
      limitedGrant({ field: `praise:${i}`, occurredAtMs: noonOfLimits + i * 10, limits: [limit], ...change });
    await made.ledger.apply(Array.from({ length: 1_000 }, (_, i) => at(i, { limits: [] })));
    // The whole day is judged anew by each of these.
    for (let i = 1_000; i < 1_048; i += 1) {
      const late = at(i, { occurredAtMs: noonOfLimits - i });
      expect(await made.ledger.apply([late])).toMatchObject([{ outcome: 'granted' }]);
    }
    expect(await made.ledger.apply([at(7, { kind: 'revoke' })])).toMatchObject([{ outcome: 'revoked' }]);
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    expect(await made.ledger.board('day', today).score(at(0).member)).toBe(1_047);
    expect((await auditOf(redis, made.ledger)).differences).toEqual([]);
  });

  it('looks as far back as it reaches, whatever was judged anew meanwhile', async () => {
    const clock = new ManualClock(noonOfLimits);
    const ledger = keptLedger(redis, { clock });
    const long: TransitionLimit = { ...sliding, name: 'long', max: 1, windowMs: 48 * 3_600_000 };
    const at = async (hours: number, field: string, change: Partial<Transition> = {}) => {
      clock.set(noonOfLimits + hours * 3_600_000);
      const limits = [field.startsWith('long') ? long : sliding];
      return (await ledger.apply([limitedGrant({ occurredAtMs: clock.now(), field, limits, ...change })]))[0]?.outcome;
    };
    const bobs = { member: 'bob', onceInDays: Infinity };
    expect(await at(-600, 'long:0', { member: 'bob' })).toBe('granted');
    expect(await at(-600, 'ever', bobs)).toBe('granted');
    for (const member of ['ann', 'bob']) expect(await at(0, 'long:1', { member })).toBe('granted');
    expect(await at(20, 'short:1')).toBe('granted');
    expect(await at(21, 'short:1', { kind: 'revoke' })).toBe('revoked');
    expect(await at(21, 'ever', bobs)).toBe('duplicate');
    for (const member of ['ann', 'bob']) expect(await at(22, 'long:2', { member })).toBe('limited');
    expect((await auditOf(redis, ledger)).differences).toEqual([]);
  });

  it('needs no judge within what it leaves, in the last minutes of a day either, nor where an owner gains again', async () => {
    const clock = new ManualClock(Date.parse('2036-11-20T23:59:00Z'));
    const ledger = keptLedger(redis, { clock });
    const moment = (i: number) => limitedGrant({ field: `p:${i}`, occurredAtMs: clock.now() + i, limits: [daily] });
    const gift = { member: 'bob', field: 'owner:p:1', points: 1 };
    const results = (change: Partial<Transition>) => ledger.apply([{ ...moment(0), gift, ...change }]);
    const scripts = jest.spyOn(redis, 'evalsha');
    expect(await results({})).toMatchObject([{ outcome: 'granted', gift: { outcome: 'granted' } }]);
    expect(await ledger.apply([moment(1)])).toMatchObject([{ outcome: 'granted' }]);
    // What the owner has of it was lost: a repeat gives it again, as of the first grant.
    await redis.del(...(await redis.keys(`{${ledger.settings.prefix}:*}:ledger:*:bob`)));
    for (const board of await redis.keys(`{${ledger.settings.prefix}:*}:board:*`)) await redis.zrem(board, 'bob');
    expect(await results({ occurredAtMs: clock.now() + 9 })).toMatchObject([{ outcome: 'duplicate' }]);
    expect(await ledger.apply([moment(20)])).toMatchObject([{ outcome: 'limited' }]);
    // Each call is one script, and one for the owner.
    expect(scripts.mock.calls).toHaveLength(6);
    scripts.mockRestore();
    const entry = await ledger.board('day', Period.of('day', new Date(clock.now()), 'UTC')).entry('bob');
    expect(entry).toMatchObject({ score: 1, reachedAt: new Date(clock.now()) });
  });

  it('never shares a window or a count between ids that are built to collide', async () => {
    const names = ['a', ':', 'a:', ':a', 'a:b', '1:a', '1:a:', '{a}', '}', ' ', '\n', '\0', 'a\0', '"', '[', '0;', '5'];
    const limits: TransitionLimit[] = [
      { type: 'sliding', name: 'field', max: 1, windowMs: 1000, per: 'field' },
      { type: 'sliding', name: 'pair', max: 1, windowMs: 1000, per: 'pair' },
      { ...atMost(1, 'field'), name: 'own', windowMs: 1_000 },
    ];
    const own = keptLedger(redis, { shards: 4, clock: noonOfLimits });
    const grants = names.flatMap((member) =>
      names.map((other) => limitedGrant({ member, field: other, counterpart: other, limits })),
    );
    const results = await own.apply(grants);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    const again = await own.apply(grants.map((one) => ({ ...one, field: `${one.field}!` })));
    expect(new Set(again.map(({ reason }) => reason))).toEqual(new Set(['pair']));
    for (const key of await redis.keys(`{${own.settings.prefix}:*`)) {
      const tag = key.slice(0, key.indexOf('}') + 1);
      expect(clusterKeySlot(key)).toBe(clusterKeySlot(tag));
    }
    const days = names.map((member) => limitedGrant({ member, field: 'day', limits: [dailyGrants(1)] }));
    expect(new Set((await own.apply(days)).map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
  });

  it('tells what is left of it, in one look at all of them', async () => {
    const own = keptLedger(redis, { clock: noonOfLimits + 500 });
    const pair: TransitionLimit = { type: 'sliding', name: 'pair', max: 9, windowMs: 1000, per: 'pair' };
    const pause = spaced(300);
    const silent = { ...atMost(2), name: 'silent' };
    const limits = [sliding, dailyGrants(3), dailyPoints(5), pair, pause, silent];
    const ask = () =>
      own.quotaOf('ann', [
        ...limits.slice(0, 4).map((limit) => ({ limit, counterpart: 'bob' })),
        { limit: pair },
        { limit: pause },
        { limit: silent },
      ]);
    const none = { used: 0, allowedAgainAtMs: null };
    expect(await ask()).toEqual([
      { limit: 'slow', of: 'grants', max: 2, left: 2, ...none },
      { limit: 'day-grants', of: 'grants', max: 3, left: 3, ...none },
      { limit: 'day-points', of: 'points', max: 5, left: 5, ...none },
      { limit: 'pair', of: 'grants', max: 9, left: 9, ...none },
      null,
      { limit: 'pause', of: 'grants', max: 1, left: 1, ...none },
      null,
    ]);
    const tried = [0, 300].map((offsetMs) =>
      grantsAt(noonOfLimits + offsetMs)('ann', `p:${offsetMs}`, { points: 3, counterpart: 'bob', limits }),
    );
    const outcomes = await own.apply(tried);
    expect(outcomes.map(({ points }) => points)).toEqual([3, 2]);
    const tomorrow = Date.parse('2036-11-21T00:00:00Z');
    expect(await ask()).toEqual([
      { limit: 'slow', of: 'grants', max: 2, used: 2, left: 0, allowedAgainAtMs: noonOfLimits + 1000 },
      { limit: 'day-grants', of: 'grants', max: 3, used: 2, left: 1, allowedAgainAtMs: null },
      { limit: 'day-points', of: 'points', max: 5, used: 5, left: 0, allowedAgainAtMs: tomorrow },
      { limit: 'pair', of: 'grants', max: 9, used: 2, left: 7, allowedAgainAtMs: null },
      null,
      { limit: 'pause', of: 'grants', max: 1, used: 1, left: 0, allowedAgainAtMs: noonOfLimits + 600 },
      null,
    ]);
  });

  it('looks as far back as it reaches, and to what counted once for ever until now', async () => {
    const limits: TransitionLimit[] = [{ ...sliding, max: 1, windowMs: 2 * dayMs }];
    const grants = [
      ['old', -80],
      ['older', -79],
      ['a', -28],
      ['ever', -27],
      ['ever', -10],
      ['b', -9],
      ['ever', -1],
    ] as const;
    const results = await made.ledger.apply(
      grants.map(([field, days]) =>
        limitedGrant({
          ...{ field, limits, occurredAtMs: noonOfLimits + days * dayMs },
          ...(field === 'ever' && { onceInDays: Infinity }),
        }),
      ),
    );
    expect(results.flatMap(({ outcome }, i) => (outcome === 'limited' ? grants[i]?.[1] : []))).toEqual([-79, -27, -9]);
    const freed = Period.of('day', new Date(noonOfLimits - 9 * dayMs), 'UTC');
    expect(await made.ledger.board('day', freed).score('ann')).toBe(1);
  });

  it('judges anew another day, where what counts once for ever is tried again when its first try is refused', async () => {
    const limits = [dailyPoints(5), spaced(3_600_000)];
    const tries = [
      ['daily', 0, 1],
      ['ended', 0, -60_000, 'revoke'],
      ['ever', 0, 0],
      ['ever', -2, 0],
      ['ended', -2, -60_000],
      ['given', -4, 0],
      ['given', -6, 0],
    ] as const;
    for (const [field, days, ms, kind = 'grant'] of tries) {
      const about = {
        occurredAtMs: noonOfLimits + days * 86_400_000 + ms,
        onceInDays: field === 'daily' ? 1 : Infinity,
      };
      const gift = field === 'given' && { gift: { member: 'eve', points: 3 } };
      await made.ledger.apply([limitedGrant({ kind, field, points: 5, limits, ...about, ...gift })]);
    }
    const scores = [-6, -4, -2, 0].map(async (days) => {
      const board = made.ledger.board('day', Period.of('day', new Date(noonOfLimits + days * 86_400_000), 'UTC'));
      return `${await board.score('ann')} ${await board.score('eve')}`;
    });
    expect(await Promise.all(scores)).toEqual(['5 3', 'null null', '5 null', 'null null']);
  });
});

describe('limits of a day or a longer period', () => {
  it('end and begin with the local day, to the millisecond', async () => {
    for (const [timezone, midnight] of [
      ['UTC', '2036-11-21T00:00:00.000Z'],
      ['Asia/Kathmandu', '2036-11-20T18:15:00.000Z'],
      // The day on which New York's clocks go back has 25 hours.
      ['America/New_York', '2036-11-03T05:00:00.000Z'],
    ] as const) {
      const midnightMs = Date.parse(midnight);
      const zoned = keptLedger(redis, { timezone, clock: midnightMs });
      const limits = [dailyGrants(2), dailyPoints(3)];
      const results = await zoned.apply(
        [-3_600_000, -1000, -1, 0, 1, 2].map((offsetMs, i) =>
          limitedGrant({ field: `p:${i}`, points: 2, occurredAtMs: midnightMs + offsetMs, limits }),
        ),
      );
      const ofDay = ['granted 2', 'granted 1', 'limited 0'];
      expect(results.map(({ outcome, points }) => `${outcome} ${points}`)).toEqual([...ofDay, ...ofDay]);
      expect(results[2]?.refusal?.allowedAgainAtMs).toBe(midnightMs);
    }
  });

  /** A Monday, the 2nd of a month. */
  const monday = Date.parse('2037-02-02T12:00:00Z');

  it.each<[string, PeriodSpec, number]>([
    ['week', 'week', 7],
    ['month', 'month', 27],
    ['contest', { kind: 'contest', from: '2037-02-02', to: '2037-02-11' }, 10],
  ])(
    'refuse what is more than a %s allows, on whichever of its days, in one call or in many',
    async (_, period, next) => {
      const clock = new ManualClock(monday + 40 * dayMs);
      const ledger = keptLedger(redis, { clock });
      const many = { type: 'daily', name: 'many', max: 3, of: 'grants', period } as const;
      let n = 0;
      const at = (daysLater: number) => {
        n += 1;
        const occurredAtMs = monday + daysLater * dayMs + n;
        return limitedGrant({ field: `p:${n}`, points: 3, occurredAtMs, limits: [many] });
      };
      const send = async (...days: number[]) =>
        (await ledger.apply(days.map(at))).map(({ outcome, points }) => `${outcome} ${points}`);
      const quota = () => ledger.quotaOf('ann', [{ limit: many }], { atMs: monday + 6 * dayMs });
      const end = Date.parse('2037-02-02T00:00:00Z') + next * dayMs;
      expect(await send(1, 0)).toEqual(['granted 3', 'granted 3']);
      expect(await quota()).toMatchObject([{ max: 3, used: 2, left: 1, allowedAgainAtMs: null }]);
      expect(await send(3, 4)).toEqual(['granted 3', 'limited 0']);
      expect(await quota()).toMatchObject([{ used: 3, left: 0, allowedAgainAtMs: end }]);
      // In the order of moments: what comes late takes the place of the last one.
      expect(await send(2)).toEqual(['granted 0']);
      const [refused] = await ledger.apply([at(5)]);
      expect(refused).toMatchObject({ outcome: 'limited', refusal: { limit: 'many', allowedAgainAtMs: end } });
      expect(await send(next, -2)).toEqual(['granted 3', 'granted 3']);
    },
  );
});
