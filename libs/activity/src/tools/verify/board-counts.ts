import type { ResolvedRule } from '../../rules/rule';
import { actionOfTally, tallyBoard } from '../../rules/tally';
import type { LeaderboardSettings } from '../../options/settings';
import { ownerFieldPrefix } from '../../rules/owner-field';
import { ledgerFieldPrefix } from '../../rules/ledger-field';

/** An action and its code in ledgers' fields, by the rules of some time. */
export type CodedAction = Pick<ResolvedRule, 'action' | 'code'>;

/**
 * What the fields begin with that count on a board of a ledger, by its name; null: all do.
 * @param actions of the rules of today and of all before them: what was recorded by them counts on.
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
    // A tally whose action no rule ever named.
    return found === undefined ? [] : found;
  };
}

/** The boards of a ledger on which a field counts, by their names: {@link boardCounts}, asked the other way round. */
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
