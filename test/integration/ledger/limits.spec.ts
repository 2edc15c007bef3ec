import { Period, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import {
  atMost,
  dailyGrants,
  dailyPoints,
  limitedOutcomes,
  spaced,
  type LimitedLine,
  ledgerForLimits,
  noonOfLimits,
} from '../../support/limits';
import { freshPrefix } from '../../support/redis';

describe('a limit of any kind', () => {
  const made = ledgerForLimits();
  const outcomes = (limits: TransitionLimit[], lines: readonly LimitedLine[]) =>
    limitedOutcomes(made.ledger, limits, lines);

  const daily: TransitionLimit = { ...dailyGrants(2, 'praise:'), name: 'two-praises' };

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('moves nothing when it refuses: no point, no time, no place', async () => {
    await outcomes(
      [daily, sliding],
      [
        ['praise:1', 0],
        ['praise:2', 1],
      ],
    );
    const before = await made.redis.keys(`{${made.ledger.settings.prefix}:*`);
    expect(await outcomes([sliding, daily], [['praise:3', 2]])).toEqual(['limited by slow']);
    expect(await outcomes([daily, sliding], [['praise:3', 5000]])).toEqual(['limited by two-praises']);
    expect((await made.redis.keys(`{${made.ledger.settings.prefix}:*`)).sort()).toEqual(before.sort());
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    expect(await rawBoard(made.redis, made.ledger, 'day', today)).toEqual([
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
        offsets.map((offsetMs, i) => ({
          kind: 'grant',
          member: 'ann',
          field: `praise:${limits[0]?.name}:${i}`,
          points: 1,
          occurredAtMs: noonOfLimits + offsetMs,
          limits,
        })),
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
    const own = keptLedger(made.redis, {
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
    for (const key of await made.redis.keys(`{${own.settings.prefix}:*`)) {
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
      const own = keptLedger(made.redis, {
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
        [0, 300].map((offsetMs) => ({
          kind: 'grant',
          member: 'ann',
          field: `p:${offsetMs}`,
          points: 3,
          occurredAtMs: noonOfLimits + offsetMs,
          counterpart: 'bob',
          limits,
          prepared,
        })),
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
