import type { Ledger } from '@laurel/leaderboard';
import type { Ledgers } from '../ledgers/ledgers';
import type { ResolvedRule } from '../rules/rule';
import { actionOfTally, tallyBoard } from '../rules/tally';
import type { LeaderboardSettings } from '../options/settings';
import { ledgerFieldPrefix, ownerFieldPrefix } from '../rules/ledger-field';

/** The leaderboards that a ledger feeds. */
export function fedBy(ledgers: Ledgers, ledger: Ledger): readonly LeaderboardSettings[] {
  return ledgers.leaderboards().flatMap((boards) => (boards.ledger === ledger ? [boards.settings] : []));
}

/** An action and its code in ledgers' fields, by the rules of some time. */
export type CodedAction = Pick<ResolvedRule, 'action' | 'code'>;

/**
 * By the name of a ledger's board, the prefixes of the fields that count on it; null: all fields do.
 * @param actions of every rule, earlier ones too: what they granted still counts.
 */
export function boardCounts(
  leaderboards: readonly LeaderboardSettings[],
  actions: readonly CodedAction[],
): (board: string) => readonly string[] | null {
  const given = (wanted: readonly string[]) =>
    actions.filter(({ action }) => wanted.includes(action)).map(({ code }) => ledgerFieldPrefix(code));
  const received = (wanted: readonly string[]) => given(wanted).map((prefix) => ownerFieldPrefix + prefix);
  const counts = new Map<string, readonly string[] | null>();
  for (const { name, actions: counting, tallies } of leaderboards) {
    counts.set(name, counting === undefined ? null : [...given(counting), ...received(counting)]);
    for (const tally of tallies) {
      const action = actionOfTally(tally);
      for (const { code } of actions.filter((one) => one.action === action)) {
        const side = tally.startsWith('given:') ? given : received;
        counts.set(tallyBoard(name, tally, code), side([action]));
      }
    }
  }
  return (board) => {
    const found = counts.get(board);
    // A tally of an action that no rule ever had.
    return found === undefined ? [] : found;
  };
}

/** By a field, the names of the ledger's boards that it counts on: the inverse of {@link boardCounts}. */
export function boardsCounting(
  boards: readonly { readonly name: string }[],
  countsOn: (board: string) => readonly string[] | null,
): (field: string) => readonly string[] {
  const prefixes = boards.map(({ name }) => ({ name, prefixes: countsOn(name) }));
  return (field) =>
    prefixes
      .filter(({ prefixes: counting }) => counting === null || counting.some((prefix) => field.startsWith(prefix)))
      .map(({ name }) => name);
}
