import { ledgerFeeds } from './ledger-feed';
import type { Ledgers } from './ledgers';
import type { ActivitySettings } from '../options/settings';
import { RuleBook } from '../rules/rule-book';
import { parseRules } from '../rules/rules-document';
import type { RulesInForce } from '../rules/rules-in-force';

/**
 * Lets each ledger judge what earlier versions of the rules granted by those versions. One round trip a ledger. Rules
 * that cannot be read any more, as a type of limit is gone, are judged as those in force.
 */
export async function loadLaws(
  ledgers: Ledgers,
  { laws, book }: RulesInForce,
  settings: ActivitySettings,
): Promise<void> {
  const feeds = ledgerFeeds(settings);
  await Promise.all(
    ledgers.all.map(async (ledger, i) => {
      const own = laws[i];
      for (const { version, text } of await ledger.terms.all()) {
        const read = text === ledger.settings.terms ? book : bookIn(text);
        if (read && own && !own.has(version)) own.add(version, read, false);
      }
    }),
  );

  function bookIn(text: string): RuleBook | null {
    try {
      const { rules, limits } = parseRules(text, settings);
      return new RuleBook(rules, feeds, limits);
    } catch {
      return null;
    }
  }
}
