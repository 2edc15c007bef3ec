import { type Ledger, Period, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { grantsAt, keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { freshPrefix, testRedis } from '../../support/redis';

const redis = testRedis();

describe.each([1, 3])('a ledger on %d shards', (shards) => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const today = Period.of('day', new Date(noon), 'UTC');
  const thisMonth = Period.of('month', new Date(noon), 'UTC');

  const praise = (change: Partial<Transition> = {}) =>
    grantsAt(noon)('ann', 'praise:article:7', { points: 2, ...change });
  let prefix: string;
  const clock = new ManualClock(noon);
  const on = (client: Redis) =>
    keptLedger(client, { prefix, shards, clock, boards: [keptBoard('day'), keptBoard('month')] });
  beforeEach(() => {
    prefix = freshPrefix();
  });

  it('scores once when 256 copies of one event arrive over 16 connections at the same time', async () => {
    const ledgers = Array.from({ length: 16 }, () => on(testRedis()));
    const results = await Promise.all(
      Array.from({ length: 256 }, (_, i) => (ledgers[i % 16] as Ledger).apply([praise()])),
    );
    const outcomes = results.flat().map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(255);
    expect(await rawBoard(redis, on(redis), 'day', today)).toEqual([{ member: 'ann', score: 2, reachedAtMs: noon }]);
  });

  it('keeps boards equal to ledgers when a praise and its cancellation arrive 64 times at the same time', async () => {
    const ledgers = Array.from({ length: 16 }, () => on(testRedis()));
    const members = ['ann', 'bob', 'cho'];
    await Promise.all(
      members.flatMap((member) =>
        Array.from({ length: 64 }, (_, i) => [
          (ledgers[i % 16] as Ledger).apply([praise({ member, occurredAtMs: noon - i })]),
          (ledgers[(i + 7) % 16] as Ledger).apply([praise({ member, kind: 'revoke', occurredAtMs: noon - 32 - i })]),
        ]).flat(),
      ),
    );
    const ledger = on(redis);
    const sums = new Map<string, number>();
    for (const member of members) {
      const [day] = await ledger.history.days(member, today, today);
      sums.set(member, day?.fields.reduce((sum, field) => sum + field.points, 0) ?? 0);
    }
    // The latest praise is later than the latest cancellation: in the end it stands.
    expect([...sums.values()]).toEqual([2, 2, 2]);
    for (const [board, period] of [
      ['day', today],
      ['month', thisMonth],
    ] as const) {
      const found = await rawBoard(redis, ledger, board, period);
      expect(new Map(found.map(({ member, score }) => [member, score]))).toEqual(sums);
    }
  });

  it('takes a thousand transitions of many members in one call and answers in their order', async () => {
    const transitions = Array.from({ length: 1000 }, (_, i) =>
      praise({ member: `user-${i % 300}`, field: `view:/${i % 7}`, points: 1 + (i % 3) }),
    );
    const results = await on(redis).apply(transitions);
    const first = new Set<string>();
    transitions.forEach(({ member, field, points }, i) => {
      const isFirst = !first.has(`${member} ${field}`);
      first.add(`${member} ${field}`);
      expect(results[i]).toMatchObject(isFirst ? { outcome: 'granted', points } : { outcome: 'duplicate', points: 0 });
    });
  });

  it('answers with the score on each board after each transition of a call', async () => {
    const results = await on(redis).apply([
      praise(),
      praise({ field: 'view:/', points: 1 }),
      praise({ kind: 'revoke', occurredAtMs: noon + 1 }),
      praise({ kind: 'revoke', occurredAtMs: noon + 2 }),
    ]);
    expect(results).toEqual([
      { outcome: 'granted', points: 2, scores: { day: 2, month: 2 }, boards: { day: 'counted', month: 'counted' } },
      { outcome: 'granted', points: 1, scores: { day: 3, month: 3 }, boards: { day: 'counted', month: 'counted' } },
      { outcome: 'revoked', points: -2, scores: { day: 1, month: 1 }, boards: { day: 'counted', month: 'counted' } },
      {
        outcome: 'notGranted',
        points: 0,
        scores: { day: 1, month: 1 },
        boards: { day: 'unchanged', month: 'unchanged' },
      },
    ]);
  });
});
