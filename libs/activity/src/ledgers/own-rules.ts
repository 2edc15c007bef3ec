import type { ActivitySettings } from '../options/settings';
import { RuleBook } from '../rules/rule-book';
import type { RulesState } from '../rules/rules-in-force';
import { ledgerFeeds } from './ledger-feed';

/** What an instance begins with: its options, or the file that they name. */
export function ownRules(settings: ActivitySettings): RulesState {
  return {
    book: new RuleBook(settings.rules, ledgerFeeds(settings), settings.limits),
    source: settings.rulesFile === null ? 'options' : 'file',
    revision: 0,
    since: new Date(settings.clock.now()),
    version: null,
  };
}
