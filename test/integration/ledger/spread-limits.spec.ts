import { LedgerAudit, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import { dailyGrants, dailyPoints, ledgerForLimits, noonOfLimits } from '../../support/limits';

const day = 86_400_000;

/** A field, days after the first, hours after noon; a revoke ends what was granted then. */
type Line = readonly [field: string, days: number, hours: number, kind?: 'revoke'];

describe('a rule that counts once in several days, under limits', () => {
  const made = ledgerForLimits();
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
    const summary = await new LedgerAudit(made.redis, made.ledger, options).run();
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
