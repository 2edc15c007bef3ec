import { type Ledger, Period, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { grantsAt, keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { freshPrefix, ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe.each([1, 3])('a ledger on %d shards', (shards) => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const today = Period.of('day', new Date(noon), 'UTC');

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
