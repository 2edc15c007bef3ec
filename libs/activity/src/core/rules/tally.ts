/** How often an action was done by users, or done to what is theirs: `given:comment`, `received:praise`. */
export type Tally = `given:${string}` | `received:${string}`;

/** Whose count it is: of who did it, or of whose it was done to. */
export type TallySide = 'given' | 'received';

/** A leaderboard as far as counting knows it. */
export interface CountingBoard {
  readonly name: string;
  /** Undefined: all. */
  readonly actions: readonly string[] | undefined;
  readonly tallies: readonly Tally[];
}

/** Whether `text` is a {@link Tally} of one of the actions. */
export function isTally(text: unknown, actions: readonly string[]): text is Tally {
  const [, action] = typeof text === 'string' ? (/^(?:given|received):(.*)$/s.exec(text) ?? []) : [];
  return action !== undefined && actions.includes(action);
}

/** The action that a tally counts. */
export function actionOfTally(tally: Tally): string {
  return tally.slice(tally.indexOf(':') + 1);
}

/** The ledger's board on which a leaderboard's tally is kept, by the code of its action. */
export function tallyBoard(leaderboard: string, tally: Tally, code: string): string {
  return `${leaderboard}.${tally.startsWith('given:') ? 'g' : 'r'}.${code}`;
}

/**
 * The tallies of these leaderboards that an action counts on: `given` for who does it, `received` for whose it is done
 * to.
 */
export function talliesOf(
  leaderboards: readonly { readonly name: string; readonly tallies?: readonly Tally[] }[],
  side: TallySide,
  { action, code }: { readonly action: string; readonly code: string },
): string[] {
  const tally: Tally = `${side}:${action}`;
  return leaderboards
    .filter(({ tallies }) => tallies?.includes(tally))
    .map(({ name }) => tallyBoard(name, tally, code));
}
