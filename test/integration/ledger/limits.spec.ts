import { Period, type PeriodSpec, type TransitionLimit } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import { ManualClock } from '../../support/clock';
import { auditOf } from '../../support/differences';
import type { LawfulTransition as Transition } from '../../support/lawful-ledger';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import {
  atMost,
  dailyGrants,
  dailyPoints,
  limitedGrant,
  ledgerForLimits,
  noonOfLimits,
  spaced,
} from '../../support/limits';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const redis = testRedis();
afterAll(closeTestRedis);

describe('a limit of any kind', () => {
  const made = ledgerForLimits(redis);
  const { outcomes } = made;

  const daily: TransitionLimit = { ...dailyGrants(2), name: 'two-praises' };

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('moves nothing when it refuses: no point, no time', async () => {
    await outcomes([daily, sliding], ['grant praise:1 at 0', 'grant praise:2 at 1']);
    expect(await outcomes([sliding, daily], ['grant praise:3 at 2'])).toEqual(['limited by slow']);
    expect(await outcomes([daily, sliding], ['grant praise:3 at 5000'])).toEqual(['limited by two-praises']);
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    expect(await rawBoard(redis, made.ledger, 'day', today)).toEqual([
      { member: 'ann', score: 2, reachedAtMs: noonOfLimits + 1 },
    ]);
    const fields = (await made.ledger.history.days('ann', today, today)).flatMap((day) => day.fields);
    const standing = fields.filter(({ points }) => points > 0).map(({ field }) => field);
    expect(standing.sort()).toEqual(['praise:1', 'praise:2']);
  });

  it('counts what was given before its window and its number changed', async () => {
    const clock = new ManualClock(noonOfLimits);
    const ledger = keptLedger(redis, { prefix: freshPrefix(), clock, boards: [keptBoard('day')] });
    const at = async (offsetMs: number, limit: TransitionLimit) => {
      clock.set(noonOfLimits + offsetMs);
      const grant = limitedGrant({ field: `praise:${offsetMs}`, occurredAtMs: clock.now(), limits: [limit] });
      return (await ledger.apply([grant]))[0]?.outcome;
    };
    for (const offsetMs of [0, 600, 1_200]) expect(await at(offsetMs, sliding)).toBe('granted');
    expect(await at(1_300, { ...sliding, max: 3, windowMs: 10_000 })).toBe('limited');
    expect(await at(1_700, { ...sliding, max: 4, windowMs: 10_000 })).toBe('granted');
    expect((await auditOf(redis, ledger)).differences).toEqual([]);
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

  it('says from which moment on the same grant would be allowed', async () => {
    const first = async (limits: TransitionLimit[], ...offsets: number[]) => {
      const results = await made.ledger.apply(
        offsets.map((offsetMs, i) =>
          limitedGrant({ field: `praise:${limits[0]?.name}:${i}`, occurredAtMs: noonOfLimits + offsetMs, limits }),
        ),
      );
      return results.at(-1)?.refusal;
    };
    expect(await first([{ ...sliding, name: 'plain' }], 0, 300, 900)).toEqual({
      limit: 'plain',
      allowedAgainAtMs: noonOfLimits + 1000,
    });
    // Of those of one window, the one goes first that leaves room for another.
    expect(await first([{ ...sliding, name: 'third' }], 0, 300, 600, 900)).toEqual({
      limit: 'third',
      allowedAgainAtMs: noonOfLimits + 1000,
    });
    expect(await first([dailyGrants(1)], 0, 1)).toEqual({
      limit: 'day-grants',
      allowedAgainAtMs: Date.parse('2036-11-21T00:00:00Z'),
    });
  });

  it('never shares a window or a count between ids that are built to collide', async () => {
    const names = ['a', ':', 'a:', ':a', 'a:b', '1:a', '1:a:', '{a}', '}', ' ', '\n', '\0', 'a\0', '"', '[', '0;', '5'];
    const limits: TransitionLimit[] = [
      { type: 'sliding', name: 'field', max: 1, windowMs: 1000, per: 'field' },
      { type: 'sliding', name: 'pair', max: 1, windowMs: 1000, per: 'pair' },
      { ...atMost(1, 'field'), name: 'own', windowMs: 1_000 },
    ];
    const own = keptLedger(redis, {
      prefix: freshPrefix(),
      shards: 4,
      clock: new ManualClock(noonOfLimits),
      boards: [keptBoard('day')],
    });
    const grants = names.flatMap((member) =>
      names.map((other): Transition => ({
        kind: 'grant',
        member,
        field: other,
        counterpart: other,
        points: 1,
        occurredAtMs: noonOfLimits,
        limits,
      })),
    );
    const results = await own.apply(grants);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    const again = await own.apply(grants.map((grant) => ({ ...grant, field: `${grant.field}!` })));
    expect(new Set(again.map(({ reason }) => reason))).toEqual(new Set(['pair']));
    for (const key of await redis.keys(`{${own.settings.prefix}:*`)) {
      const tag = key.slice(0, key.indexOf('}') + 1);
      expect(clusterKeySlot(key)).toBe(clusterKeySlot(tag));
    }
    const days = names.map((member) => ({
      kind: 'grant' as const,
      member,
      field: 'day',
      points: 1,
      occurredAtMs: noonOfLimits,
      limits: [dailyGrants(1)],
    }));
    expect(new Set((await own.apply(days)).map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
  });

  describe('tells what is left of it', () => {
    it('in one look at all of them', async () => {
      const own = keptLedger(redis, {
        prefix: freshPrefix(),
        clock: new ManualClock(noonOfLimits + 500),
        boards: [keptBoard('day')],
      });
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
      const outcomes = await own.apply(
        [0, 300].map((offsetMs) =>
          limitedGrant({
            field: `p:${offsetMs}`,
            points: 3,
            occurredAtMs: noonOfLimits + offsetMs,
            counterpart: 'bob',
            limits,
          }),
        ),
      );
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
  });
});

describe('a sliding limit', () => {
  const made = ledgerForLimits(redis);
  const { outcomes } = made;

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('is exact at both edges, and a refused try takes no place', async () => {
    const found = await outcomes(
      [sliding],
      ['grant a at 0', 'grant b at 500', 'grant c at 999', 'grant c at 1000', 'grant d at 1499', 'grant d at 1500'],
    );
    expect(found).toEqual(['granted', 'granted', 'limited by slow', 'granted', 'limited by slow', 'granted']);
  });

  it('is judged in the order of moments: a late activity takes its place before a later one', async () => {
    const found = await outcomes([sliding], ['grant a at 0', 'grant b at 900', 'grant late at 500', 'grant b at 901']);
    expect(found).toEqual(['granted', 'granted', 'granted', 'limited by slow']);
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    expect(await rawBoard(redis, made.ledger, 'day', today)).toEqual([
      { member: 'ann', score: 2, reachedAtMs: noonOfLimits + 500 },
    ]);
  });

  it('is not given back by a revoke: toggling is what it is against', async () => {
    const found = await outcomes([{ ...sliding, max: 1 }], ['grant a at 0', 'revoke a at 1', 'grant a at 2']);
    expect(found).toEqual(['granted', 'revoked', 'limited by slow']);
  });

  it('looks as far back as it reaches, and to what counted once for ever until now', async () => {
    const dayMs = 86_400_000;
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
    const limited = results.flatMap(({ outcome }, i) => (outcome === 'limited' ? [grants[i]] : []));
    expect(limited).toEqual([
      ['older', -79],
      ['ever', -27],
      ['b', -9],
    ]);
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
    ] as const;
    for (const [field, days, ms, kind = 'grant'] of tries) {
      const occurredAtMs = noonOfLimits + days * 86_400_000 + ms;
      const onceInDays = field === 'daily' ? 1 : Infinity;
      await made.ledger.apply([limitedGrant({ kind, field, points: 5, occurredAtMs, onceInDays, limits })]);
    }
    const scores = [-2, 0].map((days) => {
      const day = Period.of('day', new Date(noonOfLimits + days * 86_400_000), 'UTC');
      return made.ledger.board('day', day).score('ann');
    });
    expect(await Promise.all(scores)).toEqual([5, null]);
  });

  it('counts each field for itself where it is per field', async () => {
    const perField: TransitionLimit = { ...sliding, max: 1, per: 'field' };
    const found = await outcomes(
      [perField],
      ['grant a at 0', 'grant b at 1', 'revoke a at 2', 'grant a at 3', 'grant a at 1000'],
    );
    expect(found).toEqual(['granted', 'granted', 'revoked', 'limited by slow', 'granted']);
  });

  it('per pair counts each other member apart, and nothing where there is none', async () => {
    const pair: TransitionLimit = { type: 'sliding', name: 'pair', max: 1, windowMs: 1000, per: 'pair' };
    const grants = ['bob', 'cho', 'bob', undefined, undefined].map((counterpart, i): Transition => ({
      kind: 'grant',
      member: 'ann',
      field: `p:${i}`,
      points: 1,
      occurredAtMs: noonOfLimits + i,
      limits: [pair],
      ...(counterpart !== undefined && { counterpart }),
    }));
    const found = (await made.ledger.apply(grants)).map(({ outcome }) => outcome);
    expect(found).toEqual(['granted', 'granted', 'limited', 'granted', 'granted']);
  });
});

describe('a daily limit', () => {
  const day = 86_400_000;

  const made = ledgerForLimits(redis);
  const { outcomes } = made;

  const daily: TransitionLimit = { ...dailyGrants(2), name: 'two-praises' };

  it('counts what stands on that day, and a revoke frees a place', async () => {
    const found = await outcomes(
      [daily],
      [
        'grant praise:1 at 0',
        'grant praise:2 at 1',
        'grant praise:3 at 2',
        'grant praise:1 at 3',
        'revoke praise:2 at 4',
        'grant praise:3 at 5',
        'grant praise:2 at 6',
        `grant praise:4 at ${day}`,
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

  it('of points gives what is left of them, and a revoke takes back just that', async () => {
    const limits = [dailyPoints(10)];
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    const praise = (id: number, offsetMs: number, change: Partial<Transition> = {}): Transition =>
      limitedGrant({ field: `praise:${id}`, points: 4, occurredAtMs: noonOfLimits + offsetMs, limits, ...change });
    const answers = async (...transitions: Transition[]) =>
      (await made.ledger.apply(transitions)).map(({ outcome, points, reason, scores }) => [
        outcome,
        points,
        scores['day'],
        reason,
      ]);
    expect(await answers(praise(1, 0), praise(2, 1), praise(3, 2), praise(4, 3))).toEqual([
      ['granted', 4, 4, undefined],
      ['granted', 4, 8, undefined],
      ['granted', 2, 10, 'day-points'],
      ['limited', 0, 10, 'day-points'],
    ]);
    expect((await made.ledger.history.days('ann', today, today))[0]?.fields).toContainEqual(
      expect.objectContaining({ field: 'praise:3', points: 2, version: 1 }),
    );
    expect(await answers(praise(3, 4), praise(3, 5, { kind: 'revoke' }))).toEqual([
      ['duplicate', 0, 10, undefined],
      ['revoked', -2, 8, undefined],
    ]);
    // A grant that comes after its revoke is judged anew: by then, three points are left.
    expect(await answers(praise(5, 6, { points: 1 }), praise(3, 7), praise(1, 8, { kind: 'revoke' }))).toEqual([
      ['granted', 1, 9, undefined],
      ['granted', 1, 10, 'day-points'],
      ['revoked', -4, 6, undefined],
    ]);
    expect(await answers(praise(6, 9))).toEqual([['granted', 4, 10, undefined]]);
  });

  it('counts several kinds of fields together, and those that are not under it not at all', async () => {
    const limits = [dailyGrants(2)];
    const grants = ['praise:1', 'viewing:1', 'view:1', 'view:2'].map((field, i) =>
      limitedGrant({ field, occurredAtMs: noonOfLimits + i, limits: field === 'viewing:1' ? [] : limits }),
    );
    const found = (await made.ledger.apply(grants)).map(({ outcome }) => outcome);
    expect(found).toEqual(['granted', 'granted', 'granted', 'limited']);
  });

  it('ends and begins with the local day, to the millisecond', async () => {
    for (const [timezone, midnight] of [
      ['UTC', '2036-11-21T00:00:00.000Z'],
      ['Asia/Kathmandu', '2036-11-20T18:15:00.000Z'],
      // The day on which New York's clocks go back has 25 hours.
      ['America/New_York', '2036-11-03T05:00:00.000Z'],
    ] as const) {
      const midnightMs = Date.parse(midnight);
      const zoned = keptLedger(redis, {
        prefix: freshPrefix(),
        timezone,
        clock: new ManualClock(midnightMs),
        boards: [keptBoard('day')],
      });
      const limits = [dailyGrants(2), dailyPoints(3)];
      const results = await zoned.apply(
        [-3_600_000, -1000, -1, 0, 1, 2].map((offsetMs, i) =>
          limitedGrant({ field: `p:${i}`, points: 2, occurredAtMs: midnightMs + offsetMs, limits }),
        ),
      );
      expect(results.map(({ outcome, points }) => `${outcome} ${points}`)).toEqual([
        'granted 2',
        'granted 1',
        'limited 0',
        'granted 2',
        'granted 1',
        'limited 0',
      ]);
      expect(results[2]?.refusal?.allowedAgainAtMs).toBe(midnightMs);
    }
  });
});

describe('limits of a period', () => {
  const day = 86_400_000;
  /** A Monday, the 2nd of a month. */
  const monday = Date.parse('2037-02-02T12:00:00Z');

  const limitOf = (period: PeriodSpec, max: number, of: 'grants' | 'points' = 'grants'): TransitionLimit[] => [
    { type: 'daily', name: 'many', max, of, period },
  ];
  const start = () => {
    const clock = new ManualClock(monday + 40 * day);
    const ledger = keptLedger(redis, { prefix: freshPrefix(), boards: [keptBoard('day')], clock });
    let n = 0;
    const grant = (
      daysLater: number,
      limits: readonly TransitionLimit[],
      more: Partial<Transition> = {},
    ): Transition => {
      n += 1;
      const occurredAtMs = monday + daysLater * day + n;
      return { kind: 'grant', member: 'ann', field: `p:${n}`, points: 3, occurredAtMs, limits, ...more };
    };
    const send = async (...transitions: Transition[]) =>
      (await ledger.apply(transitions)).map(({ outcome, points }) => `${outcome} ${points}`);
    return { ledger, clock, grant, send };
  };

  it.each<[string, PeriodSpec, number]>([
    ['week', 'week', 7],
    ['month', 'month', 27],
    ['contest', { kind: 'contest', from: '2037-02-02', to: '2037-02-11' }, 10],
  ])(
    'refuse what is more than a %s allows, on whichever of its days, in one call or in many',
    async (_, spec, next) => {
      const { ledger, grant, send } = start();
      const limits = limitOf(spec, 3);
      expect(await send(grant(1, limits), grant(0, limits))).toEqual(['granted 3', 'granted 3']);
      expect(await send(grant(3, limits), grant(4, limits))).toEqual(['granted 3', 'limited 0']);
      // In the order of moments: what comes late takes the place of the last one.
      expect(await send(grant(2, limits))).toEqual(['granted 0']);
      const [refused] = await ledger.apply([grant(5, limits)]);
      const end = Date.parse('2037-02-02T00:00:00Z') + next * day;
      expect(refused).toMatchObject({ outcome: 'limited', refusal: { limit: 'many', allowedAgainAtMs: end } });
      expect(await send(grant(next, limits), grant(-2, limits))).toEqual(['granted 3', 'granted 3']);
    },
  );

  it('count what stands: a revoke that names its day frees its place, one of a later day frees nothing', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 2);
    const [first, second] = [grant(0, limits), grant(1, limits)];
    expect(await send(first, second, grant(2, limits))).toEqual(['granted 3', 'granted 3', 'limited 0']);
    const revoke = { kind: 'revoke' as const, occurredAtMs: monday + 2 * day + 1_000 };
    expect(await send({ ...first, ...revoke })).toEqual(['revoked -3']);
    expect(await send(grant(3, limits))).toEqual(['limited 0']);
    expect(await send({ ...second, ...revoke, grantedAtMs: second.occurredAtMs })).toEqual(['revoked 0']);
    expect(await send(grant(4, limits))).toEqual(['limited 0']);
  });

  it('give what is left of points', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 10, 'points');
    const three = [0, 1, 2].map((later) => grant(later, limits));
    expect(await send(...three)).toEqual(['granted 3', 'granted 3', 'granted 3']);
    expect(await send(grant(3, limits), grant(3, limits))).toEqual(['granted 1', 'limited 0']);
    expect(await send(grant(0, limits, { member: 'bob' }))).toEqual(['granted 3']);
  });

  it('tell what is left of them', async () => {
    const { ledger, grant, send } = start();
    const limits = limitOf('week', 3);
    await send(grant(0, limits), grant(2, limits));
    const quota = async () =>
      ledger.quotaOf('ann', [{ limit: limits[0] as TransitionLimit }], { atMs: monday + 3 * day + 1_000 });
    expect(await quota()).toMatchObject([{ max: 3, used: 2, left: 1, allowedAgainAtMs: null }]);
    await send(grant(3, limits));
    const end = Date.parse('2037-02-09T00:00:00Z');
    expect(await quota()).toMatchObject([{ used: 3, left: 0, allowedAgainAtMs: end }]);
  });
});

describe('limits of grants without points', () => {
  const minute = 60_000;

  const made = ledgerForLimits(redis);
  const slow: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 10 * minute, per: 'member' };
  const few: TransitionLimit = { type: 'daily', name: 'few', max: 2, of: 'standing' };
  const grant = (field: string, minutes: number, limits: readonly TransitionLimit[]): Transition =>
    limitedGrant({ field, points: 0, occurredAtMs: noonOfLimits + minutes * minute, limits });
  const outcomes = async (transitions: readonly Transition[]) =>
    (await made.ledger.apply(transitions)).map(({ outcome }) => outcome);

  it.each([1, 8])('refuse by a sliding window, %i a call', async (calls) => {
    const all = ['s:1', 's:2', 's:3', 's:1'].map((field, i) => grant(field, i, [slow]));
    const found: string[] = [];
    for (let i = 0; i < all.length; i += calls) found.push(...(await outcomes(all.slice(i, i + calls))));
    expect(found).toEqual(['granted', 'granted', 'limited', 'duplicate']);
    expect(await outcomes([grant('s:3', 11, [slow])])).toEqual(['granted']);
  });

  it('refuse by what stands of a day, and a revoke frees the place', async () => {
    const limits = [few];
    expect(await outcomes(['s:1', 's:2', 's:3'].map((field, i) => grant(field, i, limits)))).toEqual([
      'granted',
      'granted',
      'limited',
    ]);
    expect(await outcomes([{ ...grant('s:1', 5, limits), kind: 'revoke' }])).toEqual(['revoked']);
    expect(await outcomes([grant('s:3', 6, limits)])).toEqual(['granted']);
    expect(await outcomes([grant('s:4', 7, limits)])).toEqual(['limited']);
  });

  it.each([0, -1])('let %i points pass a cap on points that is used up', async (points) => {
    const limits = [dailyPoints(3)];
    expect(await outcomes([grant('s:1', 0, limits), { ...grant('p:1', 1, limits), points: 3 }])).toEqual([
      'granted',
      'granted',
    ]);
    expect(await outcomes([{ ...grant('s:2', 2, limits), points }])).toEqual(['granted']);
    expect(await outcomes([{ ...grant('p:2', 3, limits), points: 1 }])).toEqual(['limited']);
  });
});
