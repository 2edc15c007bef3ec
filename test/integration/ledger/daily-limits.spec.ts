import { LedgerAudit, Period, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import {
  dailyGrants,
  dailyPoints,
  limitedOutcomes,
  type LimitedLine,
  ledgerForLimits,
  noonOfLimits,
} from '../../support/limits';
import { freshPrefix } from '../../support/redis';

const day = 86_400_000;

describe('a daily limit', () => {
  const made = ledgerForLimits();
  const outcomes = (limits: TransitionLimit[], lines: readonly LimitedLine[]) =>
    limitedOutcomes(made.ledger, limits, lines);

  const daily: TransitionLimit = { ...dailyGrants(2, 'praise:'), name: 'two-praises' };

  it('counts what stands on that day, and a revoke frees a place', async () => {
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

  it('of points gives what is left of them, and a revoke takes back just that', async () => {
    const limits = [dailyPoints(10, 'praise:')];
    const today = Period.of('day', new Date(noonOfLimits), 'UTC');
    const praise = (id: number, offsetMs: number, change: Partial<Transition> = {}): Transition => ({
      kind: 'grant',
      member: 'ann',
      field: `praise:${id}`,
      points: 4,
      occurredAtMs: noonOfLimits + offsetMs,
      limits,
      ...change,
    });
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
      [
        ['praise:1', 0],
        ['viewing:1', 1],
        ['view:1', 2],
        ['view:2', 3],
      ],
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
      const zoned = keptLedger(made.redis, {
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
    const key = `{${made.ledger.settings.prefix}:${made.ledger.settings.tags[0]}}:ledger:20361120:ann`;
    const kept = (await made.redis.hgetBuffer(key, '')) as Buffer;
    expect(kept.subarray(0, -8).toString()).toMatch(/^0;[a-z0-9]+,$/);
    expect(kept.readDoubleBE(kept.length - 8)).toBe(3);
  });

  it.each([5, 6, 12, 40])('%d counts leave the ledger in Redis’ compact encoding, and count on', async (size) => {
    const { redis, ledger } = made;
    const limits = Array.from({ length: size }, (_, i): TransitionLimit => {
      const count = { of: i % 2 === 0 ? ('grants' as const) : ('points' as const), fieldPrefixes: [`a${i >> 1}:`] };
      return { type: 'daily', name: `n${i}`, max: 1000, count };
    });
    const grant = (action: number, subject: number): Transition => ({
      kind: 'grant',
      member: 'ann',
      field: `a${action}:${subject}`,
      points: 3,
      occurredAtMs: noonOfLimits,
      limits,
    });
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
      expect(await redis.hgetBuffer(key, '')).toEqual(kept);
    }
  });
});
