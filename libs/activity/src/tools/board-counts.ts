import type { Ledger } from '@laurel/leaderboard';
import type { Ledgers } from '../ledgers/ledgers';
import type { LeaderboardSettings } from '../options/settings';

/** The leaderboards that a ledger feeds. */
export function fedBy(ledgers: Ledgers, ledger: Ledger): readonly LeaderboardSettings[] {
  return ledgers.leaderboards().flatMap((boards) => (boards.ledger === ledger ? [boards.settings] : []));
}

/** By a field, the names of the ledger's boards that it counts on: the inverse of `boardCounts`. */
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
