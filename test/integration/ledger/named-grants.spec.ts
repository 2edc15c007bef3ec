import type { Transition } from '@laurel/leaderboard';
import type { NamedGrant } from '@laurel/leaderboard/internals';
import { auditOf } from '../../support/differences';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { grantsAt, keptLedger } from '../../support/ledger';
import { countingRedis, dayMs, ManualClock, testRedis } from '../../support';

const noon = Date.parse('2036-11-20T12:00:00Z');

describe('grants that are found by what their fields say', () => {
  it('are those that no revoke has ended, of whomever, today, on packed days and for ever', async () => {
    const [clock, redis] = [new ManualClock(noon), await countingRedis()];
    const ledger = keptLedger(redis, { clock, shards: 2 });
    const grant = (member: string, field: string, change: Partial<LawfulTransition> = {}) =>
      grantsAt(clock.now())(member, field, { points: 2, ...change });
    const gift = { member: 'own', points: 1 };
    const cap = { type: 'daily', name: 'one', max: 1, of: 'grants' } as const;
    await ledger.apply([
      grant('ann', 'a:7', { gift }),
      grant('bob', 'ever:7', { onceInDays: Infinity }),
      grant('eva', 'a:7'),
    ]);
    await ledger.apply([grant('eva', 'a:7', { kind: 'revoke', grantedAtMs: noon, occurredAtMs: noon + 1 })]);
    clock.advance(40 * dayMs);
    await ledger.pack();
    await ledger.apply([
      ...[grant('ann', 'a:8'), grant('ann', 'a:77'), grant('ann', 'a:7', { gift })],
      ...[
        grant('cho', 'c:1', { limits: [cap] }),
        grant('cho', 'c:7', { limits: [cap], occurredAtMs: clock.now() + 1 }),
      ],
      grant('dan', 'a:7', { gift }),
    ]);
    // Whose giver nobody knows any more is found where it was given.
    expect((await redis.during(() => ledger.erasure.erase('dan'))).length).toBeLessThan(100);
    const wanted = { pieces: [':7'], includes: (field: string) => field.endsWith(':7') };
    const found: NamedGrant[] = [];
    const take = (grants: readonly NamedGrant[]) => Promise.resolve(void found.push(...grants));
    await ledger.named.each(wanted, take);
    const told = found.map(
      ({ member, field, points, isCounted }) => `${member} ${field.slice(-6)} ${points} ${isCounted}`,
    );
    expect(told.sort()).toEqual([
      'ann a:7 2 true',
      'ann a:7 2 true',
      'bob ever:7 2 true',
      'cho c:7 0 false',
      expect.stringMatching(/^own ...a:7 1 true$/),
    ]);
    const revokes = found.map(({ member, field, points, grantedAtMs }): Transition => {
      return { kind: 'revoke', member, field, points, grantedAtMs, occurredAtMs: clock.now() + 2 };
    });
    await ledger.apply(revokes);
    found.length = 0;
    await ledger.named.each(wanted, take);
    expect(found).toEqual([]);
    const today = ledger.periods.of('day', clock.now());
    const entries = await ledger.board('day', today).top(9);
    expect(entries.map(({ member, score }) => `${member} ${score}`)).toEqual(['ann 4', 'cho 2']);
  });

  it('are found, and taken back, in the pages of a crowded day too, once their giver is erased', async () => {
    const ledger = keptLedger(testRedis(), { clock: noon });
    const gift = { member: 'hub', points: 1 };
    const given = (giver: string): Transition => {
      return { kind: 'grant', member: giver, field: `by:${giver}`, points: 2, occurredAtMs: noon, gift };
    };
    await ledger.apply(Array.from({ length: 160 }, (_, i) => given(`g${i}`)));
    await ledger.apply([given('dana')]);
    const wanted = { pieces: ['by:dana'], includes: (field: string) => field.endsWith('by:dana') };
    const named = async () => {
      const found: NamedGrant[] = [];
      await ledger.named.each(wanted, (grants) => Promise.resolve(void found.push(...grants)));
      return found;
    };
    await ledger.erasure.erase('dana');
    const [found, ...others] = await named();
    expect([found, others]).toMatchObject([{ member: 'hub', points: 1, isCounted: true }, []]);
    const { member, field, points, grantedAtMs } = found as NamedGrant;
    const revoke = { kind: 'revoke', member, field, points, grantedAtMs, occurredAtMs: noon + 1 } as const;
    expect(await ledger.apply([revoke])).toMatchObject([{ outcome: 'revoked', scores: { day: 160 } }]);
    expect(await named()).toEqual([]);
    expect(await auditOf(testRedis(), ledger)).toEqual({ differences: [], gaps: [] });
  });
});
