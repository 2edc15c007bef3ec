import { type Ledger, LeaderboardError, Period, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { atMost, dailyGrants, dailyPoints, limitsOfFive, spaced } from '../../support/limits';
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

  const daily: TransitionLimit = { ...dailyGrants(2, 'praise:'), name: 'two-praises' };

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

  it('of points gives what is left of them, and a revoke takes back just that', async () => {
    const limits = [dailyPoints(10, 'praise:')];
    const today = Period.of('day', new Date(noon), 'UTC');
    const praise = (id: number, offsetMs: number, change: Partial<Transition> = {}): Transition => ({
      kind: 'grant',
      member: 'ann',
      field: `praise:${id}`,
      points: 4,
      occurredAtMs: noon + offsetMs,
      limits,
      ...change,
    });
    const answers = async (...transitions: Transition[]) =>
      (await ledger.apply(transitions)).map(({ outcome, points, reason, scores }) => [
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
    expect((await ledger.history('ann', today, today))[0]?.fields).toContainEqual(
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

  it('of a day counts several kinds of fields together, and others not at all', async () => {
    const all = dailyGrants(2, 'praise:', 'view:');
    const found = await outcomes(
      [all],
      [
        ['praise:1', 0],
        ['viewing:1', 1],
        ['view:1', 2],
        ['view:2', 3],
      ],
    );
    expect(found).toEqual(['granted', 'granted', 'granted', 'limited by day-grants']);
  });

  it('says from which moment on the same grant would be allowed', async () => {
    const first = async (limits: TransitionLimit[], ...offsets: number[]) => {
      const results = await ledger.apply(
        offsets.map((offsetMs, i) => ({
          kind: 'grant',
          member: 'ann',
          field: `praise:${limits[0]?.name}:${i}`,
          points: 1,
          occurredAtMs: noon + offsetMs,
          limits,
        })),
      );
      return results.at(-1)?.refusal;
    };
    expect(await first([{ ...sliding, name: 'plain' }], 0, 300, 900)).toEqual({
      limit: 'plain',
      allowedAgainAtMs: noon + 1000,
    });
    // At 1000 there is room beside 300, but not beside 300 and 1299.
    expect(await first([{ ...sliding, name: 'between' }], 0, 300, 1299, 1000)).toEqual({
      limit: 'between',
      allowedAgainAtMs: noon + 1300,
    });
    // Two stretches, one after the other.
    expect(await first([{ ...sliding, name: 'beyond' }], 0, 300, 1300, 1301, 400)).toEqual({
      limit: 'beyond',
      allowedAgainAtMs: noon + 2300,
    });
    expect(await first([dailyGrants(1, 'praise:day-grants:')], 0, 1)).toEqual({
      limit: 'day-grants',
      allowedAgainAtMs: Date.parse('2036-11-21T00:00:00Z'),
    });
  });

  it('of a day ends and begins with the local day, to the millisecond', async () => {
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
        [-3_600_000, -1000, -1, 0, 1, 2].map((offsetMs, i) => ({
          kind: 'grant',
          member: 'ann',
          field: `p:${i}`,
          points: 2,
          occurredAtMs: midnightMs + offsetMs,
          limits,
        })),
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

  it('per pair counts each other member apart, and nothing where there is none', async () => {
    const pair: TransitionLimit = { type: 'sliding', name: 'pair', max: 1, windowMs: 1000, per: 'pair' };
    const grants = ['bob', 'cho', 'bob', undefined, undefined].map((counterpart, i): Transition => ({
      kind: 'grant',
      member: 'ann',
      field: `p:${i}`,
      points: 1,
      occurredAtMs: noon + i,
      limits: [pair],
      ...(counterpart !== undefined && { counterpart }),
    }));
    const found = (await ledger.apply(grants)).map(({ outcome }) => outcome);
    expect(found).toEqual(['granted', 'granted', 'limited', 'granted', 'granted']);
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
      clock: new ManualClock(noon),
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
        occurredAtMs: noon,
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
      occurredAtMs: noon,
      limits: [dailyGrants(1, 'day')],
    }));
    expect(new Set((await own.apply(days)).map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
  });

  it('of a day is right whatever was recorded without it, or with others', async () => {
    const limited = [dailyGrants(3, 'praise:')];
    const other = [dailyGrants(9, 'praise:', 'view:')];
    const give = async (
      ids: readonly number[],
      limits?: readonly TransitionLimit[],
      kind: Transition['kind'] = 'grant',
    ) =>
      (
        await ledger.apply(
          ids.map((id) => ({
            kind,
            member: 'ann',
            field: `praise:${id}`,
            points: 1,
            occurredAtMs: noon + (kind === 'grant' ? 0 : 1),
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
    const key = `{${ledger.settings.prefix}:${ledger.settings.tags[0]}}:ledger:20361120:ann`;
    const kept = (await redis.hgetBuffer(key, '')) as Buffer;
    expect(kept.subarray(0, -8).toString()).toMatch(/^0;[a-z0-9]+,$/);
    expect(kept.readDoubleBE(kept.length - 8)).toBe(3);
  });

  it('keeps windows for a few of their lengths, also of activities dated ahead', async () => {
    const clock = new ManualClock(noon);
    const live = keptLedger(redis, { prefix: freshPrefix(), clock, boards: [keptBoard('day')] });
    const limits: TransitionLimit[] = [{ ...sliding, max: 1, name: 'kept' }];
    const grant = (field: string, occurredAtMs: number): Transition => ({
      kind: 'grant',
      member: 'ann',
      field,
      points: 1,
      occurredAtMs,
      limits,
    });
    const aheadMs = clock.now() + 250_000;
    await live.apply([grant('a', aheadMs)]);
    const [key = ''] = await redis.keys(`{${live.settings.prefix}:*:window:*`);
    const pttl = await redis.pttl(key);
    expect(pttl).toBeGreaterThan(3_840_000);
    expect(pttl).toBeLessThanOrEqual(3_850_000);
    const [late] = await live.apply([grant('b', aheadMs - 999)]);
    expect(late).toMatchObject({ outcome: 'limited', refusal: { allowedAgainAtMs: aheadMs + 1000 } });
    await live.apply([grant('c', aheadMs - 1000), grant('d', aheadMs + 40_000)]);
    const kept = (await redis.getBuffer(key)) as Buffer;
    expect([kept.length, kept.readDoubleBE(8)]).toEqual([16, aheadMs + 40_000]);
  });

  describe.each([1, 8])('on %d shards', (shards) => {
    it.each(Object.entries(limitsOfFive))(
      '%s: of 256 tries over 16 connections exactly five are granted, and as many as are freed again',
      async (_, { limits, more, isFreed }) => {
        const prefix = freshPrefix();
        const ledgers = Array.from({ length: 16 }, () =>
          keptLedger(testRedis(), {
            prefix,
            shards,
            clock: new ManualClock(noon),
            boards: [keptBoard('day'), keptBoard('month')],
            limitTypes: [atMost],
          }),
        );
        const tries = (from: number, change: Partial<Transition> = {}) =>
          Promise.all(
            Array.from({ length: 256 }, (__, i) =>
              (ledgers[i % 16] as Ledger).apply([
                {
                  kind: 'grant',
                  member: 'ann',
                  field: `p:${from + i}`,
                  points: 2,
                  occurredAtMs: noon - i,
                  limits,
                  ...more,
                  ...change,
                },
              ]),
            ),
          ).then((results) => results.flat());
        const countOf = (results: readonly { readonly outcome: string }[], outcome: string) =>
          results.filter((result) => result.outcome === outcome).length;

        const first = await tries(0);
        expect([countOf(first, 'granted'), countOf(first, 'limited')]).toEqual([5, 251]);
        const granted = first.flatMap(({ outcome }, i) => (outcome === 'granted' ? [i] : []));
        for (const i of granted.slice(0, 2)) {
          const [revoked] = await (ledgers[3] as Ledger).apply([
            { kind: 'revoke', member: 'ann', field: `p:${i}`, points: 2, occurredAtMs: noon, limits },
          ]);
          expect(revoked).toMatchObject({ outcome: 'revoked', points: -2 });
        }
        const second = await tries(1000);
        expect(countOf(second, 'granted')).toBe(isFreed ? 2 : 0);
        const today = Period.of('day', new Date(noon), 'UTC');
        const [line] = await rawBoard(redis, ledgers[0] as Ledger, 'day', today);
        expect(line?.score).toBe(isFreed ? 10 : 6);
      },
    );
  });

  describe('of the caller’s own', () => {
    const withTypes = (limitTypes = [spaced, atMost]) =>
      keptLedger(redis, {
        prefix: freshPrefix(),
        clock: new ManualClock(noon + day),
        boards: [keptBoard('day')],
        limitTypes,
      });
    const grant = (field: string, offsetMs: number, everyMs = 1000): Transition => ({
      kind: 'grant',
      member: 'ann',
      field,
      points: 1,
      occurredAtMs: noon + offsetMs,
      limits: [{ type: 'own', name: 'pause', kind: 'spaced' }],
      prepared: [{ keys: ['any'], args: [everyMs] }],
    });

    it('runs in the script, to the millisecond, and tells when it allows again', async () => {
      const own = withTypes();
      const results = await own.apply([grant('a', 0), grant('b', 999), grant('b', 1000), grant('b', 1001)]);
      expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'limited', 'granted', 'duplicate']);
      expect(results[1]).toMatchObject({
        reason: 'pause',
        refusal: { limit: 'pause', allowedAgainAtMs: noon + 1000 },
      });
    });

    it('stops the start where its Lua cannot be compiled', async () => {
      await expect(withTypes([{ type: 'broken', check: 'return +' }]).prepare()).rejects.toThrow(/compiling script/i);
    });

    it('refuses where it fails, says what failed, and harms nobody else', async () => {
      const failing = withTypes([
        { type: 'spaced', check: `return call('LPUSH', keys[1], 'x') and nil or call('GET', keys[1])` },
        atMost,
      ]);
      const results = await failing.apply([
        { ...grant('a', 0), limits: [] },
        grant('b', 1),
        { ...grant('c', 2), limits: [{ type: 'own', name: 'gone', kind: 'unknown' }] },
        { ...grant('d', 3), limits: [] },
      ]);
      expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'limited', 'limited', 'granted']);
      expect(results[1]?.refusal).toMatchObject({ limit: 'pause', allowedAgainAtMs: null });
      expect(results[1]?.refusal?.fault).toMatch(/WRONGTYPE/);
      expect(results[2]?.refusal?.fault).toMatch(/nil/);
      const failsToTake = withTypes([{ type: 'spaced', check: 'return nil', take: `error('no room')` }]);
      const [untaken] = await failsToTake.apply([grant('a', 0)]);
      expect(untaken?.refusal?.fault).toMatch(/no room/);
      const today = Period.of('day', new Date(noon), 'UTC');
      expect((await failsToTake.history('ann', today, today))[0]?.fields).toEqual([]);
    });

    it('is refused at the start where two share a type, or one is malformed', () => {
      expect(() => withTypes([spaced, spaced])).toThrow(LeaderboardError);
      expect(() => withTypes([spaced, spaced])).toThrow(/Two limitTypes are of the type "spaced"/);
      expect(() => withTypes([{ type: "x'] = 1", check: 'return' }])).toThrow(/limitTypes\[\].type is/);
      expect(() => withTypes([{ type: 'x', check: ' ' }])).toThrow(/check is empty/);
    });

    it('is refused what it is prepared with where that is malformed', async () => {
      for (const prepared of [
        { keys: ['\ud800'], args: [] },
        { keys: [], args: [Infinity] },
        { keys: Array<string>(9).fill('k'), args: [] },
      ]) {
        await expect(withTypes().apply([{ ...grant('a', 0), prepared: [prepared] }])).rejects.toThrow(
          /A limit is prepared/,
        );
      }
    });
  });

  describe('tells what is left of it', () => {
    it('in one look at all of them', async () => {
      const own = keptLedger(redis, {
        prefix: freshPrefix(),
        clock: new ManualClock(noon + 500),
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
        [0, 300].map((offsetMs) => ({
          kind: 'grant',
          member: 'ann',
          field: `p:${offsetMs}`,
          points: 3,
          occurredAtMs: noon + offsetMs,
          counterpart: 'bob',
          limits,
          prepared,
        })),
      );
      expect(outcomes.map(({ points }) => points)).toEqual([3, 2]);
      const tomorrow = Date.parse('2036-11-21T00:00:00Z');
      expect(await ask()).toEqual([
        { limit: 'slow', of: 'grants', max: 2, used: 2, left: 0, allowedAgainAtMs: noon + 1000 },
        { limit: 'day-grants', of: 'grants', max: 3, used: 2, left: 1, allowedAgainAtMs: null },
        { limit: 'day-points', of: 'points', max: 5, used: 5, left: 0, allowedAgainAtMs: tomorrow },
        { limit: 'pair', of: 'grants', max: 9, used: 2, left: 7, allowedAgainAtMs: null },
        null,
        { limit: 'pause', of: 'grants', max: 1, used: 1, left: 0, allowedAgainAtMs: noon + 600 },
        { limit: 'silent', of: 'grants', max: null, used: null, left: null, allowedAgainAtMs: null },
        null,
      ]);
    });
  });
});
