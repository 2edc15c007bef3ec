import { createHash } from 'node:crypto';

/**
 * A source's total for a user when it was last taken over. It lies in the id of the adjustment that gave the
 * difference, so the script that moves the points remembers it too: no failure comes between the two.
 */
export interface TakenTotal {
  /** Counts the times that the user was taken over; 0: never. */
  readonly turn: number;
  readonly total: number;
}

/** 72 bits: no two sources of a ledger will ever share them. */
const digestLength = 12;

/** The prefix of the ids of a source's adjustments. */
export function idPrefixOf(source: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(source)).digest('base64url').slice(0, digestLength);
  return `from:${digest}:`;
}

/** The id of the adjustment that brings a user to a total. */
export function idOf(prefix: string, { turn, total }: TakenTotal): string {
  return `${prefix}${turn}:${total}`;
}

/** The latest total among the ids of a user's adjustments. */
export function latestTotal(prefix: string, ids: readonly string[]): TakenTotal {
  let latest: TakenTotal = { turn: 0, total: 0 };
  for (const id of ids) {
    if (!id.startsWith(prefix)) continue;
    const [turn, total] = id.slice(prefix.length).split(':').map(Number) as [number, number];
    if (turn > latest.turn) latest = { turn, total };
  }
  return latest;
}
