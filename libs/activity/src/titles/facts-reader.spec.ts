import { Period } from '@laurel/leaderboard';
import type { PeriodQuery } from '../core/extensions/standings';
import type { Ledgers } from '../core/ledgers/ledgers';
import type { ActivitySettings } from '../core/options/settings';
import type { RedisConnection } from '../core/redis/redis-connection';
import type { RulesInForce } from '../core/rules/rules-in-force';
import { FactsReader } from './facts-reader';

it('what title rules are told who is first in a tally, is read once for all who ask while it is read', async () => {
  const ends: (() => void)[] = [];
  const at = () => new Promise((resolve) => ends.push(() => resolve({ member: 'bob' })));
  const leaderboard = {
    ...{ name: 'day', label: 'day', settings: { tallies: ['received:praise'] } },
    ...{ ledger: { board: () => ({ at }) }, aside: () => ({ between: () => [{ member: 'cyd' }] }) },
  };
  const query = { leaderboard, period: Period.parse('day', '2036-11-20', 'UTC') } as unknown as PeriodQuery;
  const reader = new FactsReader(
    {} as Ledgers,
    {} as RulesInForce,
    { read: (work: () => unknown) => work() } as RedisConnection,
    { clock: { now: () => 0 }, rules: [{ action: 'praise', code: 'p' }] } as unknown as ActivitySettings,
  );
  const firsts = () => reader.firsts(query, new Set(['first:received:praise'] as const));
  const both = [firsts(), firsts()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  const found = { leaders: new Set(['bob']), excluded: new Set(['cyd']) };
  expect(await Promise.all(both)).toEqual([found, found]);
  const later = firsts();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await later;
});
