import { LedgerAudit, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import { dailyPoints, ledgerForLimits, noonOfLimits } from '../../support/limits';

const minute = 60_000;

describe('limits of grants without points', () => {
  const made = ledgerForLimits();
  const slow: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 10 * minute, per: 'member' };
  const count = { of: 'standing', fieldPrefixes: ['s:'] } as const;
  const few: TransitionLimit = { type: 'daily', name: 'few', max: 2, count };
  const grant = (field: string, minutes: number, limits: readonly TransitionLimit[]): Transition => ({
    kind: 'grant',
    member: 'ann',
    field,
    points: 0,
    occurredAtMs: noonOfLimits + minutes * minute,
    limits,
  });
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
    const summary = await new LedgerAudit(made.redis, made.ledger, { countsOn: () => null, counts }).run();
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
