import { LedgerAudit, Period, type PeriodSpec, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';
import clusterKeySlot from 'cluster-key-slot';
import { ManualClock } from '../../support/clock';
import { keys } from '../../support/keys';
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

  const daily: TransitionLimit = { ...dailyGrants(2, 'praise:'), name: 'two-praises' };

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('moves nothing when it refuses: no point, no time, no place', async () => {
    await outcomes([daily, sliding], ['grant praise:1 at 0', 'grant praise:2 at 1']);
    const before = await redis.keys(`{${made.ledger.settings.prefix}:*`);
    expect(await outcomes([sliding, daily], ['grant praise:3 at 2'])).toEqual(['limited by slow']);
    expect(await outcomes([daily, sliding], ['grant praise:3 at 5000'])).toEqual(['limited by two-praises']);
    expect((await redis.keys(`{${made.ledger.settings.prefix}:*`)).sort()).toEqual(before.sort());
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    expect(await rawBoard(redis, made.ledger, 'day', today)).toEqual([
      { member: 'ann', score: 2, reachedAtMs: noonOfLimits + 1 },
    ]);
    expect((await made.ledger.history.days('ann', today, today))[0]?.fields.map(({ field }) => field).sort()).toEqual([
      'praise:1',
      'praise:2',
    ]);
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
    // At 1000 there is room beside 300, but not beside 300 and 1299.
    expect(await first([{ ...sliding, name: 'between' }], 0, 300, 1299, 1000)).toEqual({
      limit: 'between',
      allowedAgainAtMs: noonOfLimits + 1300,
    });
    // Two stretches, one after the other.
    expect(await first([{ ...sliding, name: 'beyond' }], 0, 300, 1300, 1301, 400)).toEqual({
      limit: 'beyond',
      allowedAgainAtMs: noonOfLimits + 2300,
    });
    expect(await first([dailyGrants(1, 'praise:day-grants:')], 0, 1)).toEqual({
      limit: 'day-grants',
      allowedAgainAtMs: Date.parse('2036-11-21T00:00:00Z'),
    });
  });

  it('never shares a window or a count between ids that are built to collide', async () => {
    const names = ['a', ':', 'a:', ':a', 'a:b', '1:a', '1:a:', '{a}', '}', ' ', '\n', '\0', 'a\0', '"', '[', '0;', '5'];
    const limits: TransitionLimit[] = [
      { type: 'sliding', name: 'field', max: 1, windowMs: 1000, per: 'field' },
      { type: 'sliding', name: 'pair', max: 1, windowMs: 1000, per: 'pair' },
      { type: 'own', name: 'own', kind: 'at-most' },
    ];
    const own = keptLedger(redis, {
      prefix: freshPrefix(),
      shards: 4,
      clock: new ManualClock(noonOfLimits),
      boards: [keptBoard('day')],
      limitTypes: [atMost],
    });
    const grants = names.flatMap((member) =>
      names.map((other): Transition => ({
        kind: 'grant',
        member,
        field: other,
        counterpart: other,
        prepared: [{ keys: [other], args: [1] }],
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
      limits: [dailyGrants(1, 'day')],
    }));
    expect(new Set((await own.apply(days)).map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
  });

  describe('tells what is left of it', () => {
    it('in one look at all of them', async () => {
      const own = keptLedger(redis, {
        prefix: freshPrefix(),
        clock: new ManualClock(noonOfLimits + 500),
        boards: [keptBoard('day')],
        limitTypes: [spaced, atMost],
      });
      const pair: TransitionLimit = { type: 'sliding', name: 'pair', max: 9, windowMs: 1000, per: 'pair' };
      const pause: TransitionLimit = { type: 'own', name: 'pause', kind: 'spaced' };
      const silent: TransitionLimit = { type: 'own', name: 'silent', kind: 'at-most' };
      const limits = [sliding, dailyGrants(3, 'p:'), dailyPoints(5, 'p:'), pair, pause, silent];
      const prepared = [
        { keys: ['a'], args: [300] },
        { keys: ['b'], args: [2] },
      ];
      const ask = () =>
        own.quotaOf('ann', [
          ...limits.slice(0, 4).map((limit) => ({ limit, counterpart: 'bob' })),
          { limit: pair },
          { limit: pause, prepared: { keys: ['a'], args: [300] } },
          { limit: silent, prepared: { keys: ['b'], args: [2] } },
          { limit: pause },
        ]);
      const none = { used: 0, allowedAgainAtMs: null };
      expect(await ask()).toEqual([
        { limit: 'slow', of: 'grants', max: 2, left: 2, ...none },
        { limit: 'day-grants', of: 'grants', max: 3, left: 3, ...none },
        { limit: 'day-points', of: 'points', max: 5, left: 5, ...none },
        { limit: 'pair', of: 'grants', max: 9, left: 9, ...none },
        null,
        { limit: 'pause', of: 'grants', max: 1, left: 1, ...none },
        { limit: 'silent', of: 'grants', max: null, used: null, left: null, allowedAgainAtMs: null },
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
            prepared,
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
        { limit: 'silent', of: 'grants', max: null, used: null, left: null, allowedAgainAtMs: null },
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

  it('looks at what came after a late activity too', async () => {
    const found = await outcomes(
      [sliding],
      ['grant a at 0', 'grant b at 900', 'grant late at 500', 'grant early at -100', 'grant earlier at -101'],
    );
    expect(found).toEqual(['granted', 'granted', 'limited by slow', 'granted', 'limited by slow']);
  });

  it('is not given back by a revoke: toggling is what it is against', async () => {
    const found = await outcomes([{ ...sliding, max: 1 }], ['grant a at 0', 'revoke a at 1', 'grant a at 2']);
    expect(found).toEqual(['granted', 'revoked', 'limited by slow']);
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

  it('keeps windows for a few of their lengths, also of activities dated ahead', async () => {
    const clock = new ManualClock(noonOfLimits);
    const live = keptLedger(redis, { prefix: freshPrefix(), clock, boards: [keptBoard('day')] });
    const limits: TransitionLimit[] = [{ ...sliding, max: 1, name: 'kept' }];
    const grant = (field: string, occurredAtMs: number): Transition => limitedGrant({ field, occurredAtMs, limits });
    const aheadMs = clock.now() + 250_000;
    await live.apply([grant('a', aheadMs)]);
    const [key = ''] = await redis.keys(`{${live.settings.prefix}:*:window:*`);
    const pttl = await redis.pttl(key);
    expect(pttl).toBeGreaterThan(3_600_000);
    expect(pttl).toBeLessThanOrEqual(3_850_000);
    const [late] = await live.apply([grant('b', aheadMs - 999)]);
    expect(late).toMatchObject({ outcome: 'limited', refusal: { allowedAgainAtMs: aheadMs + 1000 } });
    await live.apply([grant('c', aheadMs - 1000), grant('d', aheadMs + 40_000)]);
    const kept = (await redis.getBuffer(key)) as Buffer;
    expect([kept.length, kept.readDoubleBE(8)]).toEqual([16, aheadMs + 40_000]);
  });
});

describe('a daily limit', () => {
  const day = 86_400_000;

  const made = ledgerForLimits(redis);
  const { outcomes } = made;

  const daily: TransitionLimit = { ...dailyGrants(2, 'praise:'), name: 'two-praises' };

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
    const limits = [dailyPoints(10, 'praise:')];
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

  it('counts several kinds of fields together, and others not at all', async () => {
    const all = dailyGrants(2, 'praise:', 'view:');
    const found = await outcomes(
      [all],
      ['grant praise:1 at 0', 'grant viewing:1 at 1', 'grant view:1 at 2', 'grant view:2 at 3'],
    );
    expect(found).toEqual(['granted', 'granted', 'granted', 'limited by day-grants']);
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
      const limits = [dailyGrants(2, 'p:'), dailyPoints(3, 'p:')];
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

  it('is right whatever was recorded without it, or with others', async () => {
    const limited = [dailyGrants(3, 'praise:')];
    const other = [dailyGrants(9, 'praise:', 'view:')];
    const give = async (
      ids: readonly number[],
      limits?: readonly TransitionLimit[],
      kind: Transition['kind'] = 'grant',
    ) =>
      (
        await made.ledger.apply(
          ids.map((id) => ({
            kind,
            member: 'ann',
            field: `praise:${id}`,
            points: 1,
            occurredAtMs: noonOfLimits + (kind === 'grant' ? 0 : 1),
            ...(limits && { limits }),
          })),
        )
      ).map(({ outcome }) => outcome);
    expect(await give([1], limited)).toEqual(['granted']);
    expect(await give([2])).toEqual(['granted']);
    expect(await give([3, 4], limited)).toEqual(['granted', 'limited']);
    expect(await give([1], undefined, 'revoke')).toEqual(['revoked']);
    expect(await give([5, 6], limited)).toEqual(['granted', 'limited']);
    expect(await give([5, 2], other, 'revoke')).toEqual(['revoked', 'revoked']);
    expect(await give([7, 8, 9], limited)).toEqual(['granted', 'granted', 'limited']);
  });

  it.each([5, 6, 12, 40])('%d counts leave the ledger in Redis’ compact encoding, and count on', async (size) => {
    const { ledger } = made;
    const limits = Array.from({ length: size }, (_, i): TransitionLimit => {
      const count = { of: i % 2 === 0 ? ('grants' as const) : ('points' as const), fieldPrefixes: [`a${i >> 1}:`] };
      return { type: 'daily', name: `n${i}`, max: 1000, count };
    });
    const grant = (action: number, subject: number): Transition =>
      limitedGrant({ field: `a${action}:${subject}`, points: 3, limits });
    const used = async () => {
      const questions = limits.map((limit) => ({ limit }));
      const quotas = await ledger.quotaOf('ann', questions, { atMs: noonOfLimits });
      return quotas.map((quota) => quota?.used);
    };
    const expected = (first: number, others: number) =>
      limits.map((_, i) => (i < 2 ? first : others) * (i % 2 === 0 ? 1 : 3));
    const actions = Array.from({ length: Math.ceil(size / 2) }, (_, i) => i);
    await ledger.apply(actions.map((action) => grant(action, 1)));
    // One alone, and several together, in calls of their own: what is kept is read again.
    await ledger.apply([grant(0, 2)]);
    await ledger.apply([grant(0, 3), grant(0, 4)]);
    expect(await used()).toEqual(expected(4, 1));
    const { prefix, tags } = ledger.settings;
    const key = keys.ledger(prefix, tags[0] as string, '20361120', 'ann');
    expect(await redis.object('ENCODING', key)).toBe('listpack');
    const counts = limits.flatMap((limit) => (limit.type === 'daily' ? { limit: limit.name, count: limit.count } : []));
    const audit = (heals: boolean) => new LedgerAudit(redis, ledger, { countsOn: () => null, counts, heals }).run();
    expect(await audit(false)).toMatchObject({ ledgers: 1, differences: 0 });
    const kept = (await redis.hgetBuffer(key, '')) as Buffer;
    for (const broken of [kept.subarray(0, -1), Buffer.concat([kept, Buffer.from([1])])]) {
      await redis.hset(key, '', broken);
      expect(await audit(true)).toMatchObject({ differences: size, healed: size });
      expect(await used()).toEqual(expected(4, 1));
    }
  });
});

describe('limits of a period', () => {
  const day = 86_400_000;
  /** A Monday, the 2nd of a month. */
  const monday = Date.parse('2037-02-02T12:00:00Z');

  const limitOf = (period: PeriodSpec, max: number, of: LedgerCount['of'] = 'grants'): TransitionLimit[] => [
    { type: 'daily', name: 'many', max, count: { of, fieldPrefixes: ['p:'] }, period },
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
      expect(await send(grant(3, limits), grant(2, limits))).toEqual(['granted 3', 'limited 0']);
      const [refused] = await ledger.apply([grant(0, limits)]);
      const end = Date.parse('2037-02-02T00:00:00Z') + next * day;
      expect(refused).toMatchObject({ outcome: 'limited', refusal: { limit: 'many', allowedAgainAtMs: end } });
      expect(await send(grant(next, limits), grant(-2, limits))).toEqual(['granted 3', 'granted 3']);
    },
  );

  it('count what stands: a revoke of any day frees its place', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 2);
    const first = grant(0, limits);
    expect(await send(first, grant(1, limits), grant(2, limits))).toEqual(['granted 3', 'granted 3', 'limited 0']);
    expect(await send({ ...first, kind: 'revoke', occurredAtMs: monday + 2 * day })).toEqual(['revoked -3']);
    expect(await send(grant(2, limits), grant(3, limits))).toEqual(['granted 3', 'limited 0']);
  });

  it('give what is left of points, and know what an import without limits granted', async () => {
    const { grant, send } = start();
    const limits = limitOf('week', 10, 'points');
    expect(await send(grant(0, []), grant(1, []), grant(2, []))).toEqual(['granted 3', 'granted 3', 'granted 3']);
    expect(await send(grant(3, limits), grant(3, limits))).toEqual(['granted 1', 'limited 0']);
    expect(await send(grant(0, limits, { member: 'bob' }))).toEqual(['granted 3']);
  });

  it('tell what is left of them', async () => {
    const { ledger, grant, send } = start();
    const limits = limitOf('week', 3);
    await send(grant(0, limits), grant(2, limits));
    const quota = async () =>
      ledger.quotaOf('ann', [{ limit: limits[0] as TransitionLimit }], { atMs: monday + 3 * day });
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
  const count = { of: 'standing', fieldPrefixes: ['s:'] } as const;
  const few: TransitionLimit = { type: 'daily', name: 'few', max: 2, count };
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

  it('count what stands where a ledger is counted anew', async () => {
    expect(await outcomes(['s:1', 's:2'].map((field, i) => grant(field, i, [])))).toEqual(['granted', 'granted']);
    expect(await outcomes([grant('s:3', 3, [few])])).toEqual(['limited']);
    const counts = [{ limit: 'few', count }];
    const summary = await new LedgerAudit(redis, made.ledger, { countsOn: () => null, counts }).run();
    expect(summary).toMatchObject({ differences: 0 });
  });

  it('let them pass a cap on points that is used up', async () => {
    const limits = [dailyPoints(3, 'p:', 's:')];
    expect(await outcomes([{ ...grant('p:1', 0, limits), points: 3 }, grant('s:1', 1, limits)])).toEqual([
      'granted',
      'granted',
    ]);
    expect(await outcomes([{ ...grant('p:2', 2, limits), points: 3 }])).toEqual(['limited']);
  });
});
