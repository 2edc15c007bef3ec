import { feedTerms, ledgerFeeds } from './ledger-feed';
import { bookIn } from './ledgers';
import { resolveOptions } from '../options/resolve-options';
import { RuleBook } from '../rules/rule-book';
import { LedgerLaws } from '../rules/rules-in-force';

const praise = { action: 'praise', points: 2, revocable: true };

function settingsOf(points: Readonly<Record<string, number>>, days = 1) {
  const during = [{ from: '2036-11-20T00:00:00Z', points: 4 }];
  const limits = ['praise', 'view'].map((action) => ({ type: 'daily', action, max: 5 }));
  return resolveOptions({
    redis: { url: 'redis://localhost' },
    leaderboards: [
      { name: 'day', period: 'day' },
      { name: 'own', period: 'day', points },
    ],
    rules: [
      { ...praise, days, during },
      { ...praise, action: 'view', points: 0 },
    ],
    limits: [{ type: 'sliding', per: 'pair', max: 2, windowMs: 60_000, name: 'pals' }, ...limits],
  });
}

it('limits of former rules are read back as they judged: in each ledger by what an action was worth there', () => {
  const [before, now] = [settingsOf({ praise: 0, view: 3 }), settingsOf({ praise: 5 })];
  const feeds = ledgerFeeds(before);
  const book = new RuleBook(before.rules, feeds, before.limits);
  const limitsIn = (ledger: number, of: RuleBook | undefined | null) =>
    ['praise', 'view'].map((code) => of?.lawOf(ledger, code, 'given')?.limits);
  expect(limitsIn(0, book)).toMatchObject([[{ name: 'pals' }, { of: 'grants' }], [{ of: 'standing' }]]);
  expect(limitsIn(1, book)).toMatchObject([[{ of: 'standing' }], [{ name: 'pals' }, { of: 'grants' }]]);
  feeds.forEach(({ points }, ledger) => {
    const former = bookIn(feedTerms(before, points), now);
    for (const one of [former, former?.on(ledgerFeeds(now))])
      expect(limitsIn(ledger, one)).toEqual(limitsIn(ledger, book));
  });
});

it('a field is spread over days where any version says so, the one in force too; found out once for each set of them', () => {
  const bookOf = (days: number) =>
    new RuleBook(settingsOf({ praise: 1 }, days).rules, ledgerFeeds(settingsOf({ praise: 1 })));
  const laws = new LedgerLaws(0, bookOf(3), () => null);
  laws.learn(1, 'what nobody can read');
  const areSpread = () => [laws.spreads('praise:a'), laws.spreads('praise:b')];
  expect(areSpread()).toEqual([true, true]);
  laws.add(2, bookOf(1), true);
  const asked = jest.spyOn(laws, 'of');
  expect(areSpread()).toEqual([false, false]);
  expect(asked).toHaveBeenCalledTimes(3);
  laws.add(3, bookOf(3), false);
  expect(areSpread()).toEqual([true, true]);
});
