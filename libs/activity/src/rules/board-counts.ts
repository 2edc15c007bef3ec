import { ledgerFieldPrefix, ownerFieldPrefix } from './ledger-field';
import type { ResolvedRule } from './rule';
import { actionOfTally, tallyBoard, type Tally } from './tally';

/** An action and its code in ledgers' fields, by the rules of some time. */
export type CodedAction = Pick<ResolvedRule, 'action' | 'code'>;

/** A leaderboard as far as counting knows it. */
export interface CountingBoard {
  readonly name: string;
  /** Undefined: all. */
  readonly actions: readonly string[] | undefined;
  readonly tallies: readonly Tally[];
}

/**
 * By the name of a ledger's board, the prefixes of the fields that count on it; null: all fields do.
 * @param actions of every rule, earlier ones too: what they granted still counts.
 */
export function boardCounts(
  leaderboards: readonly CountingBoard[],
  actions: readonly CodedAction[],
): (board: string) => readonly string[] | null {
  const counts = countsByBoard(leaderboards, actions);
  return (board) => {
    const found = counts.get(board);
    // A tally of an action that no rule ever had.
    return found === undefined ? [] : found;
  };
}

/** The same of the boards that not every field counts on, as transitions carry it. */
export function beginningsOf(
  leaderboards: readonly CountingBoard[],
  actions: readonly CodedAction[],
): Readonly<Record<string, readonly string[]>> {
  const counts = [...countsByBoard(leaderboards, actions)];
  return Object.freeze(Object.fromEntries(counts.flatMap(([name, found]) => (found ? [[name, found] as const] : []))));
}

function countsByBoard(leaderboards: readonly CountingBoard[], actions: readonly CodedAction[]) {
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
  return counts;
}
