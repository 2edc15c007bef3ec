import type { Transition, TransitionLimit } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { limitedOutcomes, type LimitedLine, ledgerForLimits, noonOfLimits } from '../../support/limits';
import { freshPrefix } from '../../support/redis';

describe('a sliding limit', () => {
  const made = ledgerForLimits();
  const outcomes = (limits: TransitionLimit[], lines: readonly LimitedLine[]) =>
    limitedOutcomes(made.ledger, limits, lines);

  const sliding: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 1000, per: 'member' };

  it('is exact at both edges, and a refused try takes no place', async () => {
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

  it('looks at what came after a late activity too', async () => {
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

  it('is not given back by a revoke: toggling is what it is against', async () => {
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
    const live = keptLedger(made.redis, { prefix: freshPrefix(), clock, boards: [keptBoard('day')] });
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
    const [key = ''] = await made.redis.keys(`{${live.settings.prefix}:*:window:*`);
    const pttl = await made.redis.pttl(key);
    expect(pttl).toBeGreaterThan(3_600_000);
    expect(pttl).toBeLessThanOrEqual(3_850_000);
    const [late] = await live.apply([grant('b', aheadMs - 999)]);
    expect(late).toMatchObject({ outcome: 'limited', refusal: { allowedAgainAtMs: aheadMs + 1000 } });
    await live.apply([grant('c', aheadMs - 1000), grant('d', aheadMs + 40_000)]);
    const kept = (await made.redis.getBuffer(key)) as Buffer;
    expect([kept.length, kept.readDoubleBE(8)]).toEqual([16, aheadMs + 40_000]);
  });
});
