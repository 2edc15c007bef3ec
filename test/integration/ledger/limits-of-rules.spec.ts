import {
  LeaderboardError,
  type Ledger,
  LedgerAudit,
  Period,
  type Transition,
  type TransitionLimit,
} from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keys } from '../../support/keys';
import { keptBoard, keptLedger } from '../../support/ledger';
import {
  atMost,
  dailyGrants,
  dailyPoints,
  ledgerForLimits,
  noonOfLimits,
  noonOfLimits as noon,
  spaced,
} from '../../support/limits';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const redis = testRedis();
afterAll(closeTestRedis);

describe('a limit of the caller’s own', () => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const day = 86_400_000;

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
    expect((await failsToTake.history.days('ann', today, today))[0]?.fields).toEqual([]);
  });

  it('gives back its place where another then fails to take its own, and keeps it without an undo', async () => {
    const undone = { ...atMost, type: 'undone', undo: `call('DECR', keys[1])` };
    const fails = {
      type: 'fails',
      check: 'return nil',
      take: `error('no room')`,
      undo: `call('SET', keys[1], 'wrong')`,
    };
    const own = withTypes([atMost, undone, fails]);
    const kinds = ['undone', 'at-most', 'undone', 'fails'];
    const limits = kinds.map((kind, i) => ({ type: 'own' as const, name: `n${i}`, kind }));
    const prepared = kinds.map(() => ({ keys: ['k'], args: [1] }));
    const [refused] = await own.apply([{ ...grant('a', 0), limits, prepared }]);
    expect(refused).toMatchObject({ outcome: 'limited', reason: 'n3', refusal: { limit: 'n3' } });
    const { prefix, tags } = own.settings;
    const found = limits.map(({ name }) => redis.get(keys.ownLimit(prefix, tags[0] as string, name, 'ann', 'k')));
    expect(await Promise.all(found)).toEqual(['0', '1', '0', null]);
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

describe('a rule that counts once in several days, under limits', () => {
  const day = 86_400_000;

  /** A field, days after the first, hours after noon; a revoke ends what was granted then. */
  type Line = readonly [field: string, days: number, hours: number, kind?: 'revoke'];

  const made = ledgerForLimits(redis);
  const apply = async (
    limits: TransitionLimit[],
    lines: readonly Line[],
    more: { readonly member?: string; readonly counterpart?: string } = {},
  ) => {
    const transitions = lines.map(([field, days, hours, kind]): Transition => {
      const atMs = noonOfLimits + days * day + hours * 3_600_000;
      const common = { member: 'ann', field, points: 3, onceInDays: 7, limits, ...more };
      if (kind) return { ...common, kind, occurredAtMs: noonOfLimits + 2 * day, grantedAtMs: atMs };
      return { ...common, kind: 'grant', occurredAtMs: atMs };
    });
    const results = await made.ledger.apply(transitions);
    return results.map(({ outcome, points }) => `${outcome} ${points}`);
  };
  /** On the second day `c:b` has its points and `c:a` waits behind the first day, which then ends. */
  const freed: readonly Line[] = [
    ['c:a', 0, 0],
    ['c:b', 1, 0],
    ['c:a', 1, 1],
    ['c:a', 0, 0, 'revoke'],
  ];
  const slow: TransitionLimit = { type: 'sliding', name: 'slow', max: 1, windowMs: 7_200_000, per: 'member' };

  it.each<[string, TransitionLimit]>([
    ['a day’s grants', dailyGrants(1, 'c:')],
    ['a day’s points', dailyPoints(3, 'c:')],
    ['a window', slow],
  ])('a revoke lets the day that its own kept from counting count only as %s allow', async (_, limit) => {
    expect(await apply([limit], freed)).toEqual(['granted 3', 'granted 3', 'duplicate 0', 'revoked -3']);
  });

  it('such a day gets what is left of a cap on points', async () => {
    expect(await apply([dailyPoints(5, 'c:')], freed)).toEqual(['granted 3', 'granted 3', 'duplicate 0', 'revoked -1']);
  });

  it('takes a place in windows each time it comes to count, which an audit knows', async () => {
    const windowMs = 2 * day;
    const limits: TransitionLimit[] = [{ ...slow, max: 3, windowMs }];
    const lines: readonly Line[] = [
      ['c:a', 1, 0],
      ['c:a', 0, 0],
      ['c:a', 0, 0, 'revoke'],
      ['c:b', 1, 1],
    ];
    expect(await apply(limits, lines)).toEqual(['granted 3', 'granted 0', 'revoked 0', 'limited 0']);
    const windows = [{ name: 'slow', per: 'member' as const, windowMs, fieldPrefixes: ['c:'] }];
    const options = { countsOn: () => null, limits: windows, spread: ['c:'] };
    const summary = await new LedgerAudit(redis, made.ledger, options).run();
    expect(summary).toMatchObject({ windows: 1, differences: 0 });
  });

  it('what was refused waits for its own next grant, whatever is revoked meanwhile', async () => {
    const limits = [dailyGrants(1, 'c:')];
    await apply(limits, freed);
    expect(await apply(limits, [['c:b', 1, 0, 'revoke']])).toEqual(['revoked -3']);
    expect(await apply(limits, [['c:a', 1, 2]])).toEqual(['granted 3']);
  });

  it('where a limit needs to know more of such a day than a revoke says, the day does not count', async () => {
    const [grants, revoke] = [freed.slice(0, 3), freed.slice(3)];
    const pair: TransitionLimit[] = [{ ...slow, name: 'friends', max: 3, per: 'pair' }];
    const counterpart = 'owner';
    await apply(pair, grants, { counterpart });
    expect(await apply(pair, revoke, { counterpart })).toEqual(['revoked 0']);
    await apply(pair, grants, { counterpart, member: 'bob' });
    expect(await apply(pair, revoke, { member: 'bob' })).toEqual(['revoked -3']);
    await apply([], grants, { member: 'cho' });
    const own: TransitionLimit[] = [{ type: 'own', name: 'own', kind: 'spaced' }];
    expect(await apply(own, revoke, { member: 'cho' })).toEqual(['revoked -3']);
  });
});

describe('what a limit refused', () => {
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
